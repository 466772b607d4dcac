/** What a user saw of a tool when allowing it, so that a silent change can be noticed and shown. */
import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject, stableStringify } from '../../base/json.js';
import type { McpTool } from '../mcpTypes.js';

export interface ToolPin {
  /** Of everything that decides what a model or a user believes about the tool. */
  readonly fingerprint: string;
  readonly definition: JsonObject;
}

export function pinTool({ title, description, inputSchema, annotations }: McpTool): ToolPin {
  const definition = { title, description, inputSchema, annotations };
  const fingerprint = createHash('sha256').update(stableStringify(definition)).digest('hex');
  return { fingerprint, definition };
}

/** Lines with `-` and `+` for what changed; `undefined` when nothing did. */
export function describeChange(before: ToolPin, after: ToolPin): string | undefined {
  return before.fingerprint === after.fingerprint
    ? undefined
    : diffLines(linesOf(before.definition), linesOf(after.definition)).join('\n');
}

export function isToolPin(value: unknown): value is ToolPin {
  return (
    isJsonObject(value) && typeof value.fingerprint === 'string' && isJsonObject(value.definition)
  );
}

function linesOf(definition: JsonObject): readonly string[] {
  const { description, ...rest } = JSON.parse(stableStringify(definition)) as JsonObject;
  const text = typeof description === 'string' ? description.split('\n') : [];
  return [...text, ...JSON.stringify(rest, undefined, 2).split('\n')];
}

/** Everything from the first to the last line that differs. */
function diffLines(before: readonly string[], after: readonly string[]): readonly string[] {
  const start = commonLength(before, after);
  const end = commonLength(before.slice(start).toReversed(), after.slice(start).toReversed());
  const old = before.slice(start, before.length - end);
  const fresh = after.slice(start, after.length - end);
  return [...old.map((line) => `- ${line}`), ...fresh.map((line) => `+ ${line}`)];
}

function commonLength(a: readonly string[], b: readonly string[]): number {
  const different = a.findIndex((line, index) => line !== b[index]);
  return different === -1 ? Math.min(a.length, b.length) : different;
}
