/** Which texts of a tool are searched, and how much each counts. */
import { isJsonObject, type JsonObject } from '../../../../base/json.js';
import type { McpCatalog, McpTool } from '../../../mcpTypes.js';

export interface SearchableTool {
  /** What the model calls. */
  readonly name: string;
  readonly server: string;
  /** What its server says of itself. */
  readonly purpose?: string | undefined;
  /** What the server calls. */
  readonly tool: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: JsonObject;
}

/** Older servers give the title among the annotations. */
export function toolTitle({ title, annotations }: McpTool): string | undefined {
  return title ?? annotations?.title;
}

export function purposeOf({ serverInfo, instructions }: McpCatalog): string | undefined {
  const texts = [serverInfo?.title, instructions].filter((text) => text !== undefined);
  return texts.length > 0 ? texts.join('. ') : undefined;
}

/** A kind of text: one occurrence of a word counts `weight`, less in a long text, by a share of `dilution` (0 to 1). */
interface Field {
  readonly weight: number;
  readonly dilution: number;
  /** A word counts once, however often it occurs. */
  readonly isSet?: true;
}

export const nameField = 0;
const serverField = 2;

/** Name, title, server, description, names of parameters, their descriptions, purpose of the server. */
export const fields: readonly Field[] = [
  { weight: 3.5, dilution: 0.3, isSet: true },
  { weight: 4.3, dilution: 0.2, isSet: true },
  { weight: 2.7, dilution: 0, isSet: true },
  { weight: 2, dilution: 0.6 },
  { weight: 0.8, dilution: 0.3 },
  { weight: 0.3, dilution: 0.9 },
  { weight: 0.3, dilution: 0.8, isSet: true },
];

/** Characters; what follows explains rather than says what the tool is for. */
const maxDescription = 700;
const maxParameterDescription = 200;
const maxPurpose = 300;
const maxDepth = 3;

/** @param length what follows is not read */
export type AddText = (field: number, text: string, length: number) => void;

export function readToolText(tool: SearchableTool, add: AddText): void {
  add(nameField, tool.tool, tool.tool.length);
  if (tool.title) {
    add(1, tool.title, tool.title.length);
  }
  add(serverField, tool.server, tool.server.length);
  if (tool.description) {
    add(3, tool.description, maxDescription);
  }
  readParameters(tool.inputSchema, add, 0);
  if (tool.purpose) {
    add(6, tool.purpose, maxPurpose);
  }
}

function readParameters(schema: JsonObject, add: AddText, depth: number): void {
  const { properties } = schema;
  if (isJsonObject(properties)) {
    for (const name in properties) {
      add(4, name, name.length);
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
    add(5, description, maxParameterDescription);
  }
  if (Array.isArray(choices)) {
    for (const choice of choices) {
      if (typeof choice === 'string') {
        add(5, choice, choice.length);
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
