/** A callable server and a service that fires its events, for the agent's tests. */
import { toDisposable } from '../../../src/base/disposable.js';
import { Emitter } from '../../../src/base/event.js';
import type { JsonObject } from '../../../src/base/json.js';
import { ValueEmitter } from '../../../src/base/valueEmitter.js';
import {
  globalPoolId,
  type McpServerDefinition,
  type WorkspaceFolder,
} from '../../../src/config/definition.js';
import type { Workspace } from '../../../src/config/ports.js';
import type { McpCallOptions, McpServer, McpService } from '../../../src/mcp/mcpApi.js';
import {
  emptyCatalog,
  type McpCatalog,
  type McpServerState,
  type McpTool,
  type McpToolResult,
} from '../../../src/mcp/mcpTypes.js';
import { fakeDefinition, noDirectRequests, noTasks } from './fakeMcp.js';

export type CallTool = (
  name: string,
  args: JsonObject,
  options: McpCallOptions,
) => Promise<McpToolResult>;

export class CallableServer implements McpServer {
  readonly state = new ValueEmitter<McpServerState>({ kind: 'idle' });
  readonly catalog: ValueEmitter<McpCatalog>;
  readonly definition: McpServerDefinition;
  holders = 0;
  /** What happens while a call connects. */
  beforeCall = () => {};

  constructor(
    name: string,
    tools: readonly McpTool[],
    private readonly call: CallTool,
    readonly folder?: WorkspaceFolder,
  ) {
    this.definition = fakeDefinition(name, folder ? { folder } : {});
    this.catalog = new ValueEmitter<McpCatalog>({ ...emptyCatalog, tools });
  }

  get id() {
    return this.definition.id;
  }

  get activity() {
    return { restarts: 0, calls: 0, holders: [] };
  }

  tasks = noTasks;
  direct = noDirectRequests;
  log: McpServer['log'] = { watch: () => ({ dispose: () => undefined }) };
  isHiddenIn = () => false;
  ensureConnected = () => Promise.resolve();
  readTools = () => Promise.resolve();
  refreshLists = () => Promise.resolve();
  restart = () => Promise.resolve(this.state.value);
  stop = () => Promise.resolve();
  readResource = () => Promise.resolve([]);
  watchResource = () => ({ dispose: () => undefined });
  getPrompt = () => Promise.resolve({ messages: [] });
  loadSkill: McpServer['loadSkill'] = () => Promise.reject(new Error('not in this fake'));
  complete = () => Promise.resolve([]);
  accepted: string[] = [];
  acceptDefinitions = async (all: readonly string[]) => void this.accepted.push(...all);

  async callTool(name: string, args: JsonObject, options: McpCallOptions = {}) {
    this.beforeCall();
    options.assertWanted?.();
    return await this.call(name, args, options);
  }

  hold() {
    this.holders++;
    return toDisposable(() => this.holders--);
  }
}

export class FakeMcpService {
  private readonly poolsEmitter = new Emitter<void>();
  private readonly serverEmitter = new Emitter<McpServer>();
  private readonly trustEmitter = new Emitter<void>();
  readonly onDidChangePools = this.poolsEmitter.event;
  readonly onDidChangeServer = this.serverEmitter.event;
  /** Folder URI → hash of the extensions that were consented to. */
  private readonly consented = new Map<string, string>();
  /** Calls of the agent that are running, and those that ran. */
  readonly acting = { now: 0, ever: 0 };
  readonly trust = {
    isWorkspaceTrusted: true,
    whileAgentActs: () => {
      this.acting.now++;
      this.acting.ever++;
      return () => {
        this.acting.now--;
      };
    },
    onDidChange: this.trustEmitter.event,
    mayLoadExtensions: (folderUri: string, hash: string) => this.consented.get(folderUri) === hash,
    trustExtensions: (
      folderUri: string,
      { hash }: { readonly hash: string; readonly files: readonly string[] },
    ) => {
      this.consented.set(folderUri, hash);
      this.trustEmitter.fire();
      return Promise.resolve();
    },
    revoke: (folderUri: string) => {
      this.consented.delete(folderUri);
      this.trustEmitter.fire();
      return Promise.resolve();
    },
  };
  /** Settings of the user's own files. */
  settings: JsonObject = {};
  private servers: readonly CallableServer[] = [];

  constructor(servers: readonly CallableServer[]) {
    this.setServers(servers);
  }

  setServers(servers: readonly CallableServer[]): void {
    this.servers = servers;
    for (const server of servers) {
      server.state.onDidChange(() => this.serverEmitter.fire(server));
      server.catalog.onDidChange(() => this.serverEmitter.fire(server));
    }
    this.poolsEmitter.fire();
  }

  get pools() {
    return [{ id: globalPoolId, settings: this.settings, servers: this.servers }];
  }

  getPool(id: string) {
    return this.pools.find((pool) => pool.id === id);
  }

  whenRead = () => Promise.resolve();
  whenStarted = () => Promise.resolve();

  settingsFor(): JsonObject {
    return this.settings;
  }

  getServer(id: string): McpServer | undefined {
    return this.servers.find((server) => server.id === id);
  }

  serversFor(folderUri: string | undefined): readonly McpServer[] {
    return this.servers.filter(({ folder }) => !folder || folder.uri === folderUri);
  }

  /** The part that the agent uses. */
  get asService(): McpService {
    return this as unknown as McpService;
  }
}

export class FakeWorkspace implements Workspace {
  private readonly foldersEmitter = new Emitter<void>();
  private readonly trustEmitter = new Emitter<void>();
  readonly onDidChangeFolders = this.foldersEmitter.event;
  readonly onDidChangeTrust = this.trustEmitter.event;

  constructor(
    public folders: readonly WorkspaceFolder[],
    public isTrusted = true,
  ) {}

  setFolders(folders: readonly WorkspaceFolder[]): void {
    this.folders = folders;
    this.foldersEmitter.fire();
  }

  setTrusted(isTrusted: boolean): void {
    this.isTrusted = isTrusted;
    this.trustEmitter.fire();
  }
}
