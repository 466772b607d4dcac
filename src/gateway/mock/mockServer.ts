/** A recorded server on its wires: for one client on a stream, or over HTTP behind the same door as the gateway. */
import type { Duplex } from 'node:stream';
import { systemClock } from '../../platform/clock.js';
import { AccessTokens } from '../http/accessTokens.js';
import { type GuardedRequest, HttpDoor, refuse } from '../http/httpDoor.js';
import { UnreadAnswers } from '../http/unread.js';
import { acceptMessage, passMessage } from '../wire/httpMessages.js';
import { loadWire } from '../wire/loadWire.js';
import { SessionBook } from '../wire/sessionBook.js';
import type { EndpointWire, ServedEndpoint } from '../wire/wireTypes.js';

export interface MockOptions {
  readonly endpoint: ServedEndpoint;
  readonly version: string;
  readonly onError: (error: unknown) => void;
}

interface MockServerOptions extends MockOptions {
  /** 0: any that is free. */
  readonly port: number;
}

const path = '/mcp';

/** Resolves when the client is gone, or the signal has aborted. */
export async function serveMock(
  options: MockOptions,
  stream: Duplex,
  signal: AbortSignal,
): Promise<void> {
  const { serveAlone } = await loadWire();
  await serveAlone({ ...options, unread: new UnreadAnswers(), signal }, stream);
}

export class MockServer {
  private constructor(
    readonly url: string,
    /** What clients have to show. */
    readonly token: string,
    private readonly door: HttpDoor,
    private readonly wire: EndpointWire,
    private readonly ending: AbortController,
  ) {}

  /** @throws {HumanError} with code `port_taken`. */
  static async start(options: MockServerOptions): Promise<MockServer> {
    const { port, onError } = options;
    const { createWire } = await loadWire();
    const unread = new UnreadAnswers();
    const ending = new AbortController();
    const sessions = new SessionBook(systemClock);
    const wire = createWire({ ...options, sessions, unread, signal: ending.signal });
    const tokens = new AccessTokens();
    const serve = (guarded: GuardedRequest): Promise<void> | undefined => {
      if (guarded.path !== path) {
        refuse(guarded.response, 404, 'There is nothing at this address.');
        return undefined;
      }
      const accepted = acceptMessage(guarded);
      return accepted && passMessage(guarded, accepted.message, wire, unread);
    };
    const door = await HttpDoor.open({ port, tokens, serve, onError, clock: systemClock });
    const url = `http://127.0.0.1:${door.port}${path}`;
    return new MockServer(url, tokens.use, door, wire, ending);
  }

  /** Ends every session; resolves when nothing listens any more. */
  async stop(): Promise<void> {
    this.ending.abort(new DOMException('The mock has stopped.', 'AbortError'));
    await Promise.all([this.wire.close(), this.door.close()]);
  }
}
