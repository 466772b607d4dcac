import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { Coalescer } from '../../base/coalescer.js';
import { errorMessage } from '../../base/errors.js';
import { isJsonObject, stableStringify } from '../../base/json.js';
import { emptyCatalog, type McpCatalog, type McpServerDefinition } from '../mcpTypes.js';
import type { Logger } from '../ports.js';
import { writeFileAtomic } from '../storedFile.js';
import { launchHash } from '../trust/launchHash.js';

const dayMs = 24 * 60 * 60 * 1000;
const maxAgeMs = 7 * dayMs;

const saveDelayMs = 50;

/** Writes the catalogs of one server, one at a time. */
interface Writer {
  next: { readonly definition: McpServerDefinition; readonly catalog: McpCatalog } | undefined;
  readonly coalescer: Coalescer;
}

export interface MetadataCacheOptions {
  /** Absolute; created when needed. */
  readonly directory: string;
  readonly logger: Logger;
  /** Milliseconds since the epoch. Default: the current time. */
  readonly now?: () => number;
}

/**
 * What servers offered when they were last connected, one small file per server: a window shows tools while nothing
 * runs. Each file is written whole, so that many windows can share the folder.
 */
export class MetadataCache {
  private readonly writers = new Map</* server id */ string, Writer>();

  constructor(private readonly options: MetadataCacheOptions) {}

  /** The catalog of exactly this definition, if it is at most 7 days old. Never rejects. */
  async load(definition: McpServerDefinition): Promise<McpCatalog | undefined> {
    const key = keyOf(definition);
    const path = this.pathOf(definition);
    if (key === undefined || !(await this.isFresh(path))) {
      return undefined;
    }
    const entry = await readJson(path);
    return isJsonObject(entry) && entry.key === key ? parseCatalog(entry.catalog) : undefined;
  }

  /** Returns at once; only the last of a burst of catalogs is written. {@link flush} waits. */
  save(definition: McpServerDefinition, catalog: McpCatalog): void {
    const writer = this.writers.get(definition.id) ?? this.createWriter(definition.id);
    writer.next = { definition, catalog };
    writer.coalescer.request();
  }

  async flush(): Promise<void> {
    await Promise.all([...this.writers.values()].map(({ coalescer }) => coalescer.flush()));
  }

  /** Removes what is older than 7 days. Never rejects. */
  async evict(): Promise<void> {
    const { directory } = this.options;
    const names = await readdir(directory).catch(() => []);
    await Promise.all(
      names.map(async (name) => {
        const path = join(directory, name);
        if (!(await this.isFresh(path))) {
          await rm(path, { force: true }).catch(() => undefined);
        }
      }),
    );
  }

  private createWriter(id: string): Writer {
    const work = async () => {
      const { next } = writer;
      if (next) {
        writer.next = undefined;
        await this.write(next.definition, next.catalog);
      }
    };
    const onError = (error: unknown) =>
      this.options.logger.log('warn', `A catalog was not saved: ${errorMessage(error)}`);
    const coalescer = new Coalescer(work, { delayMs: saveDelayMs, onError });
    const writer: Writer = { next: undefined, coalescer };
    this.writers.set(id, writer);
    return writer;
  }

  private async write(definition: McpServerDefinition, catalog: McpCatalog): Promise<void> {
    const key = keyOf(definition);
    if (key === undefined) {
      return;
    }
    const path = this.pathOf(definition);
    const text = stableStringify({ key, catalog });
    const isSame = await readFile(path, 'utf8').then(
      (current) => current === text,
      () => false,
    );
    if (isSame) {
      const now = new Date(this.now());
      await utimes(path, now, now);
    } else {
      await writeFileAtomic(path, text);
    }
  }

  private async isFresh(path: string): Promise<boolean> {
    return stat(path).then(
      ({ mtimeMs }) => this.now() - mtimeMs <= maxAgeMs,
      () => false,
    );
  }

  private pathOf({ id }: McpServerDefinition): string {
    const name = createHash('sha256').update(id).digest('hex').slice(0, 32);
    return join(this.options.directory, `${name}.json`);
  }

  private now(): number {
    return this.options.now?.() ?? Date.now();
  }
}

function keyOf({ id, launch }: McpServerDefinition): string | undefined {
  return launch && `${id} ${launchHash(launch)}`;
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    // removed by another window, or damaged: the server is asked again
    return undefined;
  }
}

function parseCatalog(value: unknown): McpCatalog | undefined {
  const lists = ['tools', 'resources', 'resourceTemplates', 'prompts', 'notices'] as const;
  const isCatalog = isJsonObject(value) && lists.every((list) => Array.isArray(value[list]));
  return isCatalog ? { ...emptyCatalog, ...value } : undefined;
}
