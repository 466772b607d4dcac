/** Which texts of a tool are searched, and how much each counts. */
import { isJsonObject, type JsonObject } from '../../../base/json.js';

export interface SearchableTool {
  /** What the model calls. */
  readonly name: string;
  readonly server: string;
  /** What the server calls. */
  readonly tool: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: JsonObject;
}

export const fieldCount = 6;
/** Name, title, server, description, parameter names, parameter descriptions. */
export const fieldWeights: readonly number[] = [6, 4, 1.5, 2, 1.5, 0.6];
/** How much a long field dilutes a hit in it, 0 to 1. */
export const fieldDilution: readonly number[] = [0.4, 0.3, 0, 0.6, 0.6, 0.7];

/** Characters; what follows explains rather than says what the tool is for. */
const maxDescription = 700;
const maxParameterDescription = 200;
const maxDepth = 3;

export type AddText = (field: number, text: string) => void;

export function readToolText(tool: SearchableTool, add: AddText): void {
  add(0, tool.tool);
  if (tool.title) {
    add(1, tool.title);
  }
  add(2, tool.server);
  if (tool.description) {
    add(3, clip(tool.description, maxDescription));
  }
  readParameters(tool.inputSchema, add, 0);
}

function readParameters(schema: JsonObject, add: AddText, depth: number): void {
  const { properties } = schema;
  if (isJsonObject(properties)) {
    for (const name in properties) {
      add(4, name);
      readParameter(properties[name], add, depth);
    }
  }
}

function readParameter(schema: unknown, add: AddText, depth: number): void {
  if (!isJsonObject(schema)) {
    return;
  }
  const { description, enum: choices, items } = schema;
  if (typeof description === 'string') {
    add(5, clip(description, maxParameterDescription));
  }
  if (Array.isArray(choices)) {
    for (const choice of choices) {
      if (typeof choice === 'string') {
        add(5, choice);
      }
    }
  }
  if (depth < maxDepth) {
    readParameters(schema, add, depth + 1);
    if (isJsonObject(items)) {
      readParameter(items, add, depth + 1);
    }
  }
}

function clip(text: string, length: number): string {
  return text.length > length ? text.slice(0, length) : text;
}
