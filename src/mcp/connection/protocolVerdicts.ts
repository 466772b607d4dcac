import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readTextFile } from '../../platform/boundedFile.js';
import { writeFileAtomic } from '../../platform/stores/storedFile.js';
import type { ProtocolVerdictStore } from './session/engine.js';

/** A server that learned the newer generation is noticed after this many milliseconds. */
const verdictLifeMs = 24 * 60 * 60_000;

/** Lives as long as whoever holds it. */
export class MemoryVerdict implements ProtocolVerdictStore {
  private verdict: 'legacy' | undefined;

  async read(): Promise<'legacy' | undefined> {
    return this.verdict;
  }

  async write(verdict: 'legacy' | undefined): Promise<void> {
    this.verdict = verdict;
  }
}

/** Text by key. */
export interface VerdictStorage {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string | undefined): Promise<void>;
}

export class MemoryVerdicts implements VerdictStorage {
  private readonly values = new Map<string, string>();

  async get(key: string): Promise<string | undefined> {
    return this.values.get(key);
  }

  async set(key: string, value: string | undefined): Promise<void> {
    if (value === undefined) {
      this.values.delete(key);
    } else {
      this.values.set(key, value);
    }
  }
}

/** One small file for each key, so that windows do not overwrite each other's. */
export class FileVerdicts implements VerdictStorage {
  /** @param directory absolute path. Keys must be usable as file names. */
  constructor(private readonly directory: string) {}

  async get(key: string): Promise<string | undefined> {
    return readTextFile(join(this.directory, key)).catch(() => undefined);
  }

  async set(key: string, value: string | undefined): Promise<void> {
    const path = join(this.directory, key);
    await (value === undefined ? rm(path, { force: true }) : writeFileAtomic(path, value));
  }
}

/** The verdicts on all servers, each good for a day. */
export class ProtocolVerdicts {
  constructor(
    private readonly storage: VerdictStorage,
    private readonly now: () => number = Date.now,
  ) {}

  /** @param key changes with everything that decides what answers, such as the hash of a launch. */
  for(key: string): ProtocolVerdictStore {
    return {
      read: async () => {
        const writtenAt = await this.storage.get(key).catch(() => undefined);
        const age = this.now() - Number(writtenAt ?? Number.NaN);
        return age >= 0 && age < verdictLifeMs ? 'legacy' : undefined;
      },
      write: async (verdict) => {
        const value = verdict && String(this.now());
        // asking once more does no harm
        await this.storage.set(key, value).catch(() => undefined);
      },
    };
  }
}
