import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../../../../src/base/json.js';
import { DirectRequests } from '../../../../../src/mcp/connection/sdkEngine/directRequests.js';
import type { RequestOptions } from '../../../../../src/mcp/connection/session/engine.js';
import type { McpProgress } from '../../../../../src/mcp/mcpTypes.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open() {
  const sent: JsonObject[] = [];
  const requests = new DirectRequests(async (message) => void sent.push(message));
  const call = (options: Partial<RequestOptions> = {}, params?: JsonObject) =>
    requests.request('tools/call', params, { timeoutMs: 1000, ...options }, () => false);
  return { sent, requests, call };
}

const idOf = (message: JsonObject | undefined) => message?.id as number;

describe('a direct request', () => {
  it('is answered by its id, also when that comes back as text', async () => {
    const { sent, requests, call } = open();
    const answers = [call({}, { name: 'a' }), call({}, { name: 'b' })];
    expect(sent[0]).toMatchObject({ jsonrpc: '2.0', method: 'tools/call', params: { name: 'a' } });
    const [first, second] = sent.map(idOf);
    const reply = (id: unknown, text: string) =>
      requests.receive({ jsonrpc: '2.0', id, result: { text } });
    expect(reply(second, 'second')).toBe(true);
    expect(reply(String(first), 'first')).toBe(true);
    expect(reply(first, 'again')).toBe(false);
    expect(await Promise.all(answers)).toEqual([{ text: 'first' }, { text: 'second' }]);
  });

  it.each([
    [{ error: { code: 7, message: 'no', data: 1 } }, { code: 7, data: 1 }],
    [{ error: {} }, { code: ErrorCode.InternalError }],
    [{ result: 'text' }, { code: ErrorCode.InternalError }],
    [{}, { code: ErrorCode.InternalError }],
  ])('fails with the answer %j', async (answer, expected) => {
    const { sent, requests, call } = open();
    const result = call();
    requests.receive({ jsonrpc: '2.0', id: idOf(sent[0]), ...answer });
    await expect(result).rejects.toMatchObject(expected);
  });

  it('that is cancelled or takes too long is over, and the server hears of it', async () => {
    const { sent, call } = open();
    const caller = new AbortController();
    const cancelled = call({ signal: caller.signal });
    caller.abort('mine');
    await expect(cancelled).rejects.toBe('mine');
    const late = call();
    late.catch(() => undefined);
    // and the turn in which what has arrived is read
    vi.advanceTimersByTime(1001);
    await expect(late).rejects.toMatchObject({ code: ErrorCode.RequestTimeout });
    const told = sent.filter(({ method }) => method === 'notifications/cancelled');
    expect(told.map(({ params }) => (params as JsonObject).requestId)).toEqual([
      idOf(sent[0]),
      idOf(sent[2]),
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('lives on with its progress, and hears only its own', async () => {
    const { sent, requests, call } = open();
    const heard: McpProgress[] = [];
    const result = call({ onProgress: (progress) => heard.push(progress) });
    const announce = (progressToken: unknown, progress: unknown) =>
      requests.receive({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken, progress, total: 3 },
      });
    vi.advanceTimersByTime(900);
    expect(announce(idOf(sent[0]), 1)).toBe(true);
    expect(announce('task-1', 1)).toBe(false);
    vi.advanceTimersByTime(900);
    announce(idOf(sent[0]), 'much');
    requests.receive({ jsonrpc: '2.0', id: idOf(sent[0]), result: {} });
    expect(await result).toEqual({});
    expect(heard).toEqual([{ progress: 1, total: 3 }]);
  });

  it('keeps the progress token of its caller', () => {
    const { sent, call } = open();
    void call({}, { name: 'a', _meta: { progressToken: 'mine' } });
    expect(sent[0]?.params).toEqual({ name: 'a', _meta: { progressToken: 'mine' } });
  });

  it('fails when the wire is down, or goes down', async () => {
    const { requests, call } = open();
    const open1 = call();
    requests.close();
    await expect(open1).rejects.toMatchObject({ code: ErrorCode.ConnectionClosed });
    const down = new DirectRequests(() => Promise.reject(new Error('Not connected')));
    const refused = down.request('ping', undefined, { timeoutMs: 1000 }, () => false);
    await expect(refused).rejects.toThrow('Not connected');
    expect(vi.getTimerCount()).toBe(0);
  });
});
