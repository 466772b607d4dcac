import { type JsonObject, mapTexts } from '../../base/json.js';
import type { McpServerDefinition } from '../../config/definition.js';
import { createMask, maskDocument } from '../../config/secrets/secretMask.js';
import { overrideFor } from '../../config/toolOverrides.js';
import type { McpConnection } from '../connection/mcpConnection.js';
import type { McpToolResult } from '../mcpTypes.js';

/** What the entry fixes for each call of a tool. */
export interface FixedArguments {
  /** Whoever calls, these values win; the secrets among them are masked in all that the connection says. */
  fill(args: JsonObject, connection: Pick<McpConnection, 'conceal'>): JsonObject;
  /** A server may repeat what it was given. */
  mask(result: McpToolResult): McpToolResult;
}

const none: FixedArguments = { fill: (args) => args, mask: (result) => result };

/**
 * @param open asked only where there is something to resolve, since only what may run may read variables
 * @throws {HumanError} where a variable has no value
 */
export async function fixedArguments(
  { options }: McpServerDefinition,
  tool: string,
  open: () => Promise<Pick<McpConnection, 'resolveTexts'>>,
  signal?: AbortSignal,
): Promise<FixedArguments> {
  const written = overrideFor(options.toolOverrides, tool)?.arguments;
  if (!written) {
    return none;
  }
  const connection = await open();
  const places: { readonly field: string; readonly text: string }[] = [];
  mapTexts(written, (text, name) => {
    places.push({ field: `arguments.${name}`, text });
    return text;
  });
  const { texts, secrets } = await connection.resolveTexts(places, signal);
  const left = [...texts];
  const fixed = mapTexts(written, () => left.shift() ?? '') as JsonObject;
  return {
    fill: (args, using) => {
      using.conceal(secrets);
      return { ...args, ...fixed };
    },
    mask: (result) =>
      secrets.length > 0 ? (maskDocument(result, createMask(secrets)) as McpToolResult) : result,
  };
}
