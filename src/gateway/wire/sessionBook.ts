/** The sessions of all clients and addresses of a gateway. */
import type { Disposable } from '../../base/disposable.js';
import type { Clock } from '../../platform/clock.js';
import { gatewayLimits } from '../http/limits.js';

export interface BookedSession {
  /** Something of it is open: a stream or a request. */
  readonly isBusy: boolean;
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

  constructor(private readonly clock: Clock) {}

  get size(): number {
    return this.entries.size;
  }

  /** Makes room by ending the session that nobody has used for longest. @returns false when all are in use. */
  hasRoom(): boolean {
    if (this.entries.size < gatewayLimits.sessions) {
      return true;
    }
    const now = this.clock.elapsed();
    const [spare] = [...this.entries]
      .filter(
        ([, { session, usedAt }]) =>
          !session.isBusy && now - usedAt >= gatewayLimits.sessionSpareMs,
      )
      .sort(([, a], [, b]) => a.usedAt - b.usedAt);
    if (!spare) {
      return false;
    }
    void this.end(spare[0]);
    return true;
  }

  add(id: string, session: BookedSession): void {
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

  async endAll(): Promise<void> {
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
