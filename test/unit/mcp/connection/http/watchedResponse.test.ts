import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import {
  BodyTooLargeError,
  withBodyLimit,
} from '../../../../../src/mcp/connection/http/bodyLimit.js';
import { HttpWatch, requestId } from '../../../../../src/mcp/connection/http/httpWatch.js';
import { withOwnSignal } from '../../../../../src/mcp/connection/http/ownSignal.js';
import { watchBody } from '../../../../../src/mcp/connection/http/watchedResponse.js';

function respond(...parts: readonly string[]): { response: Response; cancelled: unknown[] } {
  const cancelled: unknown[] = [];
  const rest = parts.map((part) => new TextEncoder().encode(part));
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = rest.shift();
      if (next) {
        controller.enqueue(next);
      } else {
        controller.close();
      }
    },
    cancel: (reason) => void cancelled.push(reason),
  });
  return { response: new Response(body, { status: 201, headers: { a: 'b' } }), cancelled };
}

function recorder() {
  const seen: string[] = [];
  const decoder = new TextDecoder();
  return {
    seen,
    watch: {
      onChunk: (chunk: Uint8Array) => void seen.push(decoder.decode(chunk)),
      onEnd: (end: string) => void seen.push(`<${end}>`),
    },
  };
}

const read: Readonly<Record<string, (response: Response) => Promise<unknown>>> = {
  text: (response) => response.text(),
  json: (response) => response.json(),
  arrayBuffer: (response) => response.arrayBuffer(),
  bytes: (response) => response.bytes(),
  blob: (response) => response.blob(),
  body: (response) => new Response(response.body).text(),
  clone: (response) => Promise.all([response.clone().text(), response.text()]),
};

describe('a watched response', () => {
  it.each(Object.keys(read))('shows its body to all who watch when read as %s', async (kind) => {
    const { response } = respond('{"a":', '"é"}');
    const [first, second] = [recorder(), recorder()];
    const watched = watchBody(watchBody(response, first.watch), second.watch);
    await read[kind]?.(watched);
    expect(first.seen).toEqual(['{"a":', '"é"}', '<ended>']);
    expect(second.seen).toEqual(first.seen);
  });

  it('is otherwise the same', async () => {
    const watched = watchBody(respond('{"a":', '"é"}').response, {});
    expect(watched).toMatchObject({ ok: true, status: 201, statusText: '', redirected: false });
    expect(watched.headers.get('a')).toBe('b');
    expect(await watched.json()).toEqual({ a: 'é' });
    expect(watched.bodyUsed).toBe(true);
    await expect(watched.text()).rejects.toThrow(TypeError);
  });

  it.each(Object.keys(read))(
    'breaks off when a watch throws while it is read as %s',
    async (kind) => {
      const { response, cancelled } = respond('a', 'b', 'c');
      const { seen, watch } = recorder();
      const refusing = watchBody(watchBody(response, watch), {
        onChunk: () => {
          throw new Error('enough');
        },
      });
      await expect(read[kind]?.(refusing)).rejects.toThrow('enough');
      expect(seen).toEqual(['a', '<broken>']);
      expect(cancelled).toHaveLength(1);
    },
  );

  it('says when its reader has had enough, and when there is nothing to read', async () => {
    const { response, cancelled } = respond('a', 'b');
    const { seen, watch } = recorder();
    await watchBody(response, watch).body?.cancel('bored');
    expect(cancelled).toEqual(['bored']);
    watchBody(new Response(null, { status: 202 }), watch);
    expect(seen).toEqual(['<cancelled>', '<ended>']);
  });
});

describe('the limit of a body', () => {
  it('is of the whole when it is an answer, and of one event in a stream', async () => {
    const exceeded: string[] = [];
    const answer = (type: string) =>
      withBodyLimit(
        async () => {
          const { response } = respond('data: 1234\n\n', 'data: 5678\n\n');
          return new Response(response.body, { headers: { 'content-type': type } });
        },
        16,
        (init) => exceeded.push(String(init?.body)),
      )('https://a.example', { body: type });
    await expect((await answer('text/event-stream')).text()).resolves.toContain('5678');
    await expect((await answer('application/json')).text()).rejects.toThrow(BodyTooLargeError);
    expect(exceeded).toEqual(['application/json']);
  });
});

describe('a signal that outlives its requests', () => {
  const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

  it('is left alone when a request is over', async () => {
    const { signal } = new AbortController();
    const fetch = withOwnSignal(async () => respond('a').response);
    const response = await fetch('https://a.example', { signal });
    expect(listeners(signal)).toBe(1);
    await response.text();
    expect(listeners(signal)).toBe(0);
    const failing = withOwnSignal(() => Promise.reject(new Error('refused')));
    await expect(failing('https://a.example', { signal })).rejects.toThrow('refused');
    expect(listeners(signal)).toBe(0);
  });

  it('ends a request, also while its body is read', async () => {
    const session = new AbortController();
    const seen: (AbortSignal | null | undefined)[] = [];
    const fetch = withOwnSignal(async (_url, init) => {
      seen.push(init?.signal);
      return respond('a').response;
    });
    await fetch('https://a.example', { signal: session.signal });
    session.abort('closed');
    expect(seen[0]?.reason).toBe('closed');
    await expect(fetch('https://a.example', { signal: session.signal })).rejects.toBe('closed');
    expect(seen).toHaveLength(1);
  });
});

describe('the id of a request', () => {
  it.each([
    ['{"method":"tools/call","params":{"name":"a"},"jsonrpc":"2.0","id":12}', 12],
    ['{"method":"tools/call","params":{"id":7},"jsonrpc":"2.0","id":"x"}', 'x'],
    ['{"jsonrpc":"2.0","id":3,"method":"ping"}', 3],
    ['{"method":"notifications/cancelled","params":{"requestId":1,"id":5}}', undefined],
    ['{"method":"notifications/initialized","jsonrpc":"2.0"}', undefined],
    ['{"result":{"method":1},"jsonrpc":"2.0","id":4}', undefined],
    ['[]', undefined],
    [undefined, undefined],
  ])('in %s is %s', (body, id) => {
    expect(requestId(body)).toBe(id);
  });
});

describe('requests whose streams may be resumed', () => {
  it('are forgotten once they are answered', async () => {
    const pending = new Set<string | number>([1, 2, 3]);
    const failed: (string | number)[] = [];
    const watch = new HttpWatch({
      kind: 'streamable-http',
      fetch: async () =>
        new Response(respond('id: 1\ndata: {}\n\n').response.body, {
          headers: { 'content-type': 'text/event-stream' },
        }),
      onLost: () => undefined,
      onNotice: () => undefined,
      isPending: (id) => pending.has(id),
      failRequest: (id) => failed.push(id),
    });
    for (const id of [1, 2, 3]) {
      const body = JSON.stringify({ method: 'tools/call', jsonrpc: '2.0', id });
      await (await watch.fetch('https://a.example', { method: 'POST', body })).text();
      if (id === 1) {
        pending.delete(id);
      }
    }
    watch.failResuming();
    expect(failed).toEqual([2, 3]);
  });
});
