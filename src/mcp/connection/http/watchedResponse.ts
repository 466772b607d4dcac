/** Sees a body on its way to whoever reads it. */
export interface BodyWatch {
  /** Throws to break the body off. */
  readonly onChunk?: (chunk: Uint8Array) => void;
  /** Called once, with the error that broke it. `cancelled`: whoever reads it wants no more of it. */
  readonly onEnd?: (end: 'ended' | 'broken' | 'cancelled', error?: unknown) => void;
}

/** The same response with one more watch on its body, which must not have been read yet. */
export function watchBody(response: Response, watch: BodyWatch): Response {
  const watched = response instanceof WatchedResponse ? response : new WatchedResponse(response);
  watched.add(watch);
  return watched;
}

const decoder = new TextDecoder();

/**
 * However many watch, there is at most one stream in between, and none for text and JSON: it would cost more than the
 * rest of a small exchange.
 */
class WatchedResponse implements Response {
  private readonly watches: BodyWatch[] = [];
  private stream: ReadableStream<Uint8Array<ArrayBuffer>> | undefined;
  private isOver = false;
  private copy: Response | undefined;

  constructor(private readonly inner: Response) {
    this.isOver = inner.body === null;
  }

  add(watch: BodyWatch): void {
    if (this.isOver) {
      watch.onEnd?.('ended');
    } else {
      this.watches.push(watch);
    }
  }

  get headers(): Headers {
    return this.inner.headers;
  }

  get ok(): boolean {
    return this.inner.ok;
  }

  get redirected(): boolean {
    return this.inner.redirected;
  }

  get status(): number {
    return this.inner.status;
  }

  get statusText(): string {
    return this.inner.statusText;
  }

  get type(): Response['type'] {
    return this.inner.type;
  }

  get url(): string {
    return this.inner.url;
  }

  get bodyUsed(): boolean {
    return this.inner.bodyUsed;
  }

  get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    if (this.inner.body === null) {
      return null;
    }
    this.stream ??= this.createStream(this.inner.body.getReader());
    return this.stream;
  }

  async text(): Promise<string> {
    return this.stream || this.inner.body === null
      ? this.rebuild().text()
      : decoder.decode(await this.readAll(this.inner.body.getReader()));
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  clone(): Response {
    return this.rebuild().clone();
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return this.rebuild().arrayBuffer();
  }

  blob(): Promise<Blob> {
    return this.rebuild().blob();
  }

  bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return this.rebuild().bytes();
  }

  formData(): Promise<FormData> {
    return this.rebuild().formData();
  }

  private rebuild(): Response {
    const { status, statusText, headers } = this.inner;
    this.copy ??= new Response(this.body, { status, statusText, headers });
    return this.copy;
  }

  private createStream(reader: BodyReader): ReadableStream<Uint8Array<ArrayBuffer>> {
    return new ReadableStream({
      pull: async (controller) => {
        const { done, value } = await this.read(reader);
        if (done) {
          controller.close();
        } else {
          controller.enqueue(value);
        }
      },
      cancel: (reason) => {
        this.end('cancelled');
        return reader.cancel(reason);
      },
    });
  }

  private async readAll(reader: BodyReader): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    for (let part = await this.read(reader); !part.done; part = await this.read(reader)) {
      chunks.push(part.value);
    }
    const [first] = chunks;
    return first && chunks.length === 1 ? first : Buffer.concat(chunks);
  }

  private async read(reader: BodyReader): ReturnType<BodyReader['read']> {
    try {
      const part = await reader.read();
      if (part.done) {
        this.end('ended');
      } else {
        for (const { onChunk } of this.watches) {
          onChunk?.(part.value);
        }
      }
      return part;
    } catch (error) {
      void reader.cancel(error).catch(() => undefined);
      this.end('broken', error);
      throw error;
    }
  }

  private end(...end: Parameters<NonNullable<BodyWatch['onEnd']>>): void {
    if (this.isOver) {
      return;
    }
    this.isOver = true;
    for (const { onEnd } of this.watches) {
      onEnd?.(...end);
    }
  }
}

// the SDK tells refusals of authorization servers from texts by `instanceof Response`; nothing is inherited
Object.setPrototypeOf(WatchedResponse.prototype, Response.prototype);

type BodyReader = ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
