import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { McpTool } from '../../src/mcp/mcpTypes.js';
import { capturedServers } from '../fixtures/tools/servers.mjs';

export interface CapturedServer {
  readonly name: string;
  readonly tools: readonly McpTool[];
  readonly purpose?: string | undefined;
}

/** What ten public servers listed when `npm run capture:tools` ran. */
export function readCapturedServers(): readonly CapturedServer[] {
  return capturedServers.map(({ name }) => {
    const path = resolve('test/fixtures/tools', `${name}.json`);
    const { tools } = JSON.parse(readFileSync(path, 'utf8')) as { tools: McpTool[] };
    return { name, tools };
  });
}

/** Their tools, ready to be searched. */
export function searchableTools(servers: readonly CapturedServer[]) {
  return servers.flatMap(({ name: server, purpose, tools }) =>
    tools.map((tool) => ({
      ...tool,
      name: `${server}__${tool.name}`,
      server,
      purpose,
      tool: tool.name,
      title: tool.title ?? tool.annotations?.title,
    })),
  );
}
