/** The sessions of all clients and addresses of a gateway. */
import type { Disposable } from '../../base/disposable.js';
import { groupBy } from '../../base/lists.js';
import type { Clock } from '../../platform/clock.js';
import { gatewayLimits } from '../http/limits.js';

export interface BookedSession {
  /** Something of it is open: a stream or a request. */
  readonly isBusy: boolean;
  /** A request of it runs; else it only listens. Default: as it is busy. */
  readonly isCalled?: boolean;
  /** As it calls itself. Default: it has not said so yet. */
  readonly client?: string | undefined;
  /** It has to say so soon, and takes nobody's place until then. Default: it need not. */
  readonly isUnnamed?: boolean;
  /** Ends it and everything that it has under way. Never rejects. */
  close(): Promise<void>;
}

interface Entry {
  readonly session: BookedSession;
  usedAt: number;
  expiry: Disposable;
}

export class SessionBook {
  private readonly entries = new Map<string, Entry>();
  private hasEnded = false;

  constructor(private readonly clock: Clock) {}

  get size(): number {
    return this.entries.size;
  }

  /**
   * Makes room by ending a session that nobody uses, or one of the client that has most, of those in which nothing runs
   * the one that was not used for longest. @returns false when the others have no more than this client, or all have ended.
   */
  hasRoom(client?: string): boolean {
    if (this.hasEnded) {
      return false;
    }
    const named = [...this.entries].filter(([, { session }]) => !session.isUnnamed);
    if (named.length < gatewayLimits.sessions) {
      return true;
    }
    const since = this.clock.elapsed() - gatewayLimits.sessionSpareMs;
    const idle = named
      .filter(([, { session }]) => !(session.isCalled ?? session.isBusy))
      .sort(([, a], [, b]) => a.usedAt - b.usedAt);
    const clients = named.map(([, { session }]) => session.client);
    const largest = largestClient(clients, client);
    const isSpare = ({ session, usedAt }: Entry) => !session.isBusy && usedAt <= since;
    const isOfLargest = ({ session }: Entry) =>
      largest !== undefined && session.client === largest.client;
    const spare =
      idle.find(([, entry]) => isSpare(entry)) ??
      idle.find(([, entry]) => isOfLargest(entry)) ??
      idle.find(([, { usedAt }]) => usedAt <= since);
    if (!spare) {
      return false;
    }
    void this.end(spare[0]);
    return true;
  }

  /** One that was still being opened when all ended is ended, too. */
  add(id: string, session: BookedSession): void {
    if (this.hasEnded) {
      void session.close();
      return;
    }
    if (session.isUnnamed) {
      this.clock.after(gatewayLimits.provingMs, () => {
        if (this.entries.get(id)?.session.isUnnamed) {
          void this.end(id);
        }
      });
    }
    this.entries.set(id, {
      session,
      usedAt: this.clock.elapsed(),
      expiry: this.expireLater(id, gatewayLimits.sessionIdleMs),
    });
  }

  touch(id: string): void {
    const entry = this.entries.get(id);
    if (entry) {
      entry.usedAt = this.clock.elapsed();
    }
  }

  /** The session has ended by itself. */
  remove(id: string): void {
    this.entries.get(id)?.expiry.dispose();
    this.entries.delete(id);
  }

  async end(id: string): Promise<void> {
    const session = this.entries.get(id)?.session;
    this.remove(id);
    await session?.close();
  }

  /** For good. */
  async endAll(): Promise<void> {
    this.hasEnded = true;
    await Promise.all([...this.entries.keys()].map((id) => this.end(id)));
  }

  private expireLater(id: string, ms: number): Disposable {
    return this.clock.after(ms, () => {
      const entry = this.entries.get(id);
      if (!entry) {
        return;
      }
      const unusedMs = this.clock.elapsed() - entry.usedAt;
      if (!entry.session.isBusy && unusedMs >= gatewayLimits.sessionIdleMs) {
        void this.end(id);
        return;
      }
      const restMs = entry.session.isBusy
        ? gatewayLimits.sessionIdleMs
        : gatewayLimits.sessionIdleMs - unusedMs;
      entry.expiry = this.expireLater(id, restMs);
    });
  }
}

/** Of those that would have no less than this one after it got another session. @param clients of each session */
function largestClient(
  clients: readonly (string | undefined)[],
  client: string | undefined,
): { readonly client: string | undefined } | undefined {
  const counts = groupBy(clients, (name) => name);
  const own = counts.get(client)?.length ?? 0;
  const [first] = [...counts].sort(([, a], [, b]) => b.length - a.length);
  return first && first[1].length > own + 1 ? { client: first[0] } : undefined;
}
