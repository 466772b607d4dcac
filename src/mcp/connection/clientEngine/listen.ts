import type { Client } from '@modelcontextprotocol/client';
import { delay, whenAborted } from '../../../base/async/cancellation.js';
import { briefly } from '../../../base/errors.js';
import { defined, isJsonObject, type JsonObject } from '../../../base/json.js';
import type { LogLevel } from '../../../platform/ports.js';

const firstWaitMs = 1000;
const maxWaitMs = 60_000;
/** A subscription that lived longer was healthy. */
const healthyMs = 30_000;
const acknowledgeTimeoutMs = 15_000;
const maxResources = 200;

type Filter = Parameters<Client['listen']>[0];

/**
 * Servers of the newer generation announce changes only to who listens. Keeps one subscription open until `signal`
 * aborts, with growing pauses between attempts. Never rejects.
 */
export class ChangeListener {
  private readonly resources = new Set</* uri */ string>();
  private restart = new AbortController();

  constructor(
    private readonly client: Client,
    private readonly signal: AbortSignal,
    private readonly onNotice: (level: LogLevel, message: string) => void,
  ) {}

  start(): void {
    // one listener for all attempts: Node keeps what `AbortSignal.any` gives as long as the longer signal lives
    this.signal.addEventListener('abort', () => this.restart.abort(), { once: true });
    void this.listenForEver().catch(() => undefined);
  }

  /** Bounded: beyond {@link maxResources} nothing is added. */
  watch(uri: string, isWatched: boolean): void {
    if (isWatched && this.resources.size < maxResources) {
      this.resources.add(uri);
    } else {
      this.resources.delete(uri);
    }
    this.restart.abort();
  }

  private async listenForEver(): Promise<void> {
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, maxWaitMs)) {
      this.restart = new AbortController();
      const startedAt = performance.now();
      const filter = this.filter();
      if (Object.keys(filter).length > 0) {
        await this.listen(filter);
      } else {
        await whenAborted(this.restart.signal);
      }
      if (this.restart.signal.aborted || performance.now() - startedAt > healthyMs) {
        waitMs = firstWaitMs;
      }
      // something new to listen for ends the wait
      await delay(waitMs, this.restart.signal).catch(() => undefined);
      this.signal.throwIfAborted();
    }
  }

  private async listen(filter: Filter): Promise<void> {
    const { signal } = this.restart;
    try {
      const subscription = await this.client.listen(filter, {
        signal,
        timeout: acknowledgeTimeoutMs,
      });
      await subscription.closed;
    } catch (error) {
      if (!signal.aborted) {
        this.onNotice('debug', `subscriptions/listen: ${briefly(error)}`);
      }
    }
  }

  private filter(): Filter {
    const capabilities = (this.client.getServerCapabilities() ?? {}) as JsonObject;
    const announces = (key: string) => {
      const capability = capabilities[key];
      return (isJsonObject(capability) && capability.listChanged === true) || undefined;
    };
    return defined({
      toolsListChanged: announces('tools'),
      promptsListChanged: announces('prompts'),
      resourcesListChanged: announces('resources'),
      resourceSubscriptions: this.resources.size > 0 ? [...this.resources] : undefined,
    });
  }
}
