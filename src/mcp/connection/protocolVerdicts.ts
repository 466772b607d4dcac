import type { ProtocolVerdictStore } from './engine.js';

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

/** Text by key that outlives the process, such as a `vscode.Memento` or files of our own. */
export interface VerdictStorage {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string | undefined): Promise<void>;
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
