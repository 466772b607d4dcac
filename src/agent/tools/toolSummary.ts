import type { ToolBridge } from './toolBridge.js';

/** The tools of a conversation, by whom they come from. */
export interface ToolSummary {
  readonly builtIn: readonly string[];
  /** Tools by the names that their servers gave them. */
  readonly servers: readonly { readonly name: string; readonly tools: readonly string[] }[];
  /** Some are only found by searching. */
  readonly isSearched: boolean;
}

export function summarizeTools(
  builtIn: readonly string[],
  { tools, offered }: Pick<ToolBridge, 'tools' | 'offered'>,
): ToolSummary {
  const servers = new Map<string, string[]>();
  for (const { server, tool } of tools.values()) {
    servers.set(server, [...(servers.get(server) ?? []), tool]);
  }
  const given = new Set(offered.map(({ name }) => name));
  return {
    builtIn,
    servers: [...servers].map(([name, own]) => ({ name, tools: own })),
    isSearched: [...tools.keys()].some((name) => !given.has(name)),
  };
}
