import { Coalescer } from '../../base/async/coalescer.js';
import type { McpConnection } from '../connection/mcpConnection.js';
import type { McpListKind, RequestOptions } from '../connection/session/engine.js';
import type { McpCatalog } from '../mcpTypes.js';
import { readCatalog, readCatalogPart } from './readCatalog.js';

export interface CatalogReadingOptions {
  /** Of each list that is read again. */
  readonly timeoutMs: () => number;
  /** Runs the reading of a list that has changed. */
  readonly run: (kind: McpListKind, read: () => Promise<void>) => Promise<void>;
  /** What has changed since {@link CatalogReading.read} was answered. */
  readonly onNews: (part: Partial<McpCatalog>) => void;
}

/**
 * The lists of one connection. From its first moment on a list is read again when it changes, never twice at the same
 * time, however slow its server is; what was read last counts.
 */
export class CatalogReading {
  private readonly refreshes: Readonly<Record<McpListKind, Coalescer>>;
  /** What has changed while something was read for the first time; undefined when that is over. */
  private early: Set<McpListKind> | undefined = new Set();
  private isOver = false;

  constructor(
    private readonly connection: McpConnection,
    private readonly options: CatalogReadingOptions,
  ) {
    this.refreshes = {
      tools: this.createRefresh('tools'),
      resources: this.createRefresh('resources'),
      prompts: this.createRefresh('prompts'),
    };
    connection.session.onDidChangeList((kind) => this.noteChange(kind));
    connection.onDidClose(() => {
      this.isOver = true;
      for (const refresh of Object.values(this.refreshes)) {
        refresh.dispose();
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
      await this.options.run(kind, async () => {
        catalog = { ...catalog, ...(await readCatalogPart(session, kind, options)) };
      });
    }
    options.signal?.throwIfAborted();
    const changedAgain = this.early;
    this.early = undefined;
    for (const kind of changedAgain) {
      this.noteChange(kind);
    }
    return catalog;
  }

  private createRefresh(kind: McpListKind): Coalescer {
    const read = async () => {
      const timeoutMs = this.options.timeoutMs();
      const part = await readCatalogPart(this.connection.session, kind, { timeoutMs });
      if (!this.isOver) {
        this.options.onNews(part);
      }
    };
    return new Coalescer(() => this.options.run(kind, read), { delayMs: 0 });
  }

  private noteChange(kind: McpListKind): void {
    if (this.early) {
      this.early.add(kind);
    } else {
      this.refreshes[kind].request();
    }
  }
}
