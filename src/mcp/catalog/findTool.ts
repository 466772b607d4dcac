import type { McpTool } from '../mcpTypes.js';

type Tools = readonly McpTool[];

const indexes = new WeakMap<Tools, ReadonlyMap</* name */ string, McpTool>>();

/** The first tool of that name, in the same time however many there are. The list must not change. */
export function findTool(tools: Tools, name: string): McpTool | undefined {
  let index = indexes.get(tools);
  if (!index) {
    index = new Map(tools.map((tool) => [tool.name, tool] as const).reverse());
    indexes.set(tools, index);
  }
  return index.get(name);
}
