import { describe, expect, it } from 'vitest';
import { serveListening } from '../../../../src/gateway/wire/listening.js';
import { SessionBook } from '../../../../src/gateway/wire/sessionBook.js';
import { FakeClock } from '../../../helpers/fakes/fakeClock.js';

const stream = () => new Response('', { headers: { 'content-type': 'text/event-stream' } });

describe('the place of a stream that listens', () => {
  it.each<[what: string, signal: AbortSignal, serve: () => Promise<Response>, places: number]>([
    ['stays while the stream is open', new AbortController().signal, async () => stream(), 1],
    [
      'a client that has gone while the wire was loaded',
      AbortSignal.abort(),
      async () => stream(),
      0,
    ],
    ['goes with a refusal', new AbortController().signal, async () => Response.json({}), 0],
    [
      'goes with a failure',
      new AbortController().signal,
      () => Promise.reject(new Error('closed')),
      0,
    ],
  ])('%s', async (_what, signal, serve, places) => {
    const sessions = new SessionBook(new FakeClock());
    const endpoint = { answer: () => expect.unreachable('nothing is watched') };
    const options = { sessions, endpoint: endpoint as never, onError: () => undefined };
    const request = new Request('http://127.0.0.1/mcp', { signal });
    const on = { serve, updated: () => undefined };
    const body = { method: 'subscriptions/listen' };
    await serveListening(options, request, body, on).catch(() => undefined);
    expect(sessions.size).toBe(places);
  });
});
