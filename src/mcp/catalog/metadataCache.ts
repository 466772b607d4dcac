import { hash } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Coalescer } from '../../base/async/coalescer.js';
import { errorMessage } from '../../base/errors.js';
import { type JsonObject, parseJsonObject } from '../../base/json.js';
import type { McpServerDefinition } from '../../config/definition.js';
import { launchHash } from '../../config/launch/launchHash.js';
import { readFileStart, readTextFile } from '../../platform/boundedFile.js';
import type { Logger } from '../../platform/ports.js';
import { writeFileAtomic } from '../../platform/stores/storedFile.js';
import { emptyCatalog, type McpCatalog } from '../mcpTypes.js';
import { parseCatalog, stringifyCatalog } from './catalogText.js';

const dayMs = 24 * 60 * 60 * 1000;
const maxAgeMs = 7 * dayMs;

/** An unchanged catalog is written again after this, so that it does not expire while its server is used. */
const refreshAfterMs = dayMs;
const saveDelayMs = 50;
/** Holds the header, whose only part of unknown length is the server's id. */
const headerBytes = 8192;
/** Larger catalogs are not shown before their server runs. */
const maxFileBytes = 64 * 1024 * 1024;
/** Of the files. */
const version = 2;

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
    const text = key === undefined ? undefined : await this.readText(definition);
    const header = text === undefined ? undefined : parseHeader(text);
    const isUsable = header?.key === key && this.now() - (header?.savedAt ?? 0) <= maxAgeMs;
    if (text === undefined || !isUsable) {
      return undefined;
    }
    const body = text.slice(text.indexOf('\n') + 1);
    const catalog = body.length === header?.length ? parseCatalog(body) : undefined;
    if (!catalog) {
      // its header would keep the whole one from being written
      await rm(this.pathOf(definition), { force: true }).catch(() => undefined);
    }
    return catalog;
  }

  /** `emptyCatalog` removes what there is. Returns at once; only the last of a burst of catalogs is written. {@link flush} waits. */
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
    if (catalog === emptyCatalog) {
      await rm(path, { force: true });
      return;
    }
    const text = stringifyCatalog(catalog);
    const digest = hash('sha256', text);
    const header: Header = { version, key, digest, length: text.length, savedAt: this.now() };
    const current = await readHeader(path);
    const isSame = current?.key === key && current.digest === digest;
    const isDue = header.savedAt - (current?.savedAt ?? 0) > refreshAfterMs;
    if (!isSame || isDue) {
      await writeFileAtomic(path, `${JSON.stringify(header)}\n${text}`);
    }
  }

  private async isFresh(path: string): Promise<boolean> {
    return stat(path).then(
      ({ mtimeMs }) => this.now() - mtimeMs <= maxAgeMs,
      () => false,
    );
  }

  private async readText(definition: McpServerDefinition): Promise<string | undefined> {
    // not there yet, or not ours
    return await readTextFile(this.pathOf(definition), maxFileBytes).catch(() => undefined);
  }

  private pathOf({ id }: McpServerDefinition): string {
    const name = hash('sha256', id).slice(0, 32);
    return join(this.options.directory, `${name}.json`);
  }

  private now(): number {
    return this.options.now?.() ?? Date.now();
  }
}

function keyOf({ id, launch }: McpServerDefinition): string | undefined {
  return launch && `${id} ${launchHash(launch)}`;
}

/** The first line of a file; the catalog follows. */
interface Header {
  readonly version: typeof version;
  readonly key: string;
  readonly digest: string;
  /** Of what follows, in UTF-16 units. */
  readonly length: number;
  /** Milliseconds since the epoch. */
  readonly savedAt: number;
}

async function readHeader(path: string): Promise<Header | undefined> {
  try {
    return parseHeader((await readFileStart(path, headerBytes)).toString('utf8'));
  } catch {
    // not there yet, or removed by another window
    return undefined;
  }
}

/** Of another version it is as good as none: the server is asked again. */
function parseHeader(text: string): Header | undefined {
  const value = parseJsonObject(text.slice(0, text.indexOf('\n')));
  return value?.version === version &&
    typeof value.key === 'string' &&
    typeof value.digest === 'string' &&
    typeof value.length === 'number' &&
    typeof value.savedAt === 'number'
    ? (value as JsonObject & Header)
    : undefined;
}
