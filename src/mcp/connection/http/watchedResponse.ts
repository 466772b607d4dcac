/** Sees a body on its way to whoever reads it. */
interface BodyWatch {
  /** Throws to break the body off. */
  readonly onChunk?: (chunk: Uint8Array) => void;
  /** Called once, with the error that broke it. `cancelled`: whoever reads it wants no more of it. */
  readonly onEnd?: (end: 'ended' | 'broken' | 'cancelled', error?: unknown) => void;
}

/** However many watch a response, one stream stands between its body and its reader. */
const watchesOf = new WeakMap<Response, BodyWatch[]>();

/**
 * The same response with one more watch on its body, which must not have been read yet. Not a `TransformStream`, which
 * learns neither that its source broke nor, before Node 22, that its reader cancelled.
 */
export function watchBody(response: Response, watch: BodyWatch): Response {
  const known = watchesOf.get(response);
  if (known) {
    known.push(watch);
    return response;
  }
  const { body } = response;
  if (!body) {
    watch.onEnd?.('ended');
    return response;
  }
  const watches = [watch];
  const watched = withBody(watchedStream(body.getReader(), watches), response);
  watchesOf.set(watched, watches);
  return watched;
}

/** What came with another body. Its reason may be in any language, of which a `Response` takes few letters. */
export function withBody(
  body: BodyInit | null,
  { status, statusText, headers }: Pick<Response, 'status' | 'statusText' | 'headers'>,
): Response {
  const isPlain = /^[ -~]*$/.test(statusText);
  return new Response(body, { status, statusText: isPlain ? statusText : '', headers });
}

function watchedStream(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  watches: readonly BodyWatch[],
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let isOver = false;
  const end = (...how: Parameters<NonNullable<BodyWatch['onEnd']>>) => {
    for (const { onEnd } of isOver ? [] : watches) {
      onEnd?.(...how);
    }
    isOver = true;
  };
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) {
            controller.close();
            end('ended');
            return;
          }
          for (const { onChunk } of watches) {
            onChunk?.(value);
          }
          controller.enqueue(value);
        } catch (error) {
          // it may be broken already
          void reader.cancel(error).catch(() => undefined);
          end('broken', error);
          throw error;
        }
      },
      cancel(reason) {
        end('cancelled');
        return reader.cancel(reason);
      },
    },
    // nothing is read before it is wanted, so that all who watch see all of it
    { highWaterMark: 0 },
  );
}
