import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HttpWatch } from '../../../../../src/mcp/connection/http/httpWatch.js';
import {
  createReconnectionScheduler,
  EventIdWatch,
} from '../../../../../src/mcp/connection/http/resumption.js';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('coming back for a stream', () => {
  it.each([
    [500, 500],
    [10, 10],
    [10 ** 15, 30_000],
  ])('happens after what the server says, within bounds: %s ms', (said, expected) => {
    const reconnect = vi.fn();
    createReconnectionScheduler()(reconnect, said);
    vi.advanceTimersByTime(expected - 1);
    expect(reconnect).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(reconnect).toHaveBeenCalledOnce();
  });

  it('happens slowly for a server that sends us away without end', () => {
    const schedule = createReconnectionScheduler();
    let count = 0;
    const again = () => {
      count++;
      schedule(again, 0);
    };
    schedule(again, 0);
    vi.advanceTimersByTime(60_000);
    expect(count).toBeGreaterThan(40);
    expect(count).toBeLessThan(150);
  });

  it('does not happen when it is cancelled', () => {
    const reconnect = vi.fn();
    createReconnectionScheduler()(reconnect, 10)();
    vi.advanceTimersByTime(100);
    expect(reconnect).not.toHaveBeenCalled();
  });
});

describe('the last event id of a stream', () => {
  const read = (...chunks: readonly string[]) => {
    const watch = new EventIdWatch();
    for (const chunk of chunks) {
      watch.add(new TextEncoder().encode(chunk));
    }
    return watch.last;
  };

  it.each([
    [['id: a\ndata: {}\n\nid: b\ndata: {}\n\n'], 'b'],
    [['id:a\r\ndata:\r\n\r\n'], 'a'],
    [['i', 'd: lo', 'ng', '\n'], 'long'],
    [['data: 1\n', 'id: a', '\n\n', 'data: id: b\n\n'], 'a'],
    [[`data: ${'x'.repeat(5000)}`, 'id: no\n', 'id: yes\n'], 'yes'],
    [['data: {}\n\n'], undefined],
    [['id: unfinished'], undefined],
  ])('is read across chunks: %j', (chunks, expected) => {
    expect(read(...chunks)).toBe(expected);
  });
});

it('a stream is opened again for an answer that is awaited, also where a server counts events anew in each', async () => {
  const pending = new Set<string | number>([1, 2]);
  const failed: unknown[] = [];
  const watch = new HttpWatch({
    kind: 'streamable-http',
    fetch: async () =>
      new Response('id: 1\ndata:\n\n', { headers: { 'content-type': 'text/event-stream' } }),
    onLost: () => undefined,
    onNotice: () => undefined,
    isPending: (id) => pending.has(id),
    failRequest: (id) => failed.push(id),
  });
  for (const id of pending) {
    const body = JSON.stringify({ method: 'tools/call', jsonrpc: '2.0', id });
    await (await watch.fetch('http://a.example', { method: 'POST', body })).text();
  }
  pending.delete(1);
  const headers = { 'last-event-id': '1' };
  expect((await watch.fetch('http://a.example', { headers })).status).toBe(200);
  expect(failed).toEqual([]);
});

it('a stream is not opened again for an answer that nobody waits for any more', async () => {
  let asked = 0;
  const pending = new Set<string | number>([7]);
  const watch = new HttpWatch({
    kind: 'streamable-http',
    fetch: async () => {
      asked++;
      const headers = { 'content-type': 'text/event-stream' };
      return new Response(`id: e${asked}\ndata:\n\n`, { headers });
    },
    onLost: () => undefined,
    onNotice: () => undefined,
    isPending: (id) => pending.has(id),
    failRequest: () => undefined,
  });
  const body = JSON.stringify({ method: 'tools/call', jsonrpc: '2.0', id: 7 });
  await (await watch.fetch('http://a.example', { method: 'POST', body })).text();
  const resume = (event: string) =>
    watch.fetch('http://a.example', { headers: { 'last-event-id': event } });
  await (await resume('e1')).text();
  pending.clear();
  expect((await resume('e2')).status).toBe(405);
  expect(asked).toBe(2);
  expect((await resume('of another stream')).status).toBe(200);
});
