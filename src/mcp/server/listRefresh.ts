import { linkSignals, raceWithSignal } from '../../base/async/cancellation.js';
import { stableStringify } from '../../base/json.js';
import { largest, smallest } from '../../base/lists.js';
import type { Clock } from '../../platform/clock.js';
import type { McpConnection } from '../connection/mcpConnection.js';
import type { RequestOptions } from '../connection/session/engine.js';
import type { McpServer } from '../mcpApi.js';
import type { McpCatalog, McpListKind, SlowLists } from '../mcpTypes.js';
import { ListPace } from './listPace.js';
import { listsOfKind, readCatalog, readCatalogPart } from './readCatalog.js';

export interface CatalogReadingOptions {
  readonly clock: Clock;
  /** Of each list that is read again. */
  readonly timeoutMs: () => number;
  /** Runs the reading of a list that is said to have changed, or to be good no more. @returns its answer; undefined when it failed. */
  readonly run: <T>(kind: McpListKind, read: () => Promise<T>) => Promise<T | undefined>;
  /** What has changed since {@link CatalogReading.read} was answered. */
  readonly onNews: (part: Partial<McpCatalog>) => void;
  /** The lists that are read after a pause only; undefined when there are none any more. */
  readonly onDidChangePace: (slow: SlowLists | undefined) => void;
}

/** Milliseconds that a list is good for at least, whatever its server says. */
const shortestTtlMs = 1_000;
const kinds = ['tools', 'resources', 'prompts'] as const satisfies readonly McpListKind[];

/**
 * The lists of one connection. From its first moment on a list is read again when it changes, never twice at the same
 * time, however slow its server is; what was read last counts.
 */
export class CatalogReading {
  private readonly paces: Readonly<Record<McpListKind, ListPace>>;
  private readonly pauses = new Map<McpListKind, number>();
  /** As the server gave them. */
  private known: Partial<McpCatalog> = {};
  /** What has changed while something was read for the first time; undefined when that is over. */
  private early: Set<McpListKind> | undefined = new Set();
  /** On the measuring clock: when what was read is good no more, as the server says. */
  private readonly staleAt = new Map<McpListKind, number>();
  private isOver = false;

  constructor(
    private readonly connection: McpConnection,
    private readonly options: CatalogReadingOptions,
  ) {
    this.paces = {
      tools: this.createPace('tools'),
      resources: this.createPace('resources'),
      prompts: this.createPace('prompts'),
    };
    connection.session.onDidChangeList((kind) => this.noteChange(kind));
    connection.onDidClose(() => {
      this.isOver = true;
      for (const pace of Object.values(this.paces)) {
        pace.dispose();
      }
    });
  }

  /** Reads everything for the first time. Call it once. @throws as {@link readCatalog} does. */
  async read(options: RequestOptions): Promise<McpCatalog> {
    const { session } = this.connection;
    let catalog = await readCatalog(session, options);
    const changed = this.early ?? [];
    this.early = new Set();
    for (const kind of changed) {
      const part = await this.options.run(kind, () => readCatalogPart(session, kind, options));
      catalog = { ...catalog, ...part };
    }
    options.signal?.throwIfAborted();
    this.known = catalog;
    for (const kind of kinds) {
      this.noteRead(kind);
    }
    const changedAgain = this.early;
    this.early = undefined;
    for (const kind of changedAgain) {
      this.noteChange(kind);
    }
    return catalog;
  }

  /**
   * Reads again what its server says is good no more, never twice at the same time, and no sooner than after a second.
   * To be called when the lists are used. Never rejects.
   */
  async refreshStale(): Promise<void> {
    const now = this.options.clock.elapsed();
    const stale = kinds.filter(
      (kind) => now >= (this.staleAt.get(kind) ?? Number.POSITIVE_INFINITY),
    );
    await Promise.all(
      stale.map((kind) => {
        // also where it fails
        this.staleAt.set(kind, now + shortestTtlMs);
        return this.paces[kind].refresh();
      }),
    );
  }

  private noteRead(kind: McpListKind): void {
    const { listHints } = this.connection.session;
    const said = listsOfKind[kind].flatMap((key) => listHints.get(key)?.ttlMs ?? []);
    // for ever where nothing is said
    const ttlMs = Math.max(shortestTtlMs, smallest(said));
    this.staleAt.set(kind, this.options.clock.elapsed() + ttlMs);
  }

  private createPace(kind: McpListKind): ListPace {
    return new ListPace({
      clock: this.options.clock,
      read: async () => (await this.options.run(kind, () => this.readAgain(kind))) === true,
      onDidChangePause: (pauseMs) => this.notePause(kind, pauseMs),
    });
  }

  /** @returns whether the lists of this kind are other ones now. */
  private async readAgain(kind: McpListKind): Promise<boolean> {
    const timeoutMs = this.options.timeoutMs();
    const part = await readCatalogPart(this.connection.session, kind, { timeoutMs });
    this.noteRead(kind);
    const known = Object.keys(part).map((key) => [key, this.known[key as keyof McpCatalog]]);
    if (this.isOver || stableStringify(part) === stableStringify(Object.fromEntries(known))) {
      return false;
    }
    this.known = { ...this.known, ...part };
    this.options.onNews(part);
    return true;
  }

  private notePause(kind: McpListKind, pauseMs: number): void {
    if (pauseMs > 0) {
      this.pauses.set(kind, pauseMs);
    } else {
      this.pauses.delete(kind);
    }
    const slow = { lists: [...this.pauses.keys()], pauseMs: largest(this.pauses.values()) };
    this.options.onDidChangePace(slow.lists.length > 0 ? slow : undefined);
  }

  private noteChange(kind: McpListKind): void {
    if (this.early) {
      this.early.add(kind);
    } else {
      this.paces[kind].request();
    }
  }
}

/**
 * Reads again what servers say is good no more, for whoever is about to use their lists; waits only so long for it.
 * Never rejects.
 */
export async function refreshSoon(
  servers: readonly Pick<McpServer, 'refreshLists'>[],
  waitMs: number,
  signal?: AbortSignal,
): Promise<void> {
  const either = linkSignals(signal, AbortSignal.timeout(waitMs));
  const refreshed = Promise.all(servers.map((server) => server.refreshLists()));
  await raceWithSignal(refreshed, either.signal).catch(() => undefined);
  either.dispose();
}
