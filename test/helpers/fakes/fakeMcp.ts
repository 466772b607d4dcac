import { Emitter } from '../../../src/base/event.js';
import { ValueEmitter } from '../../../src/base/valueEmitter.js';
import {
  globalPoolId,
  type McpServerDefinition,
  serverId,
  type WorkspaceFolder,
} from '../../../src/config/definition.js';
import { defaultOptions } from '../../../src/config/schema/fields.js';
import type { McpPool, McpServer } from '../../../src/mcp/mcpApi.js';
import {
  emptyCatalog,
  type McpCatalog,
  type McpServerFailure,
  type McpServerState,
} from '../../../src/mcp/mcpTypes.js';
import type { McpServerTasks } from '../../../src/mcp/taskTypes.js';

export function fakeFolder(name: string): WorkspaceFolder {
  return { uri: `file:///work/${name}`, name, fsPath: `/work/${name}` };
}

export function fakeDefinition(
  name: string,
  options: {
    readonly folder?: WorkspaceFolder;
    readonly change?: Partial<McpServerDefinition>;
  } = {},
): McpServerDefinition {
  const { folder } = options;
  const poolId = folder?.uri ?? globalPoolId;
  return {
    id: serverId(poolId, name),
    poolId,
    scope: folder ? 'folder' : 'global',
    name,
    ...(folder ? { folder } : {}),
    origin: folder
      ? { layer: 'project', path: `${folder.fsPath}/.mcp.json` }
      : { layer: 'user', path: '/home/user/.pi/agent/mcp.json' },
    hides: [],
    launch: { kind: 'stdio', command: 'node', args: [`${name}.js`], env: {}, inheritEnv: false },
    enabled: true,
    options: defaultOptions,
    problems: [],
    ...options.change,
  };
}

/** A server that is in the given state and offers the given catalog; it cannot be called. */
export class FakeServer implements McpServer {
  readonly state: ValueEmitter<McpServerState>;
  readonly catalog: ValueEmitter<McpCatalog>;

  constructor(
    readonly definition: McpServerDefinition,
    state: McpServerState,
    catalog: Partial<McpCatalog> = {},
  ) {
    this.state = new ValueEmitter(state);
    this.catalog = new ValueEmitter<McpCatalog>({ ...emptyCatalog, ...catalog });
  }

  get id() {
    return this.definition.id;
  }

  isHiddenIn(): boolean {
    return false;
  }

  ensureConnected = () => Promise.reject(new Error('not in this fake'));
  readTools = () => Promise.reject(new Error('not in this fake'));
  refreshLists = () => Promise.resolve();
  restart = () => Promise.resolve(this.state.value);
  stop = () => Promise.resolve();
  callTool = () => Promise.reject(new Error('not in this fake'));
  readResource = () => Promise.reject(new Error('not in this fake'));
  watchResource = () => ({ dispose: () => undefined });
  getPrompt = () => Promise.reject(new Error('not in this fake'));
  loadSkill = () => Promise.reject(new Error('not in this fake'));
  complete = () => Promise.resolve([]);
  accepted: string[] = [];
  acceptDefinitions = async (all: readonly string[]) => void this.accepted.push(...all);
  direct = noDirectRequests;
  log: McpServer['log'] = { watch: () => ({ dispose: () => undefined }) };
  hold = () => ({ dispose: () => undefined });
  activity = { restarts: 0, calls: 0, holders: [] };
  tasks: McpServerTasks = noTasks;
}

export const noDirectRequests: McpServer['direct'] = {
  send: () => Promise.reject(new Error('not in this fake')),
  ping: () => Promise.resolve(),
  setLogLevel: () => Promise.resolve(),
};

/** The tasks of a server that has none. */
export const noTasks: McpServerTasks = {
  all: [],
  onDidChange: new Emitter<void>().event,
  listOthers: () => Promise.resolve([]),
  resume: () => {
    throw new Error('not in this fake');
  },
  forget: () => undefined,
};

export function fakePool(
  servers: readonly McpServer[],
  options: { readonly folder?: WorkspaceFolder; readonly change?: Partial<McpPool> } = {},
): McpPool {
  const { folder } = options;
  const file = folder ? `${folder.fsPath}/.mcp.json` : '/home/user/.pi/agent/mcp.json';
  return {
    id: folder?.uri ?? globalPoolId,
    folder,
    servers,
    fileProblems: [],
    files: [file],
    primaryFile: file,
    isMasterDisabled: false,
    settings: {},
    inputs: [],
    ...options.change,
  };
}

export function fakeFailure(change: Partial<McpServerFailure> = {}): McpServerFailure {
  return {
    code: 'exited',
    message: 'The process ended with exit code 1.',
    remedy: 'Read what it wrote last.',
    stderrTail: [],
    ...change,
  };
}

/** The part of the service that views read. */
export class FakeService {
  private readonly poolsEmitter = new Emitter<void>();
  readonly onDidChangePools = this.poolsEmitter.event;

  constructor(public pools: readonly McpPool[]) {}

  get servers(): readonly McpServer[] {
    return this.pools.flatMap((pool) => pool.servers);
  }

  getPool(id: string): McpPool | undefined {
    return this.pools.find((pool) => pool.id === id);
  }

  getServer(id: string): McpServer | undefined {
    return this.servers.find((server) => server.id === id);
  }
}
