import { watch } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, vi } from 'vitest';
import { Emitter, onceEvent } from '../../src/base/event.js';
import type { WorkspaceFolder } from '../../src/config/definition.js';
import { localConfigFile } from '../../src/config/parse/configLocations.js';
import { type Machine, nullLoggers, type Workspace } from '../../src/config/ports.js';
import { loadEngine } from '../../src/mcp/connection/engineSelection.js';
import type { EngineLoader } from '../../src/mcp/connection/session/engine.js';
import type { McpServer, McpService } from '../../src/mcp/mcpApi.js';
import type { McpServerStateKind } from '../../src/mcp/mcpTypes.js';
import type { UserPort } from '../../src/mcp/service/connections.js';
import { placesIn } from '../../src/mcp/service/corePlaces.js';
import { createMcpCore, type McpCoreOptions } from '../../src/mcp/service/mcpCore.js';
import { createNodeHostEnvironment } from '../../src/platform/environment/nodeHostEnvironment.js';
import { NodeFileWatcher } from '../../src/platform/nodeFileWatcher.js';
import { readProcStat } from '../../src/platform/process/identity.js';
import { MemorySecrets } from '../fixtures/memorySecrets.js';
import { repository } from '../workbench/paths.mjs';
import { noteStart } from './starts.js';
import { noInputs } from './windowlessCore.js';

const packages = join(repository, 'node_modules', '@modelcontextprotocol');
/** Launches of real servers. */
export const everything = {
  command: process.execPath,
  args: [join(packages, 'server-everything/dist/index.js'), 'stdio'],
};
export const memory = {
  command: process.execPath,
  args: [join(packages, 'server-memory/dist/index.js')],
};
export const filesystem = {
  command: process.execPath,
  args: [join(packages, 'server-filesystem/dist/index.js'), tmpdir()],
};

type Entries = Readonly<Record<string, unknown>>;

/** The whole core over a home and workspace folders of its own. */
export class CoreHarness {
  private readonly cores: McpService[] = [];
  private readonly didChangeFolders = new Emitter<void>();
  private readonly didChangeTrust = new Emitter<void>();
  readonly folders: WorkspaceFolder[] = [];
  isTrusted = true;
  /** Of the environment, beside PATH and HOME. */
  variables: Readonly<Record<string, string>> = {};

  private constructor(private place: string) {}

  static async create(): Promise<CoreHarness> {
    const harness = new CoreHarness('');
    await harness.begin();
    return harness;
  }

  /** On a root of its own, with an empty home, as if there had been nothing before. */
  async begin(): Promise<void> {
    this.place = await mkdtemp(join(tmpdir(), 'pi-mcp-core-'));
    await mkdir(join(this.root, 'home'));
    this.folders.length = 0;
    this.isTrusted = true;
    this.variables = {};
  }

  /** On a root that {@link create} made, in this process or another one. */
  static at(root: string): CoreHarness {
    return new CoreHarness(root);
  }

  get root(): string {
    return this.place;
  }

  /** Those that are not closed, in the order in which they were opened. */
  get opened(): readonly McpService[] {
    return this.cores;
  }

  get environment() {
    return createNodeHostEnvironment({
      homeDir: join(this.root, 'home'),
      env: { PATH: process.env.PATH, HOME: join(this.root, 'home'), ...this.variables },
    });
  }

  get storageDir(): string {
    return join(this.root, 'storage');
  }

  get workspace(): Workspace {
    const harness = this;
    return {
      folders: this.folders,
      get isTrusted() {
        return harness.isTrusted;
      },
      onDidChangeFolders: this.didChangeFolders.event,
      onDidChangeTrust: this.didChangeTrust.event,
    };
  }

  get machine(): Machine {
    return {
      environment: this.environment,
      workspace: this.workspace,
      watcher: new NodeFileWatcher(),
      loggers: nullLoggers,
    };
  }

  async addFolder(name: string, servers: Entries): Promise<WorkspaceFolder> {
    const fsPath = join(this.root, name);
    await mkdir(fsPath);
    const folder = { uri: pathToFileURL(fsPath).toString(), name, fsPath };
    await this.write(folder, servers);
    this.folders.push(folder);
    this.didChangeFolders.fire();
    return folder;
  }

  removeFolder(folder: WorkspaceFolder): void {
    this.folders.splice(this.folders.indexOf(folder), 1);
    this.didChangeFolders.fire();
  }

  /** Opens a folder again that {@link removeFolder} closed. */
  restoreFolder(folder: WorkspaceFolder): void {
    this.folders.push(folder);
    this.didChangeFolders.fire();
  }

  async write(folder: WorkspaceFolder, servers: Entries | string): Promise<void> {
    const text = typeof servers === 'string' ? servers : JSON.stringify({ mcpServers: servers });
    await writeFile(join(folder.fsPath ?? '', '.mcp.json'), text);
  }

  async writeGlobal(servers: Entries | string): Promise<void> {
    const text = typeof servers === 'string' ? servers : JSON.stringify({ mcpServers: servers });
    const agentDir = join(this.root, 'home', '.pi', 'agent');
    await mkdir(agentDir, { recursive: true });
    await writeFile(join(agentDir, 'mcp.json'), text);
  }

  /** What the user keeps for the folder alone. */
  async writeLocal({ fsPath = '' }: WorkspaceFolder, servers: Entries): Promise<void> {
    const { path } = localConfigFile(fsPath, this.environment);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, JSON.stringify({ mcpServers: servers }));
  }

  readGlobal(): Promise<string> {
    return readFile(join(this.root, 'home', '.pi', 'agent', 'mcp.json'), 'utf8');
  }

  setTrusted(isTrusted: boolean): void {
    this.isTrusted = isTrusted;
    this.didChangeTrust.fire();
  }

  open(
    engine: EngineLoader = loadEngine,
    changes: Partial<
      Pick<Machine, 'environment' | 'loggers'> &
        Omit<UserPort, 'answers' | 'onNotice'> &
        Omit<McpCoreOptions, 'machine' | 'places' | 'user'>
    > = {},
  ): McpService {
    noteStart('core');
    const { environment = this.environment, loggers = nullLoggers } = changes;
    const core = createMcpCore({
      machine: { ...this.machine, environment, loggers },
      places: placesIn(this.storageDir),
      user: { inputs: noInputs, ...changes },
      secrets: new MemorySecrets(),
      globalConfigPath: () => undefined,
      engine,
      startPolicy: 'connect',
      clientVersion: '0.0.0',
      ...changes,
    });
    this.cores.push(core);
    return core;
  }

  /** Opens a window in which everything is connected, or has failed, that connects by itself. */
  async start(...options: Parameters<CoreHarness['open']>): Promise<McpService> {
    const core = this.open(...options);
    await core.whenStarted();
    return core;
  }

  /** As when its window closes. */
  async close(core: McpService): Promise<void> {
    this.cores.splice(this.cores.indexOf(core), 1);
    await core.shutdown();
  }

  /** Resolves when all that they had to write is written. */
  async closeAll(): Promise<void> {
    await Promise.all(this.cores.splice(0).map((core) => core.shutdown()));
  }

  async dispose(): Promise<void> {
    await this.closeAll();
    // on Windows a folder stays busy for a moment behind the process that worked in it
    await rm(this.root, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** One for the tests of a file, which begins anew with each of them. */
export function useCoreHarness(): CoreHarness {
  const harness = CoreHarness.at('');
  beforeEach(() => harness.begin());
  afterEach(() => harness.dispose());
  return harness;
}

export function find(service: McpService, name: string): McpServer {
  const server = service.pools
    .flatMap((pool) => pool.servers)
    .find(({ definition }) => definition.name === name);
  if (!server) {
    throw new Error(`No server is named ${name}`);
  }
  return server;
}

/** State per server name. */
export function states(service: McpService): Record<string, McpServerStateKind> {
  const servers = service.pools.flatMap((pool) => pool.servers);
  return Object.fromEntries(servers.map((s) => [s.definition.name, s.state.value.kind]));
}

export async function reach(server: McpServer, kind: McpServerStateKind): Promise<void> {
  if (server.state.value.kind !== kind) {
    await onceEvent(server.state.onDidChange, (state) => state.kind === kind);
  }
}

/** The kinds of the states from now on; what changes within one kind, such as how far a connect is, counts once. */
export function recordKinds(server: McpServer): readonly McpServerStateKind[] {
  const kinds: McpServerStateKind[] = [];
  server.state.onDidChange(({ kind }) => kind !== kinds.at(-1) && kinds.push(kind));
  return kinds;
}

export function pidOf(server: McpServer): number {
  const state = server.state.value;
  if (state.kind !== 'connected' || state.pid === undefined) {
    throw new Error(`${server.definition.name} has no process: ${JSON.stringify(state)}`);
  }
  return state.pid;
}

/** False for what has ended, also while its parent has not reaped it yet, where that can be seen. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || readProcStat(pid) !== undefined;
  } catch {
    // gone
    return false;
  }
}

/** A server that never answers, whatever it is asked. */
export const silent = {
  command: process.execPath,
  args: [join(repository, 'test/fixtures/servers/misbehave.mjs'), '--hang-initialize'],
};

/** Another directory with the same files stands at the path then. */
export async function replaceDirectory(path: string): Promise<void> {
  // Windows keeps the working directory of a process for a moment after its end
  await vi.waitFor(() => rename(path, `${path}-old`), { timeout: 10_000 });
  await cp(`${path}-old`, path, { recursive: true });
}

const notingScript = join(repository, 'test/fixtures/servers/noting.mjs');

/** A launch that notes its pid in a file before it becomes the real server. @param launch of a script of Node */
export function noted(file: string, launch: { command: string; args: readonly string[] }) {
  return { command: process.execPath, args: [notingScript, file, ...launch.args] };
}

/** The pids that {@link noted} launches left; none when nothing was ever started. */
export async function notedPids(file: string): Promise<readonly number[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').filter(Boolean).map(Number);
}

/** The pid of the first process that a {@link noted} launch starts. */
export function firstNotedPid(file: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const look = () =>
      void notedPids(file).then(([pid]) => {
        if (pid !== undefined) {
          watcher.close();
          resolve(pid);
        }
      });
    const watcher = watch(dirname(file), look).on('error', reject);
    look();
  });
}
