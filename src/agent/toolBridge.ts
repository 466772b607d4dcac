/** The MCP tools of one folder as Pi tools. Each call finds its server again, so nothing here outlives a change. */
import * as l10n from '@vscode/l10n';
import { type Disposable, DisposableMap, DisposableStore } from '../base/disposable.js';
import { HumanError, isHumanError } from '../base/errors.js';
import { Emitter } from '../base/event.js';
import { type JsonObject, stableStringify } from '../base/json.js';
import { parseStringifiedArguments } from '../mcp/catalog/toolArguments.js';
import { type NamedTool, nameTools } from '../mcp/catalog/toolNames.js';
import { mapToolResult } from '../mcp/catalog/toolResult.js';
import { makeSchemaSafe } from '../mcp/catalog/toolSchema.js';
import type { McpProgress } from '../mcp/connection/engine.js';
import type { McpServer, McpService } from '../mcp/mcpApi.js';
import type { McpServerId, McpTool } from '../mcp/mcpTypes.js';
import { reservedToolNames } from './builtInTools.js';
import type { PiTool, PiToolResult } from './piModule.js';

export interface BridgedTool extends NamedTool {
  readonly source: McpTool;
  /** Equal text means that the model would see no difference. */
  readonly signature: string;
  readonly definition: PiTool;
}

/** `details` of a result or update of a bridged tool. */
export interface BridgedToolDetails {
  readonly isMcp: true;
  readonly isError: boolean;
  readonly progress?: string;
}

export interface ToolBridgeOptions {
  readonly service: McpService;
  readonly folderUri: string | undefined;
  /** Name under which servers are held. */
  readonly holder: string;
}

export class ToolBridge implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changeEmitter = this.store.add(new Emitter<void>());
  private readonly holds = this.store.add(new DisposableMap<McpServerId, Disposable>());
  private isUpdateQueued = false;
  private current: ReadonlyMap<string, BridgedTool> = new Map();

  /** The list of tools, or a definition in it, changed. */
  readonly onDidChange = this.changeEmitter.event;

  constructor(private readonly options: ToolBridgeOptions) {
    const { service } = options;
    const update = () => this.queueUpdate();
    this.store.add(service.onDidChangePools(update));
    this.store.add(service.onDidChangeServer(update));
    this.store.add(service.trust.onDidChange(update));
    this.update();
  }

  /** By the name that the model uses. */
  get tools(): ReadonlyMap<string, BridgedTool> {
    return this.current;
  }

  dispose(): void {
    this.current = new Map();
    this.store.dispose();
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
    const servers = this.options.service.serversFor(this.options.folderUri).filter(isOffered);
    this.holdOnly(servers);
    const next = this.bridge(servers);
    const isSame =
      next.size === this.current.size &&
      [...next].every(([name, tool]) => this.current.get(name) === tool);
    this.current = next;
    if (!isSame) {
      this.changeEmitter.fire();
    }
  }

  private holdOnly(servers: readonly McpServer[]): void {
    const wanted = new Map(servers.map((server) => [server.id, server]));
    for (const id of [...this.holds.keys()]) {
      if (!wanted.has(id)) {
        this.holds.delete(id);
      }
    }
    for (const [id, server] of wanted) {
      if (!this.holds.has(id)) {
        this.holds.set(id, server.hold(this.options.holder));
      }
    }
  }

  private bridge(servers: readonly McpServer[]): ReadonlyMap<string, BridgedTool> {
    const byId = new Map(servers.map((server) => [server.id, server]));
    const named = nameTools(servers.map(describeServer), { reserved: reservedToolNames });
    return new Map(
      named.flatMap((entry) => {
        const source = byId
          .get(entry.serverId)
          ?.catalog.value.tools.find(({ name }) => name === entry.tool);
        return source ? [[entry.name, this.reuseOrCreate(entry, source)] as const] : [];
      }),
    );
  }

  private reuseOrCreate(named: NamedTool, source: McpTool): BridgedTool {
    const known = this.current.get(named.name);
    if (known?.source === source && known.serverId === named.serverId) {
      return known;
    }
    const { description, inputSchema, annotations } = source;
    const signature = stableStringify([named, description, inputSchema, annotations]);
    return known?.signature === signature
      ? known
      : { ...named, source, signature, definition: this.define(named, source) };
  }

  private define(named: NamedTool, source: McpTool): PiTool {
    const { schema } = makeSchemaSafe(source.inputSchema);
    return {
      name: named.name,
      label: `${named.server}: ${source.title ?? source.annotations?.title ?? named.tool}`,
      description: source.description || `MCP tool '${named.tool}' from server '${named.server}'.`,
      parameters: schema as PiTool['parameters'],
      prepareArguments: (args) => parseStringifiedArguments(schema, args),
      execute: async (_id, args, signal, onUpdate) =>
        await this.call(named, args as JsonObject, signal, (progress) =>
          onUpdate?.({ content: [], details: detailsOf(false, progressText(progress)) }),
        ),
    };
  }

  /** Rejects for everything that kept the server from answering, which Pi shows to the model as a failed call. */
  private async call(
    named: NamedTool,
    args: JsonObject,
    signal: AbortSignal | undefined,
    onProgress: (progress: McpProgress) => void,
  ): Promise<PiToolResult> {
    const { service, folderUri } = this.options;
    const server = service.serversFor(folderUri).find(({ id }) => id === named.serverId);
    try {
      if (!server || this.store.isDisposed) {
        throw serverGone(named.server);
      }
      const result = await server.callTool(named.tool, args, {
        ...(signal && { signal }),
        onProgress,
      });
      const { content, isError } = mapToolResult(result);
      return { content: [...content], details: detailsOf(isError) };
    } catch (error) {
      throw isHumanError(error) && error.remedy
        ? new Error(`${error.message} ${error.remedy}`, { cause: error })
        : error;
    }
  }
}

/** Servers that may be used now or on the next call. Their cached tools stay offered while they are down. */
function isOffered({ state }: McpServer): boolean {
  switch (state.value.kind) {
    case 'disabled':
    case 'invalid':
    case 'trust_required':
      return false;
    default:
      return true;
  }
}

function describeServer(server: McpServer) {
  const { includeTools, excludeTools, exposure, toolPrefix } = server.definition.options;
  const isIncluded = ({ name }: McpTool) =>
    (includeTools?.includes(name) ?? true) && !excludeTools?.includes(name);
  return {
    id: server.id,
    name: server.definition.name,
    ...(toolPrefix && { prefix: toolPrefix }),
    tools: exposure === 'hidden' ? [] : server.catalog.value.tools.filter(isIncluded),
  };
}

function serverGone(server: string): HumanError {
  return new HumanError(
    'server_gone',
    l10n.t('The MCP server "{0}" is not available to this folder any more.', server),
    { remedy: l10n.t('Use another tool, or ask the user to add or enable the server.') },
  );
}

function detailsOf(isError: boolean, progress?: string): BridgedToolDetails {
  return { isMcp: true, isError, ...(progress !== undefined && { progress }) };
}

function progressText({ progress, total, message }: McpProgress): string {
  const count = total === undefined ? String(progress) : `${progress}/${total}`;
  return message ? `${message} (${count})` : count;
}
