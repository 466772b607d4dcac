/** Which tools a provider refuses a request for. Providers word refusals as they like; nothing is guessed. */
import { asObject, asString, parseJson } from '../../base/json.js';
import { shownDetail } from '../transcript/modelFailure.js';

/** Of the request, not of the account, the load or the model. */
const refusal = /\b(400|422)\b|invalid_request_error|INVALID_ARGUMENT|ValidationException/;

/** A place in the list of tools, as each provider writes it; Google's list stands in another one. */
const places = [
  /\bfunction_declarations\[(\d+)\]/g,
  /\btools\[(\d+)\](?!\.function_declarations)/g,
  /\btools[./](\d+)[./:]/g,
];

/** A name where only the definition of a tool can be meant. */
const definitions = [
  /\bschema for function ['"`]([\w.-]+)['"`]/g,
  /['"`]([\w.-]+)['"`] functionDeclaration\b/g,
  /\b(?:definition|schema|parameters) (?:of|for) (?:tool|function) ['"`]([\w.-]+)['"`]/g,
  /\b(?:tool|function) ['"`]([\w.-]+)['"`][^.]{0,40}\b(?:schema|parameters|definition)\b/g,
];

/**
 * @param message what the provider said
 * @param sent names of the tools of the request, in their order
 * @returns names of tools that were sent
 */
export function refusedTools(message: string, sent: readonly string[]): readonly string[] {
  if (!refusal.test(message)) {
    return [];
  }
  // text in JSON in JSON
  const plain = message.replace(/\\+"/g, '"');
  const named = definitions
    .flatMap((pattern) => [...plain.matchAll(pattern)])
    .flatMap(([, name = '']) => (sent.includes(name) ? [name] : []));
  const placed = places
    .flatMap((pattern) => [...plain.matchAll(pattern)])
    .flatMap(([, index]) => sent[Number(index)] ?? []);
  return [...new Set(named.length > 0 ? named : placed)];
}

const tooLong =
  /\bdescription['"`]?\b.{0,80}?(?:maximum length|at most|no longer than|longer than)\s+(\d{2,5})\b/i;

/** Characters that descriptions may have, when the provider refuses a request for a longer one. */
export function descriptionLimit(message: string): number | undefined {
  const limit = refusal.test(message) ? tooLong.exec(message)?.[1] : undefined;
  return limit === undefined ? undefined : Number(limit);
}

/** Names of the tools of a request, as any provider has them in its body. */
export function sentTools(body: unknown): readonly string[] {
  const { tools, config, toolConfig } = asObject(body);
  const lists = [tools, asObject(config).tools, asObject(toolConfig).tools].filter(Array.isArray);
  return lists.flat().flatMap((tool: unknown) => {
    const { name, function: chat, toolSpec, functionDeclarations } = asObject(tool);
    return Array.isArray(functionDeclarations)
      ? functionDeclarations.map((one) => String(asObject(one).name))
      : [String(name ?? asObject(chat).name ?? asObject(toolSpec).name)];
  });
}

/** The sentence in the answer of a provider, which may be JSON behind a status. */
export function refusalText(message: string): string {
  const inner = /"message"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(message)?.[1];
  return shownDetail(asString(parseJson(inner ?? '')) ?? inner ?? message);
}
