import { doubledName } from '../toolNames.js';
import type { SearchableTool } from './reading/toolText.js';
import type { ToolHit, ToolIndex } from './toolIndex.js';

const prefix = 'select:';

export interface ToolSelection<T> {
  /** Best first, or in the order of a `select:`, where each has the score 1. */
  readonly hits: readonly ToolHit<T>[];
  /** Names of a `select:` that no tool has. */
  readonly unknown: readonly string[];
}

/**
 * `select:a,b` picks by name, anything else is searched for.
 *
 * @param server the only one whose tools are wanted
 */
export function selectTools<T extends SearchableTool>(
  index: ToolIndex<T>,
  query: string,
  limit: number,
  server?: string,
): ToolSelection<T> {
  const text = query.trim();
  if (!text.toLowerCase().startsWith(prefix)) {
    return { hits: index.search(text, limit, server), unknown: [] };
  }
  const names = text
    .slice(prefix.length)
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  const tools =
    server === undefined ? index.tools : index.tools.filter((tool) => tool.server === server);
  const found = names.map((name) => findByName(tools, name));
  return {
    hits: [...new Set(found.flatMap((tool) => tool ?? []))].map((tool) => ({ tool, score: 1 })),
    unknown: names.filter((_, at) => found[at] === undefined),
  };
}

/**
 * By the model's name, else `server/tool`, else the server's own name when only one tool has it, else the name of an
 * earlier version; in any case.
 */
export function findByName<T extends SearchableTool>(
  tools: readonly T[],
  name: string,
): T | undefined {
  const wanted = name.toLowerCase();
  const byName = tools.find((tool) => tool.name === name);
  if (byName) {
    return byName;
  }
  for (const nameOf of [
    (tool: T) => tool.name,
    (tool: T) => `${tool.server}/${tool.tool}`,
    (tool: T) => tool.tool,
    (tool: T) => doubledName(tool.server, tool.tool),
  ]) {
    const found = tools.filter((tool) => nameOf(tool).toLowerCase() === wanted);
    if (found.length === 1) {
      return found[0];
    }
  }
  return undefined;
}
