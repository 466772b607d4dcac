/** Checks of what the page sends, which is less trusted than the extension, and of arguments against the schema of a tool. */
import type { JsonObject } from '../../base/json.js';
import { isDeeperThan, isJsonObject } from '../../base/json.js';
import { compilePattern } from '../../mcp/validation/patterns.js';
import { checkSchema } from '../../mcp/validation/schemaCheck.js';
import type { ArgumentProblem, RunParams } from '../../protocol/tools/runTool.js';
import { booleanParam, objectParam } from '../params.js';

/** Levels of arguments; what walks them is recursive. */
const maxDepth = 200;
const maxTimeoutMs = 24 * 60 * 60 * 1000;

/** @throws when they are no object, or nested too deep. */
export function argumentsParam(params: unknown, field = 'args'): JsonObject {
  const value = objectParam(params)[field];
  if (!isJsonObject(value) || isDeeperThan(value, maxDepth)) {
    throw new Error(`Invalid message: "${field}" must be an object`);
  }
  return value;
}

/** @throws when a part has another type. */
export function runParams(params: unknown): RunParams {
  const { meta, timeoutMs, asTask } = objectParam(params);
  const isTime = typeof timeoutMs === 'number' && timeoutMs >= 1 && timeoutMs <= maxTimeoutMs;
  if (timeoutMs !== undefined && !isTime) {
    throw new Error('Invalid message: "timeoutMs" must be milliseconds');
  }
  return {
    args: argumentsParam(params),
    meta: meta === undefined ? undefined : withoutToken(argumentsParam(params, 'meta')),
    timeoutMs: isTime ? timeoutMs : undefined,
    asTask: asTask === undefined ? undefined : booleanParam(params, 'asTask'),
  };
}

/** Progress under another token would not be heard. */
function withoutToken({ progressToken: _, ...meta }: JsonObject): JsonObject {
  return meta;
}

/** Judged as everything else of servers is, in bounded time. `undefined` when they fit, and when nobody can tell: then the server decides. */
export async function checkArguments(
  schema: JsonObject,
  args: JsonObject,
): Promise<ArgumentProblem | undefined> {
  const verdict = checkSchema(schema, args, compilePattern);
  return verdict.kind === 'mismatch' ? { message: verdict.detail, at: verdict.at } : undefined;
}
