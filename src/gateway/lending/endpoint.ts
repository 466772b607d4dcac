/** What one address of the gateway answers, whatever wire a request comes on. */
import { linkSignals } from '../../base/async/cancellation.js';
import { DisposableStore } from '../../base/disposable.js';
import { messageWithRemedy } from '../../base/errors.js';
import { asObject, asString, isJsonObject, type JsonObject, readEntries } from '../../base/json.js';
import { rpcCode } from '../../base/jsonRpc.js';
import { isServerLogLevel } from '../../mcp/connection/session/serverLog.js';
import type { McpCallOptions, McpServer } from '../../mcp/mcpApi.js';
import { refreshSoon } from '../../mcp/server/listRefresh.js';
import { traceContext } from '../../mcp/traceContext.js';
import type { Caller } from './lentCalls.js';
import { isCatalogKnown, type LentServers, noList } from './lentServers.js';
import { LentNames, type LentTool } from './lentTools.js';
import { LogRelay } from './logRelay.js';
import { resourceOwner } from './resourceOwner.js';
import { invalidParams, RpcError, toRpcError } from './rpcError.js';
import { ToolCalls, type ToolCallsOptions } from './toolCalls.js';
import { contentsItem, promptItem, resourceItem, templateItem, toolItem } from './wireItems.js';

export interface EndpointOptions extends ToolCallsOptions {
  readonly lent: LentServers;
  /** The only server, under its own names. Default: all. */
  readonly only?: string | undefined;
}

/** Milliseconds that a list waits for servers of which nothing is known yet. */
const listWaitMs = 10_000;
/** And for those whose lists are good no more. */
const refreshWaitMs = 2_000;
const maxInstructions = 2048;
const none: JsonObject = {};

type Method = (params: JsonObject, caller: Caller) => Promise<JsonObject> | JsonObject;

export class Endpoint {
  readonly names: LentNames;
  readonly logs: LogRelay;
  private readonly calls: ToolCalls;
  private readonly methods: ReadonlyMap<string, Method> = new Map<string, Method>([
    ['tools/list', (_params, caller) => this.listTools(caller)],
    ['tools/call', (params, caller) => this.callTool(params, caller)],
    ['resources/list', (_params, caller) => this.listResources(caller)],
    ['resources/templates/list', (_params, caller) => this.listTemplates(caller)],
    ['resources/read', (params, caller) => this.readResource(params, caller)],
    ['resources/subscribe', (params, caller) => this.subscribe(params, caller)],
    ['resources/unsubscribe', (params, caller) => this.unsubscribe(params, caller)],
    ['prompts/list', (_params, caller) => this.listPrompts(caller)],
    ['prompts/get', (params, caller) => this.getPrompt(params, caller)],
    ['completion/complete', (params, caller) => this.complete(params, caller)],
    ['logging/setLevel', (params, caller) => this.setLogLevel(params, caller)],
  ]);

  constructor(private readonly options: EndpointOptions) {
    const isPlain = options.only !== undefined;
    this.names = new LentNames(options.lent, isPlain);
    this.calls = new ToolCalls(options);
    this.logs = new LogRelay(() => this.currentServers(), isPlain);
  }

  get title(): string {
    const { only } = this.options;
    return only === undefined ? 'Pi MCP' : `Pi MCP: ${only}`;
  }

  /** What the servers say about their use, as far as it is known. */
  get instructions(): string | undefined {
    const texts = this.currentServers().flatMap(({ definition, catalog }) => {
      const text = catalog.value.instructions?.slice(0, maxInstructions);
      return text ? [`# ${definition.name}\n\n${text}`] : [];
    });
    return texts.length === 0 ? undefined : texts.join('\n\n');
  }

  /** The same objects as long as nothing has changed, list by list. */
  get basis(): Readonly<Record<'tools' | 'resources' | 'prompts', readonly unknown[]>> {
    const servers = this.currentServers();
    const of = (lists: (server: McpServer) => readonly unknown[]) =>
      servers.flatMap((server) => [server.id, ...lists(server)]);
    return {
      tools: [...this.names.toolsOf(servers)].flatMap(([name, { tool }]) => [name, tool]),
      resources: of(({ catalog }) => [catalog.value.resources, catalog.value.resourceTemplates]),
      prompts: of(({ catalog }) => [catalog.value.prompts]),
    };
  }

  has(method: string): boolean {
    return this.methods.has(method);
  }

  /** @throws {RpcError} */
  async answer(method: string, params: unknown, caller: Caller): Promise<JsonObject> {
    const handle = this.methods.get(method);
    if (!handle) {
      throw new RpcError(rpcCode.methodNotFound, 'Method not found');
    }
    try {
      const given = asObject(params);
      return await handle(given, { ...caller, meta: traceContext(given._meta) });
    } catch (error) {
      throw toRpcError(error);
    }
  }

  /** Whatever of them is not there, for what is only to be told. */
  private currentServers(): readonly McpServer[] {
    const { lent, only } = this.options;
    return lent.all.filter(({ definition }) => only === undefined || definition.name === only);
  }

  /** @throws {HumanError} when the only server may not be used. */
  private servers(): readonly McpServer[] {
    const { lent, only } = this.options;
    return only === undefined ? lent.all : [lent.get(only)];
  }

  /**
   * What is known is listed at once; servers of which nothing is known are asked first.
   * @throws {HumanError} when there are servers and nothing is known of any.
   */
  private async listed(caller: Caller): Promise<readonly McpServer[]> {
    const servers = this.servers();
    const unknown = servers.filter((server) => !isCatalogKnown(server));
    if (unknown.length > 0) {
      const reasons = await connectThem(unknown, caller.signal);
      if (!servers.some(isCatalogKnown)) {
        throw noList(reasons);
      }
    }
    return servers;
  }

  /** As {@link listed}, of lists that are good no more once they were read again, if that is soon. */
  private async fresh(caller: Caller): Promise<readonly McpServer[]> {
    const servers = await this.listed(caller);
    await refreshSoon(servers, refreshWaitMs, caller.signal);
    caller.signal.throwIfAborted();
    return servers;
  }

  private async listTools(caller: Caller): Promise<JsonObject> {
    const tools = this.names.toolsOf(await this.fresh(caller));
    return { tools: [...tools.values()].map(({ name, tool }) => toolItem(name, tool)) };
  }

  private async callTool(params: JsonObject, caller: Caller): Promise<JsonObject> {
    const name = textOf(params, 'name');
    const args = params.arguments ?? none;
    if (!isJsonObject(args)) {
      throw invalidParams('The arguments are not an object.');
    }
    const found = this.knownTool(name) ?? (await this.findTool(name, caller));
    return this.calls.call(found, args, caller);
  }

  private knownTool(name: string): LentTool | undefined {
    return this.names.toolsOf(this.servers()).get(name);
  }

  /** A client may call what another list than the present one has told it. */
  private async findTool(name: string, caller: Caller): Promise<LentTool> {
    const tool = this.names.toolsOf(await this.listed(caller)).get(name);
    if (!tool) {
      throw invalidParams(`Unknown tool: ${name}`);
    }
    return tool;
  }

  private async listResources(caller: Caller): Promise<JsonObject> {
    const servers = await this.fresh(caller);
    return {
      resources: servers.flatMap(({ catalog }) => catalog.value.resources.map(resourceItem)),
    };
  }

  private async listTemplates(caller: Caller): Promise<JsonObject> {
    const servers = await this.fresh(caller);
    return {
      resourceTemplates: servers.flatMap(({ catalog }) =>
        catalog.value.resourceTemplates.map(templateItem),
      ),
    };
  }

  private async readResource(params: JsonObject, caller: Caller): Promise<JsonObject> {
    const uri = textOf(params, 'uri');
    const server = resourceOwner(await this.listed(caller), uri);
    const contents = await server.readResource(uri, boundTo(caller));
    return { contents: contents.map(contentsItem) };
  }

  private async subscribe(params: JsonObject, caller: Caller): Promise<JsonObject> {
    const uri = textOf(params, 'uri');
    const { subscriptions } = caller;
    if (!subscriptions) {
      throw new RpcError(rpcCode.methodNotFound, 'Method not found');
    }
    const server = resourceOwner(await this.listed(caller), uri);
    await server.ensureConnected(caller.signal);
    subscriptions.add(uri, () => {
      const store = new DisposableStore();
      store.add(server.hold('gateway'));
      store.add(server.watchResource(uri, () => subscriptions.updated(uri)));
      return store;
    });
    return none;
  }

  private unsubscribe(params: JsonObject, { subscriptions }: Caller): JsonObject {
    subscriptions?.delete(textOf(params, 'uri'));
    return none;
  }

  private setLogLevel({ level }: JsonObject, { subscriptions, origin }: Caller): JsonObject {
    if (!isServerLogLevel(level)) {
      throw invalidParams('There is no such level.');
    }
    subscriptions?.listen(() =>
      this.logs.add({
        level,
        client: origin?.client,
        send: (message) => subscriptions.logged(message),
      }),
    );
    return none;
  }

  private async listPrompts(caller: Caller): Promise<JsonObject> {
    const prompts = this.names.promptsOf(await this.fresh(caller));
    return { prompts: [...prompts.values()].map(({ name, prompt }) => promptItem(name, prompt)) };
  }

  private async getPrompt(params: JsonObject, caller: Caller): Promise<JsonObject> {
    const name = textOf(params, 'name');
    const found = this.names.promptsOf(await this.listed(caller)).get(name);
    if (!found) {
      throw invalidParams(`Unknown prompt: ${name}`);
    }
    const { server, prompt } = found;
    const args = readEntries(params.arguments, asString);
    return { ...(await server.getPrompt(prompt.name, args, boundTo(caller))) };
  }

  private async complete(params: JsonObject, caller: Caller): Promise<JsonObject> {
    const { ref, argument, context } = params;
    if (!isJsonObject(ref) || !isJsonObject(argument)) {
      throw invalidParams('"ref" and "argument" are needed.');
    }
    const servers = await this.listed(caller);
    const about = { name: textOf(argument, 'name'), value: textOf(argument, 'value') };
    const others = readEntries(asObject(context).arguments, asString);
    const bound = boundTo(caller);
    if (ref.type === 'ref/prompt') {
      const found = this.names.promptsOf(servers).get(textOf(ref, 'name'));
      if (!found) {
        throw invalidParams('Unknown prompt.');
      }
      const reference = { kind: 'prompt', name: found.prompt.name } as const;
      return completion(await found.server.complete(reference, about, others, bound));
    }
    const uriTemplate = textOf(ref, 'uri');
    const server = resourceOwner(servers, uriTemplate);
    const reference = { kind: 'resource', uriTemplate } as const;
    return completion(await server.complete(reference, about, others, bound));
  }
}

function boundTo({ signal, origin, meta }: Caller): McpCallOptions {
  return { signal, origin, meta };
}

function completion(values: readonly string[]): JsonObject {
  return { completion: { values, total: values.length, hasMore: false } };
}

/** @returns why those that could not be connected could not; the others may still be on their way. */
async function connectThem(
  servers: readonly McpServer[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const either = linkSignals(signal, AbortSignal.timeout(listWaitMs));
  try {
    const reasons = await Promise.all(
      servers.map((server) =>
        server.ensureConnected(either.signal).then(
          () => undefined,
          (error: unknown) => `${server.definition.name}: ${messageWithRemedy(error)}`,
        ),
      ),
    );
    signal.throwIfAborted();
    return reasons.filter((reason) => reason !== undefined);
  } finally {
    either.dispose();
  }
}

function textOf(params: JsonObject, name: string): string {
  const value = params[name];
  if (typeof value !== 'string') {
    throw invalidParams(`"${name}" is needed, as a text.`);
  }
  return value;
}
