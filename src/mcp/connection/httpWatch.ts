import * as l10n from '@vscode/l10n';
import { isJsonObject } from '../../base/json.js';
import type { LogLevel } from '../ports.js';
import { isEventStream } from './bodyLimit.js';
import { isSilence, isUnreachable } from './networkErrors.js';
import { watchBody } from './watchedResponse.js';

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;
type RequestId = string | number;

/** A listening stream that ends sooner counts as dropped at once. */
const shortStreamMs = 5000;
const maxShortStreams = 5;
/** The SDK reads what the stream delivered last within this time. */
const lastEventMs = 50;

export interface HttpWatchOptions {
  readonly kind: 'streamable-http' | 'sse';
  readonly fetch: Fetch;
  /** The session cannot go on. May be called more than once. */
  readonly onLost: (error: Error) => void;
  readonly onNotice: (level: LogLevel, message: string) => void;
  readonly isPending: (id: RequestId) => boolean;
  /** No effect on a request that is answered. */
  readonly failRequest: (id: RequestId, sentence: string) => void;
}

/** The server no longer knows our session. */
export class SessionLostError extends Error {
  override readonly name = 'SessionLostError';

  constructor(
    readonly status: number,
    /** The request that found out, of which nothing was executed; undefined when it was another kind of message. */
    readonly refusedId?: RequestId,
    /** It ends the very request that was refused; of others nobody knows how far they came. */
    readonly isRefusal = false,
  ) {
    super(`HTTP ${status}: session not found`);
  }
}

/** The stream that carries the server's messages ended. */
export class StreamDroppedError extends Error {
  override readonly name = 'StreamDroppedError';

  /** @param isSilent nobody ended it; nothing came for so long that it was given up. */
  constructor(readonly isSilent: boolean) {
    super('The event stream ended');
  }
}

/**
 * Sees in the HTTP traffic of one session what the SDK's transports keep to themselves: a lost session, an
 * unreachable server, and response streams that end without a response.
 */
export class HttpWatch {
  private readonly resuming = new Set<RequestId>();
  private shortStreams = 0;

  constructor(private readonly options: HttpWatchOptions) {}

  readonly fetch: Fetch = async (url, init) => {
    const isListening = (init?.method ?? 'GET') === 'GET';
    // servers that hand out event ids may end streams on purpose and expect us back
    const isResuming = isListening && new Headers(init?.headers).has('last-event-id');
    if (isListening && !isResuming && this.shortStreams >= maxShortStreams) {
      return this.refuseToListen();
    }
    const response = await this.send(url, init);
    if (!response.ok) {
      if (isResuming && response.status === 405) {
        this.failResuming();
      }
      return this.inspectFailure(response, init);
    }
    if (!isEventStream(response)) {
      return response;
    }
    return isListening ? this.watchListening(response) : this.watchAnswer(response, init);
  };

  /** The SDK has given up on resuming streams. */
  failResuming(): void {
    for (const id of this.resuming) {
      this.failDropped(id);
    }
    this.resuming.clear();
  }

  private async send(url: string | URL, init: RequestInit | undefined): Promise<Response> {
    try {
      return await this.options.fetch(url, init);
    } catch (error) {
      if (!init?.signal?.aborted && error instanceof Error && isUnreachable(error)) {
        this.options.onLost(error);
      }
      throw error;
    }
  }

  private async inspectFailure(
    response: Response,
    init: RequestInit | undefined,
  ): Promise<Response> {
    const hasSession =
      this.options.kind === 'sse' || new Headers(init?.headers).has('mcp-session-id');
    const isQuestionable = response.status === 404 || response.status === 400;
    if (!hasSession || !isQuestionable || init?.method !== 'POST') {
      return response;
    }
    const text = await response.text();
    // some servers answer 400 instead of 404 to a session that they do not know
    if (response.status === 404 || /session/i.test(text)) {
      this.options.onLost(new SessionLostError(response.status, requestId(init.body)));
    }
    const { status, statusText, headers } = response;
    return new Response(text, { status, statusText, headers });
  }

  private watchListening(response: Response): Response {
    const openedAt = Date.now();
    const onEnd = (error: unknown) => {
      if (this.options.kind === 'sse') {
        this.options.onLost(new StreamDroppedError(isSilence(error)));
        return;
      }
      this.shortStreams = Date.now() - openedAt < shortStreamMs ? this.shortStreams + 1 : 0;
    };
    return watchBody(response, {
      onEnd: (end, error) => end !== 'cancelled' && onEnd(error),
    });
  }

  private watchAnswer(response: Response, init: RequestInit | undefined): Response {
    const id = requestId(init?.body);
    if (id === undefined) {
      return response;
    }
    const eventIds = new EventIdWatch();
    return watchBody(response, {
      onChunk: (chunk) => eventIds.add(chunk),
      onEnd: (end) => {
        if (end === 'cancelled') {
          return;
        }
        if (eventIds.isFound) {
          this.expectResumption(id);
        } else {
          setTimeout(() => this.failDropped(id), lastEventMs);
        }
      },
    });
  }

  private expectResumption(id: RequestId): void {
    for (const earlier of this.resuming) {
      if (!this.options.isPending(earlier)) {
        this.resuming.delete(earlier);
      }
    }
    this.resuming.add(id);
  }

  private refuseToListen(): Response {
    this.options.onNotice(
      'warn',
      l10n.t('The server keeps closing its notification stream; it is no longer opened.'),
    );
    return new Response(null, { status: 405 });
  }

  private failDropped(id: RequestId): void {
    this.options.failRequest(id, l10n.t('The server ended the response stream without an answer.'));
  }
}

/** Looks for event ids in a stream. */
class EventIdWatch {
  isFound = false;
  private lineStart = '\n';
  private readonly decoder = new TextDecoder();

  add(chunk: Uint8Array): void {
    if (!this.isFound) {
      const text = this.lineStart + this.decoder.decode(chunk, { stream: true });
      this.isFound = /[\r\n]id:/.test(text);
      this.lineStart = text.slice(-3);
    }
  }
}

/** A request as the SDK writes it, whose arguments may be large. */
const writtenRequest = /^\{"method":"/;
const lastId = /,"id":(\d{1,15})\}$/;

/** The id of the request that a POST carries; `undefined` for notifications and responses. */
export function requestId(body: unknown): RequestId | undefined {
  if (typeof body !== 'string') {
    return undefined;
  }
  const written = writtenRequest.test(body) ? lastId.exec(body.slice(-24))?.[1] : undefined;
  if (written !== undefined) {
    return Number(written);
  }
  const message: unknown = JSON.parse(body);
  const id = isJsonObject(message) && 'method' in message ? message.id : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}
