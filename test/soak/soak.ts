/**
 * A hundred servers and a random sequence of everything that can happen to them. After each event the invariants are
 * checked: states equal reality, processes equal the ledger, no server has two owners, nothing runs that may not.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Disposable } from '../../src/base/disposable.js';
import type { WorkspaceFolder } from '../../src/config/definition.js';
import type { McpServer, McpService } from '../../src/mcp/mcpApi.js';
import { processMarker } from '../fixtures/processes.js';
import {
  type MisbehavingServer,
  startMisbehavingServer,
} from '../fixtures/servers/misbehaveHttp.mjs';
import { CoreHarness } from '../helpers/coreHarness.js';
import { createFastClock } from '../helpers/fastClock.js';
import { startPoolLoad, startProcessorLoad } from '../helpers/load.js';
import { SeededRandom } from '../helpers/seededRandom.js';

export interface SoakOptions {
  readonly seed: number;
  readonly steps: number;
  /** Default 100. */
  readonly servers?: number;
  /** Beside jobs that keep every processor and every thread of Node busy. Default false. */
  readonly isLoaded?: boolean;
  readonly onStep?: (step: number, event: string) => void;
}

export interface SoakReport {
  readonly events: Readonly<Record<string, number>>;
  /** Milliseconds for which the world and our picture of it differed at most. */
  readonly longestLag: number;
  /** Bytes of heap after each quarter, with nothing running. */
  readonly heap: readonly number[];
}

interface Entry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Record<string, string>;
  enabled: boolean;
  lifecycle: string;
  readonly requestTimeoutMs: number;
  idleTimeout: number;
}

const script = resolve('test/soak/tinyServer.sh');
const modernScript = resolve('test/fixtures/servers/asking.mjs');
const lifecycles = ['lazy', 'eager', 'keep-alive', 'lazy-keep-alive'];
/** Seconds pass as hundredths. */
const haste = 100;
/** A picture that is still wrong after this time is wrong: what withstands SIGTERM and SIGKILL is given up by then. */
const patienceMs = 5000;
/** Node has four threads for files. */
const poolJobs = 8;
/** Servers of the newer generation of the protocol; each costs a whole Node. */
const modernServers = 2;

/** @throws when an invariant does not hold; the message has the seed, the step and the event. */
export async function runSoak(options: SoakOptions): Promise<SoakReport> {
  const harness = await CoreHarness.create();
  const remote = await startMisbehavingServer({ faults: { listens: true } });
  const load = options.isLoaded ? [startPoolLoad(poolJobs), startProcessorLoad()] : [];
  try {
    const soak = new Soak(harness, remote, options);
    const report = await soak.run().finally(() => harness.dispose());
    const left = findServers(soak.marker);
    if (left.length > 0) {
      throw new Error(`Seed ${options.seed}: ${left.length} processes are left after shutdown`);
    }
    await soak.untilNobodyListens();
    return report;
  } finally {
    await Promise.all([remote.close(), ...load.map((work) => work.stop())]);
  }
}

class Soak {
  readonly marker = processMarker();
  private readonly random: SeededRandom;
  private readonly files = new Map<WorkspaceFolder, Record<string, Entry>>();
  private readonly removed: WorkspaceFolder[] = [];
  private readonly holds: Disposable[] = [];
  private readonly events: Record<string, number> = {};
  private readonly pending = new Set<Promise<unknown>>();
  private service: McpService;
  private longestLag = 0;

  constructor(
    private readonly harness: CoreHarness,
    private readonly remote: MisbehavingServer,
    private readonly options: SoakOptions,
  ) {
    this.random = new SeededRandom(options.seed);
    this.service = this.open();
  }

  async run(): Promise<SoakReport> {
    const { seed, steps, servers = 100, onStep } = this.options;
    await this.populate(servers);
    const heap: number[] = [];
    const quarter = Math.ceil(steps / 4);
    for (let step = 1; step <= steps; step++) {
      const name = this.pick(Object.keys(this.actions)) as keyof typeof this.actions;
      onStep?.(step, name);
      this.events[name] = (this.events[name] ?? 0) + 1;
      try {
        await this.actions[name]();
        await this.checkInvariants();
      } catch (error) {
        throw new Error(`Seed ${seed}, step ${step}, ${name}: ${String(error)}`, { cause: error });
      }
      if (step % quarter === 0 || step === steps) {
        heap.push(await this.settledHeap());
      }
    }
    return { events: this.events, longestLag: this.longestLag, heap };
  }

  private readonly actions = {
    call: async () => {
      await this.someServer()
        ?.callTool('echo', {})
        .catch(() => undefined);
    },
    callMany: async () => {
      const servers = Array.from({ length: 10 }, () => this.someServer());
      await Promise.all(
        servers.map((server) => server?.callTool('echo', {}).catch(() => undefined)),
      );
    },
    cancel: async () => {
      const cancellation = new AbortController();
      const call = this.someServer()?.callTool('hang', {}, { signal: cancellation.signal });
      setImmediate(() => cancellation.abort(new Error('cancelled')));
      await call?.catch(() => undefined);
    },
    hang: async () => {
      // left alone until something else ends it
      this.track(this.someConnected()?.callTool('hang', {}));
    },
    crash: async () => {
      await this.someServer()
        ?.callTool('crash', {})
        .catch(() => undefined);
    },
    kill: async () => {
      const server = this.someConnected();
      const pid = server && pidOf(server);
      if (pid !== undefined) {
        process.kill(pid, 'SIGKILL');
      }
    },
    freeze: async () => {
      const server = this.someConnected();
      const pid = server && pidOf(server);
      if (pid !== undefined) {
        process.kill(pid, 'SIGSTOP');
      }
    },
    edit: async () => {
      await this.changeFile((entry) => {
        entry.env.EDIT = String(this.random.below(1_000_000));
      });
    },
    editOptions: async () => {
      await this.changeFile((entry) => {
        entry.lifecycle = this.pick(lifecycles);
        entry.idleTimeout = this.random.below(3);
      });
    },
    toggle: async () => {
      await this.changeFile((entry) => {
        entry.enabled = !entry.enabled;
      });
    },
    restart: async () => {
      await this.someServer()?.restart();
    },
    stop: async () => {
      await this.someServer()?.stop();
    },
    hold: async () => {
      const server = this.someServer();
      if (server) {
        this.holds.push(server.hold('soak'));
      }
      if (this.holds.length > 10) {
        this.holds.shift()?.dispose();
      }
    },
    revoke: async () => {
      await this.service.trust.revoke(this.pick(this.harness.folders).uri);
    },
    trust: async () => {
      await Promise.all(
        this.harness.folders.map((folder) => this.service.trust.trustFolder(folder.uri)),
      );
    },
    removeFolder: async () => {
      if (this.harness.folders.length > 1) {
        const folder = this.pick(this.harness.folders);
        this.removed.push(folder);
        this.harness.removeFolder(folder);
        await this.service.reload();
      }
    },
    addFolder: async () => {
      const folder = this.removed.shift();
      if (folder) {
        this.harness.restoreFolder(folder);
        await this.service.reload();
      }
    },
    restrict: async () => {
      this.harness.setTrusted(!this.harness.isTrusted);
      if (!this.harness.isTrusted) {
        await this.checkInvariants();
        this.harness.setTrusted(true);
      }
    },
    dropStreams: async () => {
      this.remote.dropStreams();
    },
    loseSessions: async () => {
      this.remote.loseSessions();
    },
    demandToken: async () => {
      const { requiredToken } = this.remote.faults;
      Object.assign(this.remote.faults, { requiredToken: requiredToken ? undefined : 'secret' });
    },
    outage: async () => {
      await this.remote.close();
      await this.actions.callMany();
      await this.remote.reopen();
    },
    reopen: async () => {
      if (this.random.chance(4)) {
        await this.harness.close(this.service);
        this.service = this.open();
        await this.service.whenStarted();
      }
    },
  };

  private open(): McpService {
    return this.harness.open(undefined, { clock: createFastClock(haste) });
  }

  private async populate(count: number): Promise<void> {
    for (const name of ['one', 'two', 'three', 'four']) {
      const entries: Record<string, Entry> = {};
      for (let index = 0; index < count / 4; index++) {
        const id = `${name}-${index}`;
        entries[id] = {
          command: 'sh',
          args: [script, `id-${id}`, this.marker],
          env: {},
          enabled: true,
          requestTimeoutMs: 500,
          lifecycle: this.pick(lifecycles),
          idleTimeout: this.random.below(3),
        };
      }
      this.files.set(await this.harness.addFolder(name, entries), entries);
    }
    await this.harness.writeGlobal(this.globalEntries(Math.ceil(count / 10)));
    await this.service.reload();
    await this.actions.trust();
    await this.service.whenStarted();
    await this.checkInvariants();
  }

  /** Remote servers over both transports, and servers of the newer generation. */
  private globalEntries(remoteCount: number): Record<string, unknown> {
    const { url, origin } = this.remote;
    const entries: Record<string, unknown> = {};
    for (let index = 0; index < remoteCount; index++) {
      entries[`remote-${index}`] = {
        ...(index % 2 === 0 ? { url } : { url: `${origin}/sse`, type: 'sse' }),
        lifecycle: this.pick(lifecycles),
        requestTimeoutMs: 500,
        idleTimeout: this.random.below(3),
      };
    }
    for (let index = 0; index < modernServers; index++) {
      entries[`modern-${index}`] = {
        command: 'node',
        args: [modernScript, `id-modern-${index}`, '--modern', this.marker],
        protocolVersion: 'auto',
        lifecycle: this.pick(lifecycles),
        requestTimeoutMs: 500,
      };
    }
    return entries;
  }

  /** Streams that nobody reads any more are a leak. */
  async untilNobodyListens(): Promise<void> {
    const deadline = Date.now() + patienceMs;
    while (this.remote.openStreams() > 0) {
      if (Date.now() > deadline) {
        throw new Error(`${this.remote.openStreams()} streams are left open`);
      }
      await new Promise((done) => setTimeout(done, 10));
    }
  }

  private async changeFile(change: (entry: Entry) => void): Promise<void> {
    const folder = this.pick(this.harness.folders);
    const entries = this.files.get(folder) ?? {};
    change(this.pick(Object.values(entries)));
    await this.harness.write(folder, entries);
    await this.service.reload();
  }

  /**
   * Looks until everything that was wrong has been right once; a picture may lag behind by the time that news take.
   * Meanwhile the world goes on, so that something else may be wrong by then: the next look is for that.
   */
  private async checkInvariants(): Promise<void> {
    const startedAt = performance.now();
    const firstSeen = new Map<string, number>();
    let wrong = this.findProblems();
    for (;;) {
      const problems = this.findProblems();
      for (const problem of firstSeen.keys()) {
        if (!problems.includes(problem)) {
          firstSeen.delete(problem);
        }
      }
      for (const problem of problems) {
        const since = firstSeen.get(problem) ?? performance.now();
        firstSeen.set(problem, since);
        if (performance.now() - since > patienceMs) {
          throw new Error(problem);
        }
      }
      wrong = wrong.filter((problem) => problems.includes(problem));
      if (wrong.length === 0) {
        this.longestLag = Math.max(this.longestLag, performance.now() - startedAt);
        return;
      }
      await new Promise((done) => setTimeout(done, 10));
    }
  }

  private findProblems(): readonly string[] {
    // in one turn, since the world goes on between two
    const [ledger, running] = [this.readLedger(), findServers(this.marker)];
    const servers = this.servers();
    const ids = running.map(({ id }) => id);
    const pids = new Set(running.map(({ pid }) => pid));
    const known = new Set(servers.map(({ definition }) => `id-${definition.name}`));
    return [
      ...ids
        .filter((id, index) => ids.indexOf(id) !== index)
        .map((twice) => `${twice} runs more than once`),
      ...servers.flatMap((server) => problemsOf(server, { ids, pids })),
      ...ids.filter((id) => !known.has(id)).map((id) => `${id} runs and belongs to nobody`),
      ...running
        .filter(({ pid }) => !ledger.has(pid))
        .map(({ id, pid }) => `${id} (${pid}) is not in the ledger`),
      ...[...ledger].filter((pid) => !pids.has(pid)).map((pid) => `the ledger still has ${pid}`),
    ];
  }

  private readLedger(): ReadonlySet<number> {
    const folder = join(this.harness.storageDir, 'processes');
    const names = existsSync(folder) ? readdirSync(folder) : [];
    const pids = new Set<number>();
    for (const name of names.filter((item) => item.endsWith('.json'))) {
      for (const { pid } of JSON.parse(readFileSync(join(folder, name), 'utf8')).children) {
        pids.add(pid);
      }
    }
    return pids;
  }

  /** Heap in use when nothing runs and nobody waits. */
  private async settledHeap(): Promise<number> {
    await Promise.all(this.servers().map((server) => server.stop()));
    await Promise.all(this.pending);
    await this.untilNobodyListens();
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    for (let round = 0; round < 4; round++) {
      collect();
      await new Promise((done) => setTimeout(done, 20));
    }
    return process.memoryUsage().heapUsed;
  }

  private track(call: Promise<unknown> | undefined): void {
    if (call) {
      const tracked = call.catch(() => undefined).finally(() => this.pending.delete(tracked));
      this.pending.add(tracked);
    }
  }

  private servers(): readonly McpServer[] {
    return this.service.pools.flatMap((pool) => pool.servers);
  }

  private someServer(): McpServer | undefined {
    const servers = this.servers();
    return servers.length === 0 ? undefined : this.pick(servers);
  }

  private someConnected(): McpServer | undefined {
    const servers = this.servers().filter((server) => pidOf(server) !== undefined);
    return servers.length === 0 ? undefined : this.pick(servers);
  }

  private pick<T>(items: readonly T[]): T {
    return this.random.pick(items);
  }
}

function problemsOf(
  server: McpServer,
  { ids, pids }: { readonly ids: readonly string[]; readonly pids: ReadonlySet<number> },
): readonly string[] {
  const { kind } = server.state.value;
  const { name } = server.definition;
  const pid = pidOf(server);
  const isRunning = ids.includes(`id-${name}`);
  return [
    ...(pid !== undefined && !pids.has(pid)
      ? [`${name} is said to run as ${pid}, which is gone`]
      : []),
    ...(isRunning && kind !== 'connected' && kind !== 'connecting'
      ? [`${name} runs although it is ${kind}`]
      : []),
  ];
}

function pidOf({ state }: McpServer): number | undefined {
  return state.value.kind === 'connected' ? state.value.pid : undefined;
}

/** The processes of this run that are not zombies, with the server each belongs to. */
function findServers(marker: string): readonly { readonly pid: number; readonly id: string }[] {
  // at once, since a hundred reads in the background would hold up what is watched here
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), args: readCommandLine(name) }))
    .filter(({ args }) => args.includes(marker))
    .map(({ pid, args }) => ({ pid, id: args[2] ?? '' }));
}

function readCommandLine(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    // gone between listing and reading
    return [];
  }
}
