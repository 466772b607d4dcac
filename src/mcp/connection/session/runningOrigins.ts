/** Whose requests run, and what is refused to a server. */
import type { Cause, RequestOrigin } from '../../originTypes.js';

/**
 * The requests that run on one connection. No server says to which of them a question or a log message belongs, so both
 * belong to a client only while it alone has something running.
 */
export class RunningOrigins {
  private readonly running: (RequestOrigin | undefined)[] = [];
  /** Clients for which something has run on the connection; `several` for all beyond the first. */
  private past: { readonly client: object | undefined } | 'several' | undefined;

  begin(origin: RequestOrigin | undefined): void {
    this.running.push(origin);
    const client = origin?.client;
    if (this.past === undefined) {
      this.past = { client };
    } else if (this.past !== 'several' && this.past.client !== client) {
      this.past = 'several';
    }
  }

  /** @returns whether nothing runs for this one any more */
  end(origin: RequestOrigin | undefined): boolean {
    const at = this.running.lastIndexOf(origin);
    if (at !== -1) {
      this.running.splice(at, 1);
    }
    return !this.running.includes(origin);
  }

  /** Of a question that comes now; `undefined`: of the user, of several, or of nobody. */
  get sole(): RequestOrigin | undefined {
    const last = this.running.at(-1);
    return this.running.every((one) => one?.client === last?.client) ? last : undefined;
  }

  /** Of a message that comes now. */
  get cause(): Cause {
    const [first, ...others] = this.running;
    if (this.running.length === 0) {
      // it may still be about a request that has been answered
      return this.past === undefined
        ? { kind: 'nobody' }
        : this.past === 'several'
          ? { kind: 'unknown' }
          : { kind: 'client', client: this.past.client };
    }
    return others.every((one) => one?.client === first?.client)
      ? { kind: 'client', client: first?.client }
      : { kind: 'unknown' };
  }
}

/** Refuses a server's request; the code and the message reach the server. */
export class RefusedRequestError extends Error {
  override readonly name = 'RefusedRequestError';

  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}
