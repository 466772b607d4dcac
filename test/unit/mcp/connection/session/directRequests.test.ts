import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../../../../src/base/json.js';
import { rpcCode } from '../../../../../src/base/jsonRpc.js';
import {
  DirectRequests,
  type ModernWire,
} from '../../../../../src/mcp/connection/session/directRequests.js';
import {
  EngineError,
  type RequestOptions,
} from '../../../../../src/mcp/connection/session/engine.js';
import type { McpProgress } from '../../../../../src/mcp/mcpTypes.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const context = { isWaitingForUser: () => false };

async function resultOf(
  requests: DirectRequests,
  params?: JsonObject,
  options: Partial<RequestOptions> = {},
): Promise<JsonObject> {
  return (await requests.ask('tools/call', params, { timeoutMs: 1000, ...options }, context))
    .result;
}

function open() {
  const sent: JsonObject[] = [];
  const requests = new DirectRequests(async (message) => void sent.push(message));
  const call = (options: Partial<RequestOptions> = {}, params?: JsonObject) =>
    resultOf(requests, params, options);
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
    [{ error: { code: 7, message: 'no', data: 1 } }, { kind: 'server_error', code: 7, data: 1 }],
    [{ error: { code: -32602, message: 'MCP error -32602: no' } }, { code: -32602, message: 'no' }],
    [{ error: {} }, { code: rpcCode.internalError }],
    [{ result: 'text' }, { code: rpcCode.internalError }],
    [{}, { code: rpcCode.internalError }],
  ])('fails with the answer %j', async (answer, expected) => {
    const { sent, requests, call } = open();
    const result = call();
    requests.receive({ jsonrpc: '2.0', id: idOf(sent[0]), ...answer });
    await expect(result).rejects.toMatchObject(expected);
  });

  it('tells what carries it when it is over, however it ends', async () => {
    const { sent, requests, call } = open();
    const caller = new AbortController();
    const calls = [call(), call({ signal: caller.signal })];
    const [answered = 0, cancelled = 0] = sent.map(idOf);
    const ends = [answered, cancelled].map((id) => requests.endOf(id));
    expect(requests.endOf(answered)).toBe(ends[0]);
    expect(ends.map((end) => end?.aborted)).toEqual([false, false]);
    requests.receive({ jsonrpc: '2.0', id: answered, result: {} });
    caller.abort('mine');
    await Promise.allSettled(calls);
    expect(ends.map((end) => end?.aborted)).toEqual([true, true]);
    expect(requests.endOf(answered)).toBeUndefined();
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
    await expect(late).rejects.toMatchObject({ kind: 'request_timeout' });
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

  it('keeps what a server says about its progress short', () => {
    const { sent, requests, call } = open();
    const heard: McpProgress[] = [];
    void call({ onProgress: (progress) => heard.push(progress) });
    const params = { progressToken: idOf(sent[0]), progress: 1, message: 'x'.repeat(100_000) };
    requests.receive({ jsonrpc: '2.0', method: 'notifications/progress', params });
    expect(heard[0]?.message).toHaveLength(500);
  });

  it('keeps the progress token of its caller', () => {
    const { sent, call } = open();
    void call({}, { name: 'a', _meta: { progressToken: 'mine' } });
    expect(sent[0]?.params).toEqual({ name: 'a', _meta: { progressToken: 'mine' } });
  });

  it('fails when the wire is down, or goes down', async () => {
    const { requests, call } = open();
    const open1 = call();
    requests.close(new EngineError('closed', 'Connection closed'));
    await expect(open1).rejects.toMatchObject({ kind: 'closed' });
    const down = new DirectRequests(() => Promise.reject(new Error('Not connected')));
    const refused = resultOf(down);
    await expect(refused).rejects.toThrow('Not connected');
    down.close(new EngineError('closed', 'Connection closed'));
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends each after its own time', async () => {
    const { sent, requests, call } = open();
    const ended: string[] = [];
    const note = (name: string) => (error: Error) => void ended.push(`${name}: ${error.message}`);
    void call({ timeoutMs: 500 }).catch(note('middle'));
    void call({ timeoutMs: 900 }).catch(note('last'));
    void call({ timeoutMs: 100 }).catch(note('first'));
    const answered = call({ timeoutMs: 300 });
    requests.receive({ jsonrpc: '2.0', id: idOf(sent[3]), result: {} });
    await answered;
    await vi.advanceTimersByTimeAsync(110);
    expect(ended).toEqual(['first: Request timed out']);
    await vi.advanceTimersByTimeAsync(380);
    expect(ended).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(20);
    expect(ended.slice(1)).toEqual(['middle: Request timed out']);
    await vi.advanceTimersByTimeAsync(400);
    expect(ended.slice(2)).toEqual(['last: Request timed out']);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a request to a server of the newer generation', () => {
  const asks = (state: string, ...keys: readonly string[]) => ({
    resultType: 'input_required',
    requestState: state,
    inputRequests: Object.fromEntries(keys.map((key) => [key, { method: 'roots/list' }])),
  });

  function openModern(hasOwnStreams: boolean, respond?: ModernWire['respond']) {
    const wire = open();
    const signals: (AbortSignal | undefined)[] = [];
    const { send } = wire.requests;
    const requests = new DirectRequests((message, options) => {
      signals.push(options.requestSignal);
      return send(message, options);
    });
    requests.modern = {
      hasOwnStreams,
      meta: () => ({ about: 'us' }),
      respond: respond ?? (async ({ key }) => ({ answered: key })),
    };
    const call = (params?: JsonObject, options: Partial<RequestOptions> = {}) =>
      resultOf(requests, params, options);
    const reply = (result: JsonObject) =>
      requests.receive({ jsonrpc: '2.0', id: idOf(wire.sent.at(-1)), result });
    const settled = () => vi.advanceTimersByTimeAsync(0);
    return { sent: wire.sent, signals, requests, call, reply, settled };
  }

  it('says who asks, and is repeated with what the server wants to know', async () => {
    const { sent, requests, call, reply, settled } = openModern(true);
    const result = call({ name: 'a' });
    const [first] = sent.map(idOf);
    expect(sent[0]?.params).toEqual({ name: 'a', _meta: { progressToken: first, about: 'us' } });
    reply(asks('1', 'x', 'y'));
    await settled();
    expect(sent[1]).toMatchObject({
      method: 'tools/call',
      params: {
        name: 'a',
        requestState: '1',
        inputResponses: { x: { answered: 'x' }, y: { answered: 'y' } },
        _meta: { progressToken: idOf(sent[1]) },
      },
    });
    expect(idOf(sent[1])).not.toBe(first);
    reply(asks('2'));
    await vi.advanceTimersByTimeAsync(250);
    expect(sent[2]?.params).not.toHaveProperty('inputResponses');
    expect(sent[2]?.params).toMatchObject({ requestState: '2' });
    reply({ resultType: 'complete', content: [] });
    expect(await result).toEqual({ resultType: 'complete', content: [] });
    requests.close(new EngineError('closed', 'Connection closed'));
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is answered by a task, or by a result that does not say that it is complete', async () => {
    const { call, reply } = openModern(true);
    for (const answer of [{ resultType: 'task', taskId: 't' }, { content: [] }]) {
      const result = call();
      reply(answer);
      expect(await result).toEqual(answer);
    }
  });

  it.each([{ resultType: 'other' }, { resultType: 'input_required' }])(
    'fails with %j',
    async (answer) => {
      const { call, reply } = openModern(true);
      const result = call();
      reply(answer);
      await expect(result).rejects.toMatchObject({ code: rpcCode.internalError });
    },
  );

  it('is not repeated without end', async () => {
    const { sent, call, reply, settled } = openModern(true);
    const result = call();
    result.catch(() => undefined);
    for (let round = 1; round <= 11; round++) {
      reply(asks('again', 'x'));
      await settled();
    }
    await expect(result).rejects.toMatchObject({ code: rpcCode.internalError });
    expect(sent).toHaveLength(11);
  });

  it('fails with what one question fails with, and the others are withdrawn', async () => {
    const signals: AbortSignal[] = [];
    const { call, reply } = openModern(true, async ({ key }, signal) => {
      signals.push(signal);
      return key === 'x' ? Promise.reject(new Error('refused')) : new Promise(() => undefined);
    });
    const result = call();
    reply(asks('1', 'x', 'y'));
    await expect(result).rejects.toThrow('refused');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  it('that is cancelled ends its own stream, or is taken back where all share one', () => {
    for (const hasOwnStreams of [true, false]) {
      const { sent, signals, call } = openModern(hasOwnStreams);
      const caller = new AbortController();
      call({}, { signal: caller.signal }).catch(() => undefined);
      caller.abort('mine');
      expect(signals[0]?.aborted).toBe(hasOwnStreams ? true : undefined);
      expect(sent[1]?.params).toEqual(
        hasOwnStreams
          ? undefined
          : { requestId: idOf(sent[0]), reason: 'mine', _meta: { about: 'us' } },
      );
    }
  });

  it("is nobody's while the server waits for us, and ends with the wire", async () => {
    const { sent, requests, call, reply } = openModern(true, () => new Promise(() => undefined));
    const result = call();
    expect(requests.isPending(idOf(sent[0]))).toBe(true);
    reply(asks('1', 'x'));
    expect(requests.isPending(idOf(sent[0]))).toBe(false);
    requests.fail(idOf(sent[0]), new Error('dropped'));
    reply({ content: [] });
    requests.close(new Error('down'));
    await expect(result).rejects.toThrow('down');
    await expect(call()).rejects.toThrow('down');
  });
});
