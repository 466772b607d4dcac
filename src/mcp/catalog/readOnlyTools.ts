import type { McpServer } from '../mcpApi.js';
import type { McpTool } from '../mcpTypes.js';
import { callableTools, resourceTool } from './own/resourceTool.js';
import { skillTool } from './own/skillTool.js';

/** Which tools only read, as their servers say: a claim, which may narrow what a model gets and never what is asked. */
export class ReadOnlyTools {
  private readonly known = new WeakMap<readonly McpTool[], ReadonlySet<string>>();

  has(server: McpServer, tool: string): boolean {
    const { tools } = server.catalog.value;
    const known = this.known.get(tools);
    if (known) {
      return known.has(tool);
    }
    const ours = [resourceTool(server)?.name, skillTool(server)?.name];
    const names = callableTools(server)
      .filter(({ name, annotations }) => annotations?.readOnlyHint === true || ours.includes(name))
      .map(({ name }) => name);
    const found: ReadonlySet<string> = new Set(names);
    this.known.set(tools, found);
    return found.has(tool);
  }
}
