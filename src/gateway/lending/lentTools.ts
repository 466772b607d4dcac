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

type Items = (server: McpServer) => readonly unknown[];

const toolsIn: Items = ({ catalog }) => catalog.value.tools;
const promptsIn: Items = ({ catalog }) => catalog.value.prompts;

/** As long as these servers have these same objects, it is the same list. */
interface Listing<T> {
  readonly ids: readonly McpServerId[];
  readonly items: readonly (readonly unknown[])[];
  readonly byName: ReadonlyMap<string, T>;
}

/** Names are made once for each state of the catalogues. */
export class LentNames {
  private tools: Listing<LentTool> | undefined;
  private prompts: Listing<LentPrompt> | undefined;

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
    if (!this.tools || !isMadeFrom(this.tools, servers, toolsIn)) {
      this.tools = listing(servers, toolsIn, this.nameTools(servers));
    }
    return this.tools.byName;
  }

  promptsOf(servers: readonly McpServer[]): ReadonlyMap<string, LentPrompt> {
    if (!this.prompts || !isMadeFrom(this.prompts, servers, promptsIn)) {
      this.prompts = listing(servers, promptsIn, this.namePrompts(servers));
    }
    return this.prompts.byName;
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

  private namePrompts(servers: readonly McpServer[]): ReadonlyMap<string, LentPrompt> {
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

function listing<T>(
  servers: readonly McpServer[],
  itemsIn: Items,
  byName: ReadonlyMap<string, T>,
): Listing<T> {
  return { ids: servers.map(({ id }) => id), items: servers.map(itemsIn), byName };
}

/** Every call asks. */
function isMadeFrom(
  { ids, items }: Listing<unknown>,
  servers: readonly McpServer[],
  itemsIn: Items,
): boolean {
  const isSame = (server: McpServer, index: number) =>
    server.id === ids[index] && itemsIn(server) === items[index];
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
