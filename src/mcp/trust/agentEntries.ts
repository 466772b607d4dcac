import { errorMessage } from '../../base/errors.js';
import { globalPoolId, type McpServerDefinition } from '../../config/definition.js';
import { launchHash } from '../../config/launch/launchHash.js';
import type { Logger } from '../../platform/ports.js';
import { addAgentEntry } from './canStart.js';
import type { TrustStore } from './trustStore.js';

export interface AgentEntriesOptions {
  readonly store: TrustStore;
  readonly logger: Logger;
  /** As they were read last. */
  readonly definitions: () => readonly McpServerDefinition[];
  /** Reads all files again. */
  readonly reread: () => Promise<void>;
}

/** Which entries of folders came, or changed, while calls of the agent ran: those count as written by it. */
export class AgentEntries {
  /** Calls whose writes are not all known. */
  private running = 0;
  /** What there was before the first of the running calls, and what was noted since. */
  private known: Set<string> | undefined;

  constructor(private readonly options: AgentEntriesOptions) {}

  /** A call begins, which could write files. @returns what says that it has ended */
  begin(): () => void {
    this.running++;
    this.known ??= new Set(this.options.definitions().flatMap(keyOf));
    let hasEnded = false;
    return () => {
      if (!hasEnded) {
        hasEnded = true;
        void this.end();
      }
    };
  }

  /** Files were read; before anything of them starts. */
  follow(): void {
    const { known } = this;
    for (const definition of known ? this.options.definitions() : []) {
      const [key] = keyOf(definition);
      const { poolId, name, launch } = definition;
      if (key !== undefined && launch && !known?.has(key)) {
        known?.add(key);
        // holds for this window at once; the store goes on trying to write it
        this.options.store
          .update(poolId, (stored) => addAgentEntry(stored, name, launchHash(launch)))
          .catch((error: unknown) => this.log(error));
      }
    }
  }

  /** What a call has written is known only now. */
  private async end(): Promise<void> {
    try {
      await this.options.reread();
      this.follow();
    } catch (error) {
      this.log(error);
    }
    this.running--;
    if (this.running === 0) {
      this.known = undefined;
    }
  }

  private log(error: unknown): void {
    this.options.logger.log('error', errorMessage(error));
  }
}

/** None for what would not start, and for what is no folder's. */
function keyOf({ poolId, name, launch, enabled }: McpServerDefinition): readonly string[] {
  return enabled && launch && poolId !== globalPoolId
    ? [JSON.stringify([poolId, name, launchHash(launch)])]
    : [];
}
