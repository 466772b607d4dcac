/** Whether arguments fit the schema of a tool, judged as everything else of servers is: in bounded time. */
import type { JsonObject } from '../../base/json.js';
import { compilePattern } from '../../mcp/validation/patterns.js';
import { checkSchema } from '../../mcp/validation/schemaCheck.js';
import type { ArgumentProblem } from '../../protocol/tools/runTool.js';

/** `undefined` when they do, and when nobody can tell: then the server decides. */
export async function checkArguments(
  schema: JsonObject,
  args: JsonObject,
): Promise<ArgumentProblem | undefined> {
  const verdict = checkSchema(schema, args, compilePattern);
  return verdict.kind === 'mismatch' ? { message: verdict.detail, at: verdict.at } : undefined;
}
