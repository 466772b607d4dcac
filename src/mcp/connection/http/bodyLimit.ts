import { tooLargeText } from '../reading/repairResponse.js';
import type { Fetch } from './fetch.js';
import { watchBody } from './watchedResponse.js';

/** The body of a response grew beyond what we read. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';

  constructor(readonly maxBytes: number) {
    super(tooLargeText(maxBytes));
  }
}

/** Breaks off bodies, and single events of event streams, that are larger than `maxBytes`. */
export function withBodyLimit(
  next: Fetch,
  maxBytes: number,
  onExceeded: (init: RequestInit | undefined, error: BodyTooLargeError) => void = () => undefined,
): Fetch {
  return async (url, init) => {
    const response = await next(url, init);
    const counter = new ByteCounter(maxBytes, isEventStream(response));
    return watchBody(response, {
      onChunk: (chunk) => {
        if (!counter.add(chunk)) {
          const error = new BodyTooLargeError(maxBytes);
          onExceeded(init, error);
          throw error;
        }
      },
    });
  };
}

export function isEventStream(response: Response): boolean {
  return response.headers.get('content-type')?.includes('text/event-stream') ?? false;
}

const lineFeed = 0x0a;

class ByteCounter {
  private count = 0;
  private isLineEmpty = false;

  constructor(
    private readonly maxBytes: number,
    private readonly isStream: boolean,
  ) {}

  /** @returns false when the bound is exceeded. */
  add(chunk: Uint8Array): boolean {
    if (!this.isStream) {
      this.count += chunk.length;
      return this.count <= this.maxBytes;
    }
    let start = 0;
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, at + 1)) {
      const length = at - start;
      const isBlank = length === 0 || (length === 1 && chunk[start] === 0x0d);
      // a blank line ends an event
      this.count = isBlank && this.isLineEmpty ? 0 : this.count + length + 1;
      this.isLineEmpty = true;
      start = at + 1;
    }
    if (start < chunk.length) {
      this.isLineEmpty = false;
      this.count += chunk.length - start;
    }
    return this.count <= this.maxBytes;
  }
}
