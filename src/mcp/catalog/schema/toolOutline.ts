/** Tools in few words for a model that looks for one. */
import { asList, asObject, isJsonObject, type JsonObject } from '../../../base/json.js';

export interface OutlinedTool {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
}

export interface OutlineLimits {
  /** Characters of the description. */
  readonly description: number;
  /** Characters of each parameter's description. */
  readonly parameter: number;
  /** Parameters that are described; of the others only the names are given. */
  readonly parameters: number;
}

/** For a list of hits. */
export const briefLimits: OutlineLimits = { description: 140, parameter: 60, parameters: 6 };
/** For one tool that was asked for. */
export const fullLimits: OutlineLimits = { description: 4_000, parameter: 600, parameters: 100 };

/** Name, description and parameters; required ones first. */
export function outlineTool(tool: OutlinedTool, limits: OutlineLimits): string {
  const lines = outlineParameters(tool.schema, limits);
  const head = `${tool.name}: ${clip(tool.description, limits.description)}`;
  return [head, ...lines.map((line) => `  ${line}`)].join('\n');
}

function outlineParameters(schema: JsonObject, limits: OutlineLimits): readonly string[] {
  const properties = isJsonObject(schema.properties) ? Object.entries(schema.properties) : [];
  const required = new Set(asList(schema.required));
  const sorted = [
    ...properties.filter(([name]) => required.has(name)),
    ...properties.filter(([name]) => !required.has(name)),
  ];
  const lines = sorted
    .slice(0, limits.parameters)
    .map(([name, value]) => outlineParameter(name, value, required.has(name), limits.parameter));
  const others = sorted.slice(limits.parameters).map(([name]) => name);
  return others.length > 0 ? [...lines, `also: ${others.join(', ')}`] : lines;
}

function outlineParameter(
  name: string,
  schema: unknown,
  isRequired: boolean,
  length: number,
): string {
  const { type, enum: choices, description } = asObject(schema);
  const kind = Array.isArray(choices) ? clip(choices.join('|'), length) : typeName(type);
  const facts = [kind, isRequired ? 'required' : ''].filter((fact) => fact !== '').join(', ');
  const text = typeof description === 'string' ? `: ${clip(description, length)}` : '';
  return `${name}${facts ? ` (${facts})` : ''}${text}`;
}

function typeName(type: unknown): string {
  return [type]
    .flat()
    .filter((name) => typeof name === 'string')
    .join('|');
}

/** On one line, cut at a word. */
export function clip(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= length) {
    return line;
  }
  const cut = line.lastIndexOf(' ', length);
  return `${line.slice(0, cut > length / 2 ? cut : length)}…`;
}
