/** The MCP tools of one folder as Pi tools: which there are, and which of them the model is offered now. */
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import { isJsonObject } from '../../base/json.js';
import type { McpServerId } from '../../config/definition.js';
import type { SettledExposure } from '../../mcp/catalog/exposure.js';
import { ParameterHelp } from '../../mcp/catalog/schema/parameterHelp.js';
import type { ModelTool } from '../../mcp/catalog/toolCatalog.js';
import { toolKey } from '../../mcp/catalog/toolKey.js';
import { doubledName } from '../../mcp/catalog/toolNames.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import type { CallMaker } from '../../mcp/originTypes.js';
import { refreshSoon } from '../../mcp/server/listRefresh.js';
import { Pins } from '../policy/callSubject.js';
import { SetAsideTools } from '../policy/setAsideTools.js';
import type { ToolPolicy } from '../policy/toolPolicy.js';
import type { BackgroundTasks } from './backgroundTasks.js';
import { BridgedTool, type OfferedTool } from './bridgedTool.js';
import { waitForConsent } from './consentWait.js';
import { ModelTools, type ModelToolsOptions } from './modelTools.js';
import { isCallable } from './offeredServers.js';
import { ProxyTool, proxyToolName } from './proxyTool.js';
import { type ApprovedCall, ToolCaller, type ToolCallerOptions } from './toolCaller.js';
import { ToolSearch, toolSearchName } from './toolSearch.js';

export interface ToolBridgeOptions extends ModelToolsOptions, ToolCallerOptions {
  readonly policy: ToolPolicy;
  /** Calls that may go on in the background. Default: none may. */
  readonly tasks?: BackgroundTasks;
}

/** Milliseconds that a request waits for lists that are good no more. */
const refreshWaitMs = 500;

interface ApprovedTool extends ApprovedCall {
  readonly tool: BridgedTool;
}

export class ToolBridge implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changeEmitter = this.store.add(new Emitter<void>());
  private readonly modelTools: ModelTools;
  private readonly aside: SetAsideTools;
  private readonly activatedNames = new Set<string>();
  private readonly help = new ParameterHelp();
  private readonly targets = new Pins<ApprovedTool>();
  private isUpdateQueued = false;
  private servers: readonly McpServer[] = [];
  private listed: readonly ModelTool[] = [];
  private current: ReadonlyMap<string, BridgedTool> = new Map();
  private callable: readonly BridgedTool[] = [];
  private former: ReadonlyMap<string, BridgedTool> | undefined;
  private findable: readonly BridgedTool[] = [];

  private readonly search = new ToolSearch({
    findable: () => this.findable,
    activate: (tools) => this.activate(tools),
  });
  private readonly proxy = new ProxyTool({
    tools: () => this.callable,
    servers: () => this.servers,
    targetOf: (id) => this.targets.get(id)?.tool,
    waitForConsent: (server, call) => waitForConsent(this.options.service, server, call),
  });

  /** What is under way at the servers. */
  readonly caller: ToolCaller;
  /** The tools, or what the model is offered of them, changed. */
  readonly onDidChange = this.changeEmitter.event;

  constructor(private readonly options: ToolBridgeOptions) {
    const { service, policy } = options;
    this.modelTools = new ModelTools(options);
    this.aside = policy.setAside ?? this.store.add(new SetAsideTools());
    this.store.add(toDisposable(() => this.aside.forget(this)));
    this.caller = new ToolCaller(options);
    const update = () => this.queueUpdate();
    this.store.add(service.onDidChangePools(update));
    this.store.add(service.onDidChangeServer(update));
    this.store.add(service.trust.onDidChange(update));
    this.store.add(policy.budget.onDidChange(update));
    this.store.add(policy.switches.onDidChange(update));
    this.store.add(this.aside.onDidChange(() => this.announce()));
    if (options.tasks) {
      this.store.add(options.tasks.onDidChange(() => this.changeEmitter.fire()));
    }
    this.update();
  }

  /** To be called before a request of the model; waits only as long as nobody notices. Never rejects. */
  async refreshLists(): Promise<void> {
    await refreshSoon(this.servers, refreshWaitMs);
  }

  /** Every tool that may be called, by the name that the model uses. */
  get tools(): ReadonlyMap<string, BridgedTool> {
    return this.current;
  }

  /** Names that ToolSearch activated, oldest first. */
  get activated(): readonly string[] {
    return [...this.activatedNames];
  }

  /** Takes over what was activated earlier in the conversation, and nothing else; announces nothing. */
  restoreActivated(names: readonly string[]): void {
    this.activatedNames.clear();
    for (const name of names) {
      this.activatedNames.add(name);
    }
  }

  /** What the next model request offers. The order changes as little as possible, for the sake of prompt caches. */
  get offered(): readonly OfferedTool[] {
    const isOffered = (tool: BridgedTool) => !this.isAside(tool);
    const direct = this.callable.filter(({ exposure }) => exposure === 'direct').filter(isOffered);
    // names of an earlier version may stand beside those of today
    const named = new Set([...this.activatedNames].flatMap((name) => this.named(name) ?? []));
    const activated = [...named].filter(isOffered);
    return [
      ...direct,
      ...(this.findable.length > 0 ? [this.offeredSearch(this.findable)] : []),
      ...(this.callable.some(({ exposure }) => exposure === 'proxy') ? [this.offeredProxy()] : []),
      ...activated.filter(({ exposure }) => exposure !== 'direct'),
      ...(this.options.tasks?.offered ?? []),
    ];
  }

  /** What a model request would offer if all tools were exposed in this way. */
  offeredAs(exposure: Exclude<SettledExposure, 'hidden'>): readonly OfferedTool[] {
    if (this.callable.length === 0) {
      return [];
    }
    switch (exposure) {
      case 'direct':
        return this.callable;
      case 'search':
        return [this.offeredSearch(this.callable)];
      case 'proxy':
        return [this.offeredProxy()];
    }
  }

  /** Offers a tool no more, in this conversation. @returns `undefined` when it does not offer it. */
  setAside(name: string, reason: string): BridgedTool | undefined {
    const tool = this.current.get(name);
    if (!tool || this.isAside(tool)) {
      return undefined;
    }
    const { serverId, signature } = tool;
    this.aside.add(this, { serverId, tool: tool.tool, signature, reason });
    return tool;
  }

  isSetAside(name: string): boolean {
    const tool = this.current.get(name);
    return tool !== undefined && this.isAside(tool);
  }

  /** The MCP tool that a call means, also one through the gateway. */
  resolve(name: string, args: unknown): BridgedTool | undefined {
    const tool = name === proxyToolName && isJsonObject(args) ? args.tool : undefined;
    return typeof tool === 'string' ? this.proxy.findTarget(tool) : this.named(name);
  }

  /** A tool that an app of its server may call, be it offered to the model or not. */
  findForApp(serverId: McpServerId, tool: string): BridgedTool | undefined {
    const found = this.listed.find(
      (one) => one.isForApp && one.serverId === serverId && one.tool === tool,
    );
    return found && this.create(found);
  }

  /** Lets a call run this tool as it is, and no other, whatever changes meanwhile. @param key default: the tool's */
  setTarget(
    toolCallId: string,
    tool: BridgedTool,
    key = this.keyOf(tool),
    maker: CallMaker = { by: 'agent' },
  ): void {
    this.targets.set(toolCallId, { tool, key, maker });
  }

  /** The call runs no tool of a server, though one with its id, which has not run, was approved: ids come again. */
  clearTarget(toolCallId: string): void {
    this.targets.delete(toolCallId);
  }

  /** Another one when the tool is not what it was; see {@link toolKey}. */
  keyOf(tool: BridgedTool): string {
    const server = this.serverOf(tool);
    return server ? toolKey(server, tool.source) : '';
  }

  serverOf({ serverId }: BridgedTool): McpServer | undefined {
    return this.servers.find(({ id }) => id === serverId);
  }

  dispose(): void {
    this.current = new Map();
    this.callable = [];
    this.findable = [];
    this.listed = [];
    this.store.dispose();
  }

  /** By the name that the model uses, or used in an earlier version. */
  private named(name: string): BridgedTool | undefined {
    return this.current.get(name) ?? this.formerNames().get(name);
  }

  /** Read when a name is not known, which is rare. */
  private formerNames(): ReadonlyMap<string, BridgedTool> {
    this.former ??= new Map(
      this.callable.map((tool) => [doubledName(tool.server, tool.tool), tool] as const),
    );
    return this.former;
  }

  private offeredSearch(findable: readonly BridgedTool[]): OfferedTool {
    const definition = this.search.define(findable);
    return { name: toolSearchName, signature: definition.description, definition };
  }

  private offeredProxy(): OfferedTool {
    const { definition } = this.proxy;
    return { name: proxyToolName, signature: definition.description, definition };
  }

  private activate(tools: readonly BridgedTool[]): void {
    const before = this.activatedNames.size;
    for (const { name } of tools) {
      this.activatedNames.add(name);
    }
    if (this.activatedNames.size > before) {
      this.changeEmitter.fire();
    }
  }

  /** A burst of changes costs one update, still ahead of the next model request. */
  private queueUpdate(): void {
    if (!this.isUpdateQueued) {
      this.isUpdateQueued = true;
      queueMicrotask(() => {
        this.isUpdateQueued = false;
        if (!this.store.isDisposed) {
          this.update();
        }
      });
    }
  }

  private update(): void {
    const { service, folderUri, countTokens } = this.options;
    this.servers = service.serversFor(folderUri).filter(isCallable);
    this.listed = this.modelTools.list(this.servers, folderUri, countTokens);
    const next = new Map(
      this.listed
        .filter(({ exposure }) => exposure !== 'hidden')
        .map((tool) => [tool.name, this.reuseOrCreate(tool)] as const),
    );
    const isSame =
      next.size === this.current.size &&
      [...next].every(([name, tool]) => this.current.get(name) === tool);
    if (!isSame) {
      this.current = next;
      this.callable = [...next.values()];
      this.former = undefined;
      this.announce();
    }
  }

  private announce(): void {
    this.findable = this.callable.filter(
      (tool) => tool.exposure === 'search' && !this.isAside(tool),
    );
    this.changeEmitter.fire();
  }

  private isAside(tool: BridgedTool): boolean {
    return this.aside.has(this, tool);
  }

  private reuseOrCreate(tool: ModelTool): BridgedTool {
    const known = this.current.get(tool.name);
    return known?.isSame(tool) ? known : this.create(tool);
  }

  private create(tool: ModelTool): BridgedTool {
    return new BridgedTool(tool, this.help, async (named, call) => {
      const approved = this.targets.take(call.id);
      if (approved.tool.serverId !== named.serverId || approved.tool.tool !== named.tool) {
        throw new Error('Another tool was approved for this call.');
      }
      return await this.caller.call(named, call, approved);
    });
  }
}
