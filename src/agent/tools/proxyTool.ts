/** The `mcp` tool: one gateway to every tool of the servers whose exposure is `proxy`. Its texts are for the model. */
import { messageWithRemedy } from '../../base/errors.js';
import { asObject, type JsonObject, parseJson } from '../../base/json.js';
import { nameToken, quotedName } from '../../base/text/nameToken.js';
import { briefLimits, fullLimits, outlineTool } from '../../mcp/catalog/schema/toolOutline.js';
import { CurrentIndex } from '../../mcp/catalog/search/currentIndex.js';
import { findByName, selectTools } from '../../mcp/catalog/search/selectTools.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import type { PiTool, PiToolResult } from '../pi/piModule.js';
import {
  type BridgedTool,
  createToolCall,
  outlined,
  type ToolCall,
  textResult,
} from './bridgedTool.js';

export const proxyToolName = 'mcp';

const pageLength = 12;

export interface ProxyToolOptions {
  /** Every tool that may be called; the same array while nothing changed. */
  readonly tools: () => readonly BridgedTool[];
  readonly servers: () => readonly McpServer[];
  /** The tool that was approved for a call; `undefined` when none was found then. */
  readonly targetOf: (toolCallId: string) => BridgedTool | undefined;
  readonly waitForConsent: (server: McpServer, call: ToolCall) => Promise<void>;
}

interface ProxyArguments {
  readonly tool?: string;
  readonly args?: unknown;
  readonly connect?: string;
  readonly describe?: string;
  readonly search?: string;
  readonly server?: string;
}

export class ProxyTool {
  private readonly index: CurrentIndex<BridgedTool>;

  constructor(private readonly options: ProxyToolOptions) {
    this.index = new CurrentIndex(options.tools);
  }

  readonly definition: PiTool = {
    name: proxyToolName,
    label: 'mcp',
    description:
      "Gateway to the user's MCP servers. {} shows the servers, {server} lists its tools, {search} finds tools, {describe} explains one, {connect} connects a server, {tool, args} calls a tool. Describe a tool before its first call.",
    parameters: {
      type: 'object',
      properties: {
        tool: { type: 'string', description: 'Tool to call' },
        args: { type: 'object', description: 'Arguments of the tool' },
        connect: { type: 'string', description: 'Server to connect' },
        describe: { type: 'string', description: 'Tool to explain' },
        search: { type: 'string', description: 'What you want to do' },
        server: {
          type: 'string',
          description: 'Server to list; with search, the only one searched',
        },
      },
    } as unknown as PiTool['parameters'],
    prepareArguments: (args) => withParsedArgs(args) as never,
    execute: async (id, args, signal, onUpdate) => {
      const request = args as ProxyArguments;
      const wanted = asObject(request.args);
      const call = createToolCall(id, wanted, signal, onUpdate);
      return request.tool === undefined
        ? textResult(await this.answer(request, call))
        : await this.call(request.tool, call);
    },
  };

  /** The tool that a call of the gateway means. */
  findTarget(name: string): BridgedTool | undefined {
    return findByName(this.options.tools(), name);
  }

  private async call(name: string, call: ToolCall): Promise<PiToolResult> {
    const target = this.options.targetOf(call.id);
    if (!target) {
      throw new Error(await this.unknownTool(name));
    }
    return await target.run(call);
  }

  private async answer(request: ProxyArguments, call: ToolCall): Promise<string> {
    const { connect, describe, search, server } = request;
    if (connect !== undefined) {
      return await this.connect(connect, call);
    }
    if (describe !== undefined) {
      const tool = this.findTarget(describe);
      return tool ? outlineTool(outlined(tool), fullLimits) : await this.unknownTool(describe);
    }
    if (search !== undefined) {
      return await this.search(search, server);
    }
    return server === undefined ? this.status() : this.list(server);
  }

  private async connect(name: string, call: ToolCall): Promise<string> {
    const server = this.server(name);
    if (!server) {
      return this.unknownServer(name);
    }
    const { signal } = call;
    try {
      await this.options.waitForConsent(server, call);
      await (server.state.value.kind === 'connected'
        ? server.readTools(signal)
        : server.ensureConnected(signal));
    } catch (error) {
      signal?.throwIfAborted();
      return messageWithRemedy(error);
    }
    return this.list(name);
  }

  private async search(query: string, server: string | undefined): Promise<string> {
    const { hits } = selectTools(this.index.get(), query, pageLength / 2, server);
    const found = hits.slice(0, pageLength / 2).map(({ tool }) => tool);
    return found.length > 0
      ? found.map((tool) => outlineTool(outlined(tool), briefLimits)).join('\n')
      : 'No tool matches. Try other words, or list a server.';
  }

  private list(name: string): string {
    const server = this.server(name);
    if (!server) {
      return this.unknownServer(name);
    }
    const tools = this.options.tools().filter((tool) => tool.serverId === server.id);
    const lines = tools.map((tool) => {
      const limits = { ...briefLimits, description: 80 };
      return outlineTool({ ...outlined(tool), schema: {} }, limits);
    });
    return lines.length > 0
      ? lines.join('\n')
      : `Connect it first, it has no tools: server ${nameToken(name)}`;
  }

  private status(): string {
    const tools = this.options.tools();
    const lines = this.options.servers().map(({ id, definition, state }) => {
      const count = tools.filter((tool) => tool.serverId === id).length;
      return `${quotedName(definition.name)}: ${state.value.kind}, ${count} tools`;
    });
    return lines.join('\n') || 'There are no servers.';
  }

  private server(name: string): McpServer | undefined {
    const servers = this.options.servers();
    return (
      servers.find(({ definition }) => definition.name === name) ??
      servers.find(({ definition }) => nameToken(definition.name) === name)
    );
  }

  private unknownServer(name: string): string {
    return `There is no such server: ${nameToken(name)}\n${this.status()}`;
  }

  private async unknownTool(name: string): Promise<string> {
    const near = await this.search(name.replaceAll('_', ' '), undefined);
    return `There is no tool ${quotedName(name)}. Nearest:\n${near}`;
  }
}

/** Models often send `args` as JSON text. */
function withParsedArgs(value: unknown): JsonObject {
  const request = asObject(value);
  if (typeof request.args !== 'string') {
    return request;
  }
  const args = parseJson(request.args || '{}');
  // the validator says what is wrong with what is no JSON
  return args === undefined ? request : { ...request, args };
}
