import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.js';
import {
  maxRetryAfterMs,
  readRetryAfterMs,
  withRetryAfter,
} from '../../../../src/mcp/connection/http/retryAfter.js';
import { ProtocolVerdicts } from '../../../../src/mcp/connection/protocolVerdicts.js';
import { repairResponse } from '../../../../src/mcp/connection/reading/repairResponse.js';
import { maxTitleLength } from '../../../../src/mcp/connection/reading/serverBounds.js';
import { RequestBounds } from '../../../../src/mcp/connection/session/boundedRequest.js';
import type { RequestOptions } from '../../../../src/mcp/connection/session/engine.js';
import {
  paramHeaderFault,
  paramHeaders,
} from '../../../../src/mcp/connection/session/paramHeaders.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the bounds of a request', () => {
  function boundRequest(options: RequestOptions, isWaitingForUser = () => false) {
    const ends: unknown[] = [];
    const onBound = (reason: unknown) => void ends.push(reason);
    const bounds = new RequestBounds(options, { isWaitingForUser, onBound });
    return { ends, touch: () => bounds.touch(), dispose: () => bounds.dispose() };
  }

  it('let it end after silence, which progress breaks', () => {
    const bounds = boundRequest({ timeoutMs: 100 });
    vi.advanceTimersByTime(90);
    bounds.touch();
    vi.advanceTimersByTime(90);
    expect(bounds.ends).toEqual([]);
    vi.advanceTimersByTime(20);
    expect(bounds.ends).toMatchObject([{ kind: 'request_timeout' }]);
  });

  it('let it end after all, whatever progress it makes', () => {
    const bounds = boundRequest({ timeoutMs: 100, maxTotalMs: 150 });
    vi.advanceTimersByTime(90);
    bounds.touch();
    vi.advanceTimersByTime(70);
    expect(bounds.ends).toHaveLength(1);
  });

  it('do not count the time in which the user is asked', () => {
    let isWaiting = true;
    const bounds = boundRequest({ timeoutMs: 100 }, () => isWaiting);
    vi.advanceTimersByTime(1000);
    expect(bounds.ends).toEqual([]);
    isWaiting = false;
    vi.advanceTimersByTime(101);
    expect(bounds.ends).toHaveLength(1);
  });

  it('hand on the reason of the caller, and nothing after the end', () => {
    const caller = new AbortController();
    const first = boundRequest({ timeoutMs: 100, signal: caller.signal });
    const second = boundRequest({ timeoutMs: 100, signal: caller.signal });
    second.dispose();
    caller.abort('mine');
    vi.advanceTimersByTime(1000);
    expect(first.ends[0]).toBe('mine');
    expect(second.ends).toEqual([]);
  });
});

describe('Retry-After', () => {
  const response = (status: number, value?: string) =>
    new Response('', { status, headers: value === undefined ? {} : { 'retry-after': value } });

  it.each([
    [429, '2', 2000],
    [503, '0', 0],
    [503, new Date(10_000).toUTCString(), 10_000],
    [429, String(maxRetryAfterMs / 1000 + 1), undefined],
    [429, 'soon', undefined],
    [429, undefined, undefined],
    [500, '1', undefined],
  ])('of HTTP %s with %s is %s ms', (status, value, expected) => {
    expect(readRetryAfterMs(response(status, value), 0)).toBe(expected);
  });

  it('is honoured a few times', async () => {
    let requests = 0;
    const busy = withRetryAfter(
      async () => {
        requests++;
        return response(429, '1');
      },
      { isWanted: () => true, onNotice: () => undefined },
    );
    const answer = busy('https://a.example');
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await answer).status).toBe(429);
    expect(requests).toBe(4);
  });

  it('repeats nothing that nobody waits for any more', async () => {
    let requests = 0;
    const busy = withRetryAfter(
      async () => {
        requests++;
        return response(429, '1');
      },
      { isWanted: () => false, onNotice: () => undefined },
    );
    const answer = busy('https://a.example');
    await vi.advanceTimersByTimeAsync(10_000);
    await answer;
    expect(requests).toBe(1);
  });
});

describe('parameters that are sent as headers', () => {
  const fault = (properties: object) =>
    paramHeaderFault({ name: 't', inputSchema: { type: 'object', properties } });

  it.each([
    { a: { type: 'string', 'x-mcp-header': 'A' } },
    { a: { type: 'object', properties: { b: { type: 'boolean', 'x-mcp-header': 'B' } } } },
    { a: { type: 'string', default: { 'x-mcp-header': '' } } },
    {},
  ])('may be annotated as in %j', (properties) => {
    expect(fault(properties)).toBeUndefined();
  });

  it.each([
    { a: { type: 'string', 'x-mcp-header': '' } },
    { a: { type: 'string', 'x-mcp-header': 'with space' } },
    { a: { type: 'number', 'x-mcp-header': 'A' } },
    { a: { 'x-mcp-header': 'A' } },
    { a: { type: 'string', 'x-mcp-header': 'A' }, b: { type: 'string', 'x-mcp-header': 'a' } },
    { a: { type: 'array', items: { type: 'string', 'x-mcp-header': 'A' } } },
    { a: { oneOf: [{ type: 'string', 'x-mcp-header': 'A' }] } },
  ])('may not be annotated as in %j', (properties) => {
    expect(fault(properties)).toContain('"t"');
  });

  it('are written as the protocol wants it, or not at all', () => {
    const annotated = (type: string, name: string) => ({ type, 'x-mcp-header': name });
    const inputSchema = {
      properties: {
        text: annotated('string', 'Text'),
        flag: annotated('boolean', 'Flag'),
        within: { properties: { count: annotated('integer', 'Count') } },
      },
    };
    const headers = (args: JsonObject) => paramHeaders({ name: 't', inputSchema }, args);
    expect(headers({ text: 'a b', flag: false, within: { count: 3 } })).toEqual({
      'Mcp-Param-Text': 'a b',
      'Mcp-Param-Flag': 'false',
      'Mcp-Param-Count': '3',
    });
    expect(headers({ text: null, within: 1 })).toEqual({});
    expect(headers({ text: ['a'], flag: {}, within: { count: 2 ** 60 } })).toEqual({});
    const encoded = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;
    for (const text of ['', ' a', 'é', 'a\r\nB: c', '=?base64?YQ==?=']) {
      expect(headers({ text })).toEqual({ 'Mcp-Param-Text': encoded(text) });
    }
    expect(headers({ text: 'a\tb' })).toEqual({ 'Mcp-Param-Text': 'a\tb' });
  });

  it('are not taken from annotations that are wrong', () => {
    const properties = { a: { type: 'string', 'x-mcp-header': 'A B' } };
    expect(paramHeaders({ name: 't', inputSchema: { properties } }, { a: 'x' })).toEqual({});
  });
});

describe('a verdict on the protocol', () => {
  it('expires after a day and is kept by key', async () => {
    let now = 1_000_000;
    const verdicts = new ProtocolVerdicts(undefined, () => now);
    await verdicts.for('a').write('legacy');
    expect(await verdicts.for('a').read()).toBe('legacy');
    expect(await verdicts.for('b').read()).toBeUndefined();
    now += 24 * 60 * 60_000;
    expect(await verdicts.for('a').read()).toBeUndefined();
  });

  it('that is withdrawn is forgotten', async () => {
    const verdicts = new ProtocolVerdicts();
    await verdicts.for('a').write('legacy');
    await verdicts.for('a').write(undefined);
    expect(await verdicts.for('a').read()).toBeUndefined();
  });
});

it.each(['serverInfo', 'io.modelcontextprotocol/serverInfo'])(
  'keeps of %s what is shown: the SDK writes it anew with every change that is announced',
  (key) => {
    const [name, version, title] = ['n', 'v', 't'].map((letter) => letter.repeat(100_000));
    const info = { name, version, title, icons: [] };
    const isMeta = key.includes('/');
    const result = isMeta ? { ttlMs: 1, _meta: { [key]: info, other: 2 } } : { [key]: info, a: 1 };
    const cut = {
      name: `${'n'.repeat(maxTitleLength - 1)}…`,
      version: `${'v'.repeat(maxTitleLength - 1)}…`,
      title: `${'t'.repeat(maxTitleLength - 1)}…`,
      icons: [],
    };
    expect(repairResponse(1, { result }).result).toEqual(
      isMeta ? { ttlMs: 1, _meta: { [key]: cut, other: 2 } } : { [key]: cut, a: 1 },
    );
  },
);
