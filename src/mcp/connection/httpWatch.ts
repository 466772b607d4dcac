import * as l10n from '@vscode/l10n';
import { isJsonObject } from '../../base/json.js';
import type { LogLevel } from '../ports.js';
import { isUnreachable } from './networkErrors.js';

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
  /** No effect on a request that is answered. */
  readonly failRequest: (id: RequestId, sentence: string) => void;
}

/** The server no longer knows our session; nothing of the request that found out was executed. */
export class SessionLostError extends Error {
  override readonly name = 'SessionLostError';

  constructor(readonly status: number) {
    super(`HTTP ${status}: session not found`);
  }
}

/** The stream that carries the server's messages ended. */
export class StreamDroppedError extends Error {
  override readonly name = 'StreamDroppedError';
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
      this.options.onLost(new SessionLostError(response.status));
    }
    const { status, statusText, headers } = response;
    return new Response(text, { status, statusText, headers });
  }

  private watchListening(response: Response): Response {
    const openedAt = Date.now();
    return tapBody(
      response,
      () => undefined,
      () => {
        if (this.options.kind === 'sse') {
          this.options.onLost(new StreamDroppedError('The event stream ended'));
          return;
        }
        this.shortStreams = Date.now() - openedAt < shortStreamMs ? this.shortStreams + 1 : 0;
      },
    );
  }

  private watchAnswer(response: Response, init: RequestInit | undefined): Response {
    const id = requestId(init?.body);
    if (id === undefined) {
      return response;
    }
    let isResumable = false;
    let lineStart = '\n';
    const decoder = new TextDecoder();
    return tapBody(
      response,
      (chunk) => {
        const text = lineStart + decoder.decode(chunk, { stream: true });
        isResumable ||= /[\r\n]id:/.test(text);
        lineStart = text.slice(-3);
      },
      () => {
        if (isResumable) {
          this.resuming.add(id);
        } else {
          setTimeout(() => this.failDropped(id), lastEventMs);
        }
      },
    );
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

function isEventStream(response: Response): boolean {
  return response.headers.get('content-type')?.includes('text/event-stream') ?? false;
}

/** The id of the request that a POST carries; `undefined` for notifications and responses. */
export function requestId(body: unknown): RequestId | undefined {
  if (typeof body !== 'string') {
    return undefined;
  }
  const message: unknown = JSON.parse(body);
  const id = isJsonObject(message) && 'method' in message ? message.id : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

/** The same response; `onEnd` is called once when its body ends or breaks, not when the reader cancels it. */
function tapBody(
  response: Response,
  onChunk: (chunk: Uint8Array) => void,
  onEnd: () => void,
): Response {
  const reader = response.body?.getReader();
  if (!reader) {
    return response;
  }
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          controller.close();
          onEnd();
        } else {
          onChunk(value);
          controller.enqueue(value);
        }
      } catch (error) {
        controller.error(error);
        onEnd();
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}
