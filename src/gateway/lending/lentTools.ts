/** The tools and prompts of an address of the gateway, under the names that its clients use. */
import type { McpServerId } from '../../config/definition.js';
import { findTool } from '../../mcp/catalog/findTool.js';
import { nameTools } from '../../mcp/catalog/toolNames.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import type { McpPrompt, McpTool } from '../../mcp/mcpTypes.js';
import type { LentServers } from './lentServers.js';

export interface LentTool {
  readonly name: string;
  readonly server: McpServer;
  readonly tool: McpTool;
}

export interface LentPrompt {
  readonly name: string;
  readonly server: McpServer;
  readonly prompt: McpPrompt;
}

/** As long as these servers have these same lists, it is the same. */
interface Listing {
  readonly ids: readonly McpServerId[];
  readonly lists: readonly (readonly McpTool[])[];
  readonly byName: ReadonlyMap<string, LentTool>;
}

/** Names of tools are made once for each state of the catalogues. */
export class LentNames {
  private tools: Listing | undefined;

  /** @param isPlain under the names of the server itself */
  constructor(
    private readonly lent: LentServers,
    private readonly isPlain: boolean,
  ) {}

  /** The rules have changed. */
  forget(): void {
    this.tools = undefined;
  }

  toolsOf(servers: readonly McpServer[]): ReadonlyMap<string, LentTool> {
    if (!this.tools || !isMadeFrom(this.tools, servers)) {
      const ids = servers.map(({ id }) => id);
      this.tools = { ids, lists: servers.map(listIn), byName: this.nameTools(servers) };
    }
    return this.tools.byName;
  }

  private nameTools(servers: readonly McpServer[]): ReadonlyMap<string, LentTool> {
    const byId = new Map(servers.map((server) => [server.id, server]));
    const described = servers.map((server) => ({
      id: server.id,
      name: server.definition.name,
      prefix: server.definition.options.toolPrefix,
      tools: server.catalog.value.tools.filter(({ name }) => this.lent.isToolLent(server, name)),
    }));
    const named = this.isPlain
      ? described.flatMap(({ id, tools }) =>
          tools.map(({ name }) => ({ name, serverId: id, tool: name })),
        )
      : nameTools(described);
    const found = named.flatMap(({ name, serverId, tool: own }) => {
      const server = byId.get(serverId);
      const tool = server && findTool(server.catalog.value.tools, own);
      return server && tool ? [[name, { name, server, tool }] as const] : [];
    });
    return firstOfEach(found);
  }

  promptsOf(servers: readonly McpServer[]): ReadonlyMap<string, LentPrompt> {
    const all = servers.flatMap((server) =>
      server.catalog.value.prompts.map((prompt) => {
        const { name } = prompt;
        const lentName = this.isPlain ? name : `${server.definition.name}__${name}`;
        return [lentName, { name: lentName, server, prompt }] as const;
      }),
    );
    return firstOfEach(all);
  }
}

function listIn({ catalog }: McpServer): readonly McpTool[] {
  return catalog.value.tools;
}

/** Every call asks. */
function isMadeFrom({ ids, lists }: Listing, servers: readonly McpServer[]): boolean {
  const isSame = (server: McpServer, index: number) =>
    server.id === ids[index] && listIn(server) === lists[index];
  return servers.length === ids.length && servers.every(isSame);
}

/** In their order; of two of the same name the first one counts. */
function firstOfEach<T>(entries: readonly (readonly [string, T])[]): ReadonlyMap<string, T> {
  const map = new Map<string, T>();
  for (const [name, value] of entries) {
    if (!map.has(name)) {
      map.set(name, value);
    }
  }
  return map;
}
