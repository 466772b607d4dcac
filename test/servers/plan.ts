/** What is tried on a server: requests that change nothing, and some that must fail. */
import { isJsonObject, type JsonObject } from '../../src/base/json.js';
import type { PublicServer } from './servers.js';
import type { Action, Lists } from './side.js';

const most = 3;
const reading = /^(?:get|list|read|search|find|describe|show)(?![a-z])/i;

export function planFor(server: PublicServer, { tools, resources, prompts }: Lists): Action[] {
  const given = (server.calls ?? []).map(({ tool, args }) => call(tool, args));
  const harmless = tools.filter(isHarmless);
  const withoutArguments = harmless.filter((tool) => requiredOf(tool.inputSchema).length === 0);
  const withArguments = harmless.filter((tool) => requiredOf(tool.inputSchema).length > 0);
  const simplePrompts = prompts.filter(
    (prompt) => !(Array.isArray(prompt.arguments) && prompt.arguments.some(isRequired)),
  );
  return [
    ...given,
    ...withoutArguments.slice(0, most).map(({ name }) => call(String(name), {})),
    // the server has to complain
    ...withArguments.slice(0, 1).map(({ name }) => call(String(name), {})),
    call('no_such_tool', {}),
    ...simplePrompts
      .slice(0, most)
      .map(({ name }) => ({ kind: 'prompt', name: String(name) }) as const),
    ...resources.slice(0, most).map(({ uri }) => ({ kind: 'read', name: String(uri) }) as const),
  ];
}

function call(name: string, args: JsonObject): Action {
  return { kind: 'call', name, args };
}

/** By what the server says of itself, or by its name where it says nothing. */
function isHarmless({ name, annotations }: JsonObject): boolean {
  const hint = isJsonObject(annotations) ? annotations.readOnlyHint : undefined;
  return typeof hint === 'boolean' ? hint : reading.test(String(name));
}

function requiredOf(schema: unknown): readonly unknown[] {
  return isJsonObject(schema) && Array.isArray(schema.required) ? schema.required : [];
}

function isRequired(argument: unknown): boolean {
  return isJsonObject(argument) && argument.required === true;
}
