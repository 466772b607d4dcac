import * as l10n from '@vscode/l10n';

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** The body of a response grew beyond what we read. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';

  constructor(readonly maxBytes: number) {
    super(l10n.t('The server sent more than {0} MB at once.', Math.round(maxBytes / 1024 / 1024)));
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
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') ?? false;
    const declared = response.headers.get('content-length');
    // HTTP itself ends a body at its declared length
    const isShort = !isStream && declared !== null && Number(declared) <= maxBytes;
    if (!response.body || isShort) {
      return response;
    }
    const counter = new ByteCounter(maxBytes, isStream);
    const refuse = () => {
      const error = new BodyTooLargeError(maxBytes);
      onExceeded(init, error);
      return error;
    };
    const reader = response.body.getReader();
    const body = isStream ? watched(reader, counter, refuse) : await whole(reader, counter, refuse);
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };
}

type BodyReader = ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;

/** A stream in between costs more than the whole exchange, and an answer is only used once it is there. */
async function whole(
  reader: BodyReader,
  counter: ByteCounter,
  refuse: () => Error,
): Promise<BodyInit | null> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (!counter.add(part.value)) {
        const error = refuse();
        void reader.cancel(error).catch(() => undefined);
        return broken(error);
      }
      chunks.push(part.value);
    }
  } catch (error) {
    return broken(error);
  }
  const [first, ...others] = chunks;
  return others.length === 0 ? (first ?? null) : new Blob(chunks);
}

/** A body that fails when it is read. */
function broken(error: unknown): ReadableStream {
  return new ReadableStream({ start: (controller) => controller.error(error) });
}

function watched(reader: BodyReader, counter: ByteCounter, refuse: () => Error): ReadableStream {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) {
        controller.close();
      } else if (counter.add(value)) {
        controller.enqueue(value);
      } else {
        const error = refuse();
        void reader.cancel(error).catch(() => undefined);
        throw error;
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
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
