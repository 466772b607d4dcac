import * as l10n from '@vscode/l10n';
import { delay } from '../../../base/async/cancellation.js';
import { isJsonObject, parseJsonObject } from '../../../base/json.js';
import { rpcCode } from '../../../base/jsonRpc.js';
import { backoffMs } from '../../../platform/clock.js';
import type { LogLevel } from '../../../platform/ports.js';
import type { RequestId } from '../reading/repairResponse.js';
import { isEventStream } from './bodyLimit.js';
import type { Fetch } from './fetch.js';
import { isSilence, isUnreachable } from './networkErrors.js';
import { EventIdWatch } from './resumption.js';
import { watchBody, withBody } from './watchedResponse.js';

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
  private readonly resuming = new Map<RequestId, /* last event id */ string>();
  private shortStreams = 0;
  /** Requests without a response, and streams that are open. */
  private underWay = 0;
  /** Why a request did not reach the server, when none has since. */
  private refusal: Error | undefined;
  /** Of the last event of the notification stream; undefined when it had none. */
  private notificationEventId: string | undefined;

  constructor(private readonly options: HttpWatchOptions) {}

  readonly fetch: Fetch = async (url, init) => {
    const isListening = (init?.method ?? 'GET') === 'GET';
    // servers that hand out event ids may end streams on purpose and expect us back
    const lastEventId = isListening ? new Headers(init?.headers).get('last-event-id') : null;
    const isResuming = lastEventId !== null;
    if (isListening && !isResuming && this.shortStreams >= maxShortStreams) {
      return this.refuseToListen();
    }
    const answering = isResuming ? this.findResuming(lastEventId) : requestId(init?.body);
    if (isResuming && answering !== undefined && !this.options.isPending(answering)) {
      // the SDK would come back for ever
      return new Response(null, { status: 405 });
    }
    const isNotified = isListening && (!isResuming || lastEventId === this.notificationEventId);
    const response = await (isNotified ? this.listen(url, init) : this.send(url, init));
    if (!response.ok) {
      if (isResuming && response.status === 405) {
        this.failResuming();
      }
      return this.inspectFailure(response, init);
    }
    if (!isEventStream(response)) {
      return response;
    }
    if (answering !== undefined) {
      return this.watchAnswer(response, answering);
    }
    return isListening ? this.watchListening(response) : response;
  };

  /** The SDK has given up on resuming streams. */
  failResuming(): void {
    for (const id of this.resuming.keys()) {
      this.failDropped(id);
    }
    this.resuming.clear();
  }

  /** The SDK gives up on a stream of notifications after a moment; a server may be away for longer. */
  private async listen(url: string | URL, init: RequestInit | undefined): Promise<Response> {
    for (let failures = 1; ; failures++) {
      const response = await this.send(url, init);
      if (this.options.kind === 'sse' || !mayPass(response.status)) {
        return response;
      }
      await response.body?.cancel();
      if (failures === 1) {
        this.options.onNotice(
          'warn',
          l10n.t(
            'The notification stream could not be opened (HTTP {0}); it is tried again.',
            response.status,
          ),
        );
      }
      await delay(backoffMs(failures, Math.random()), init?.signal ?? undefined);
    }
  }

  private async send(url: string | URL, init: RequestInit | undefined): Promise<Response> {
    this.underWay++;
    try {
      const response = await this.options.fetch(url, init);
      this.refusal = undefined;
      if (!isEventStream(response)) {
        this.finish();
        return response;
      }
      return watchBody(response, { onEnd: () => this.finish() });
    } catch (error) {
      if (!init?.signal?.aborted && error instanceof Error && isUnreachable(error)) {
        this.refusal = error;
      }
      this.finish();
      throw error;
    }
  }

  /** One connection may be refused while others are served. */
  private finish(): void {
    this.underWay--;
    if (this.refusal && this.underWay === 0) {
      this.options.onLost(this.refusal);
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
    if (response.status === 404) {
      this.options.onLost(new SessionLostError(404, requestId(init.body)));
    } else if (saysSessionIsLost(text)) {
      // a request that some 400 answers may have been executed
      this.options.onLost(new SessionLostError(400));
    }
    return withBody(text, response);
  }

  private watchListening(response: Response): Response {
    const openedAt = performance.now();
    const eventIds = new EventIdWatch();
    const onEnd = (error: unknown) => {
      if (this.options.kind === 'sse') {
        this.options.onLost(new StreamDroppedError(isSilence(error)));
        return;
      }
      this.shortStreams = performance.now() - openedAt < shortStreamMs ? this.shortStreams + 1 : 0;
    };
    return watchBody(response, {
      onChunk: (chunk) => {
        eventIds.add(chunk);
        this.notificationEventId = eventIds.last;
      },
      onEnd: (end, error) => end !== 'cancelled' && onEnd(error),
    });
  }

  private watchAnswer(response: Response, id: RequestId): Response {
    const eventIds = new EventIdWatch();
    return watchBody(response, {
      onChunk: (chunk) => eventIds.add(chunk),
      onEnd: (end) => {
        if (end === 'cancelled') {
          return;
        }
        if (eventIds.last !== undefined) {
          this.expectResumption(id, eventIds.last);
        } else {
          setTimeout(() => this.failDropped(id), lastEventMs);
        }
      },
    });
  }

  private expectResumption(id: RequestId, lastEventId: string): void {
    for (const earlier of this.resuming.keys()) {
      if (!this.options.isPending(earlier)) {
        this.resuming.delete(earlier);
      }
    }
    this.resuming.set(id, lastEventId);
  }

  /** The request for whose answer a stream is resumed after an event. */
  private findResuming(lastEventId: string): RequestId | undefined {
    const found = [...this.resuming].filter(([, event]) => event === lastEventId);
    return (found.find(([id]) => this.options.isPending(id)) ?? found[0])?.[0];
  }

  private refuseToListen(): Response {
    this.options.onNotice(
      'warn',
      l10n.t('The server keeps closing its notification stream; it is no longer opened.'),
    );
    return new Response(null, { status: 405 });
  }

  private failDropped(id: RequestId): void {
    this.options.failRequest(id, l10n.t('There was no answer before the connection ended.'));
  }
}

/** Of a server or proxy that is busy or away, not of one that has no such stream. */
function mayPass(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && status !== 501);
}

const sessionWords = /^Bad Request: (No valid session ID provided|Session not found)\b/i;

/** Some servers answer 400 instead of 404 to a session that they do not know, with an error that is nobody's answer. */
function saysSessionIsLost(text: string): boolean {
  const answer = parseJsonObject(text);
  const error = (answer?.id ?? null) === null ? answer?.error : undefined;
  if (!isJsonObject(error)) {
    return false;
  }
  const { code, message } = error;
  return (
    code === rpcCode.sessionNotFound ||
    (code === rpcCode.plainError && sessionWords.test(String(message)))
  );
}

/** The id of the request that a POST carries; `undefined` for notifications and responses. */
export function requestId(body: unknown): RequestId | undefined {
  const message = typeof body === 'string' ? parseJsonObject(body) : undefined;
  const id = message && 'method' in message ? message.id : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}
