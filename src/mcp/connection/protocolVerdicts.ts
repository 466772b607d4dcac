import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readTextFile } from '../../platform/boundedFile.js';
import { writeFileAtomic } from '../../platform/stores/storedFile.js';
import type { ProtocolVerdictStore } from './session/engine.js';

/** A server that learned the newer generation is noticed after this many milliseconds. */
const verdictLifeMs = 24 * 60 * 60_000;

/** The verdicts on all servers, each good for a day. */
export class ProtocolVerdicts {
  private readonly writtenAt = new Map</* key */ string, string | undefined>();

  /**
   * @param directory absolute path of what has one small file for each, so that windows do not overwrite each other's;
   * `undefined`: they live as long as whoever holds them.
   */
  constructor(
    private readonly directory?: string,
    private readonly now: () => number = Date.now,
  ) {}

  /** @param key changes with everything that decides what answers, such as the hash of a launch; usable as the name of a file. */
  for(key: string): ProtocolVerdictStore {
    const path = this.directory && join(this.directory, key);
    return {
      read: async () => {
        const writtenAt = path
          ? await readTextFile(path).catch(() => undefined)
          : this.writtenAt.get(key);
        const age = this.now() - Number(writtenAt ?? Number.NaN);
        return age >= 0 && age < verdictLifeMs ? 'legacy' : undefined;
      },
      write: async (verdict) => {
        const time = verdict && String(this.now());
        if (!path) {
          this.writtenAt.set(key, time);
          return;
        }
        // asking once more does no harm
        await (time ? writeFileAtomic(path, time) : rm(path, { force: true })).catch(
          () => undefined,
        );
      },
    };
  }
}
