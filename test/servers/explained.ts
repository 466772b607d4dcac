/** Differences that are as they should be, with the reason. */
import type { Difference } from './compare.js';

interface Explanation {
  /** Name of the package without its version. Default: of any. */
  readonly server?: string;
  readonly what: RegExp;
  readonly raw?: RegExp;
  readonly own?: RegExp;
  readonly reason: string;
}

const explanations: readonly Explanation[] = [
  {
    what: /^prompts: arguments of /,
    raw: /^null$/,
    own: /^\[\]$/,
    reason: 'A prompt that names no arguments has an empty list of them.',
  },
  {
    what: /: description of /,
    own: /…"$/,
    reason: 'Descriptions are cut at 20,000 characters, which is said.',
  },
  {
    server: '@currents/mcp',
    what: /^tools: inputSchema of /,
    raw: /"default":"\d{4}-\d\d-\d\dT/,
    reason: 'The defaults are the time at which the server started.',
  },
  {
    server: '@modelcontextprotocol/server-everything',
    what: /^call: get-env$/,
    own: /PI_MCP_/,
    reason: 'The environment of the server has the mark by which its processes are found.',
  },
];

/** Why a difference is none to worry about; `undefined` when nobody knows. */
export function explain(server: string, { what, raw, own }: Difference): string | undefined {
  return explanations.find(
    (one) =>
      (one.server === undefined || one.server === server) &&
      one.what.test(what) &&
      (one.raw?.test(raw) ?? true) &&
      (one.own?.test(own) ?? true),
  )?.reason;
}
