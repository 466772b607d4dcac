/** What clients have asked for and do not read: it is held here, so it is bounded. */
import { gatewayLimits } from './limits.js';

/** An answer, or a connection, of Node. */
export interface Outgoing {
  /** Bytes that wait to be read. */
  readonly writableLength: number;
  destroy(): unknown;
  once(event: 'close' | 'finish', listener: () => void): unknown;
}

interface Held {
  readonly outgoing: Outgoing;
  readonly client: string;
}

export class UnreadAnswers {
  /** The oldest first. */
  private readonly held = new Set<Held>();

  /**
   * Something was written to it. Where more waits than may be held, for this client or in all, whoever has read nothing
   * for longest is cut off.
   */
  look(outgoing: Outgoing, client: string): void {
    if (outgoing.writableLength < gatewayLimits.unreadWorthBytes) {
      return;
    }
    this.add(outgoing, client);
    this.bound(gatewayLimits.unreadOfClientBytes, (one) => one.client === client);
    this.bound(gatewayLimits.unreadBytes, () => true);
  }

  /** Bytes, of all clients. */
  get bytes(): number {
    return sum([...this.held]);
  }

  private add(outgoing: Outgoing, client: string): void {
    for (const one of this.held) {
      if (one.outgoing === outgoing) {
        return;
      }
    }
    const held = { outgoing, client };
    this.held.add(held);
    const forget = () => this.held.delete(held);
    outgoing.once('close', forget);
    outgoing.once('finish', forget);
  }

  private bound(maxBytes: number, isMeant: (one: Held) => boolean): void {
    const meant = [...this.held].filter(isMeant);
    while (sum(meant) > maxBytes) {
      const oldest = meant.shift();
      // one alone may be as large as what servers answer, and a stream goes on
      if (!oldest || (meant.length === 0 && sum([oldest]) <= gatewayLimits.unreadBytes)) {
        return;
      }
      this.held.delete(oldest);
      oldest.outgoing.destroy();
    }
  }
}

function sum(held: readonly Held[]): number {
  return held.reduce((bytes, { outgoing }) => bytes + outgoing.writableLength, 0);
}
