import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { SharedRun } from '../../base/async/sharedRun.js';
import { bootSession } from '../bootSession.js';
import { renameOver } from '../stores/storedFile.js';
import type { ProcessIdentity } from './identity.js';
import type { LedgerChild, LedgerFile, LedgerIntent } from './ledgerFile.js';
import {
  endLeftovers,
  type Leftover,
  type LeftoverOutcome,
  type LeftoverSearch,
  listLeftovers,
  sweepLeftovers,
  sweepScope,
} from './leftovers.js';
import { createMarker } from './marker.js';
import { createProcessSystem, type ProcessSystem } from './system.js';
import { treeOf } from './table.js';
import type { ProcessTree } from './tree.js';

export interface ProcessLedgerOptions {
  /** Absolute; holds one small file per owner. Created when needed. */
  readonly directory: string;
  readonly tree: ProcessTree;
  /** Paths of the folders that are open in this window. Default: none. */
  readonly folders?: () => readonly string[];
  /** Default: this machine. */
  readonly system?: ProcessSystem;
  readonly onError?: (error: unknown) => void;
}

/**
 * Keeps on disk which processes this window runs, so that after a crash the next activation ends what was left
 * behind. It writes at once, without a thread: those may all be busy, and whoever is not on record yet is lost.
 */
export class ProcessLedger {
  private readonly children = new Map</* pid */ number, LedgerChild>();
  /** Who is to be on record, by an object per run, since pids come again. */
  private readonly runs = new Map</* pid */ number, object>();
  private readonly intents = new Map</* marker */ string, LedgerIntent>();
  private readonly pending = new Set<Promise<void>>();
  private readonly writes = new SharedRun(() => this.write());
  private readonly system: ProcessSystem;
  private readonly tables: SharedRun<Awaited<ReturnType<ProcessSystem['table']>>>;
  private self: Promise<ProcessIdentity | undefined> | undefined;

  constructor(private readonly options: ProcessLedgerOptions) {
    const system = options.system ?? createProcessSystem();
    this.system = system;
    this.tables = new SharedRun(() => system.table());
  }

  /** Names a new run for the `markerVariable` of its environment. Never rejects. */
  async newMarker(): Promise<string> {
    const owner = await this.identity();
    return createMarker(owner && { ...owner, scope: sweepScope(this.options.directory) });
  }

  /**
   * Where a process does not show who started it: what is about to be started, until it is recorded or given up.
   * Never rejects.
   */
  async intend(marker: string, executable: string): Promise<void> {
    if (!this.system.showsEnvironments) {
      this.intents.set(marker, { marker, executable, at: Date.now() });
      await this.writes.run().catch((error: unknown) => this.options.onError?.(error));
    }
  }

  /** Nothing was started. Returns at once; {@link flush} waits. */
  giveUp(marker: string): void {
    if (this.intents.delete(marker)) {
      this.track(() => this.writes.run());
    }
  }

  /** Returns at once; {@link flush} waits. */
  record(pid: number, marker?: string): void {
    const run = {};
    this.runs.set(pid, run);
    this.track(async () => {
      const start = await this.system.startTime(pid);
      if (start !== undefined && this.runs.get(pid) === run) {
        this.children.set(pid, { pid, start, marker });
        this.intents.delete(marker ?? '');
        await this.writes.run();
      }
    });
  }

  /**
   * Looks what a recorded process has started, so that it is known for ours although the process may die first.
   * Returns at once; {@link flush} waits.
   */
  recordMembers(pid: number): void {
    const run = this.runs.get(pid);
    this.track(async () => {
      const rows = treeOf(pid, (await this.tables.run()) ?? []);
      const isFree = (group: number | undefined) =>
        this.children.get(pid)?.marker === undefined && group !== pid;
      const members = rows
        .filter((row) => row.pid !== pid && !isFree(row.group))
        .map((row) => ({ pid: row.pid, start: row.start }));
      const child = this.children.get(pid);
      if (child && this.runs.get(pid) === run && members.length > 0) {
        this.children.set(pid, { ...child, members });
        await this.writes.run();
      }
    });
  }

  /** Returns at once; {@link flush} waits. */
  forget(pid: number): void {
    this.runs.delete(pid);
    if (this.children.delete(pid)) {
      this.track(() => this.writes.run());
    }
  }

  /** Resolves when everything recorded or forgotten so far is on disk. */
  async flush(): Promise<void> {
    while (this.pending.size > 0) {
      await Promise.all(this.pending);
    }
  }

  /** Ends what dead owners left behind and removes their files. Never rejects. @returns the pids that were ended. */
  async sweep(): Promise<readonly number[]> {
    return sweepLeftovers(this.search);
  }

  /** What {@link sweep} would end now; see {@link listLeftovers}. */
  async leftovers(): Promise<readonly Leftover[] | undefined> {
    return listLeftovers(this.search);
  }

  /** See {@link endLeftovers}. */
  async end(keys: readonly string[]): Promise<readonly LeftoverOutcome[]> {
    return endLeftovers(keys, this.search);
  }

  private get search(): LeftoverSearch {
    const { directory, tree, onError = () => undefined } = this.options;
    return { directory, tree, system: this.system, onError };
  }

  /** Who this window is; asked once, unless the system does not say. */
  private async identity(): Promise<ProcessIdentity | undefined> {
    this.self ??= this.system
      .startTime(process.pid)
      .then((start) => (start === undefined ? undefined : { pid: process.pid, start }));
    const self = await this.self;
    if (self === undefined) {
      this.self = undefined;
    }
    return self;
  }

  private track(task: () => Promise<void>): void {
    const tracked = task()
      .catch((error) => this.options.onError?.(error))
      .finally(() => this.pending.delete(tracked));
    this.pending.add(tracked);
  }

  private async write(): Promise<void> {
    const { directory } = this.options;
    const owner = await this.identity();
    if (!owner) {
      throw new Error('The system does not say when this process started.');
    }
    const file = path.join(directory, `${bootSession()}-${owner.pid}.json`);
    if (this.children.size === 0 && this.intents.size === 0) {
      rmSync(file, { force: true });
      return;
    }
    const content: LedgerFile = {
      session: bootSession(),
      owner,
      folders: this.options.folders?.() ?? [],
      children: [...this.children.values()],
      intents: [...this.intents.values()],
    };
    mkdirSync(directory, { recursive: true });
    const draft = `${file}.tmp`;
    writeFileSync(draft, JSON.stringify(content), { mode: 0o600 });
    try {
      renameSync(draft, file);
    } catch {
      // on Windows somebody may be reading it
      await renameOver(draft, file);
    }
  }
}
