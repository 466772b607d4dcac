/** Recordings of anybody's making that become servers, and whoever else would like to be served by one. */
import { request as httpRequest } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createMask, type MaskText } from '../../src/config/secrets/secretMask.js';
import { MockEndpoint } from '../../src/gateway/mock/mockEndpoint.js';
import { MockServer } from '../../src/gateway/mock/mockServer.js';
import { Recording } from '../../src/mcp/traffic/recording.js';
import { exportRecording, importRecording } from '../../src/mcp/traffic/recordingFile.js';
import { systemClock } from '../../src/platform/clock.js';

const head = '{"piMcpRecording":1,"server":"s"}';
const signal = new AbortController().signal;
const caller = { signal };
let servers: MockServer[] = [];

afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(servers.map((server) => server.stop()));
  servers = [];
});

/** @param frames JSON texts: of what was sent and what came, in turn */
function mock(frames: readonly string[], times: readonly number[] = [], isDelayed = false) {
  const lines = frames.map((frame, index) => {
    const dir = index % 2 === 0 ? 'sent' : 'received';
    return `{"t":${times[index] ?? 1},"gen":1,"dir":"${dir}","frame":${frame}}`;
  });
  const life = '{"t":1,"gen":1,"life":{"event":"starting","launch":"stdio"}}';
  return new MockEndpoint(importRecording([head, life, ...lines].join('\n')), isDelayed);
}

function call(name: string, args: string, answer: string, id = '1'): readonly string[] {
  const params = `{"name":"${name}","arguments":${args}}`;
  return [
    `{"id":${id},"method":"tools/call","params":${params}}`,
    `{"id":${id},"result":${answer}}`,
  ];
}

async function start(endpoint: MockEndpoint): Promise<MockServer> {
  const onError = () => undefined;
  const server = await MockServer.start({ endpoint, version: '1', port: 0, onError });
  servers.push(server);
  return server;
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 't', version: '1' },
  },
};

/** Resolves with status and body. */
function post({ url, token }: MockServer, message: unknown, headers: Record<string, string> = {}) {
  const usual = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    authorization: `Bearer ${token}`,
  };
  return new Promise<{ readonly status: number; readonly body: string }>((resolve, reject) => {
    const sent = httpRequest(url, { method: 'POST', headers: { ...usual, ...headers } }, (got) => {
      let body = '';
      got.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      got.on('end', () => resolve({ status: got.statusCode ?? 0, body }));
    });
    sent.on('error', reject).end(JSON.stringify(message));
  });
}

describe('a hostile recording', () => {
  it('would be served: a good one is', async () => {
    const endpoint = mock(call('a', '{"x":1}', '{"content":[]}'));
    const params = { name: 'a', arguments: { x: 1 } };
    expect(await endpoint.answer('tools/call', params, caller)).toEqual({ content: [] });
  });

  it('with names of prototypes has no others than its own', async () => {
    const endpoint = mock([
      ...call('__proto__', '{"__proto__":{"canary":1}}', '{"__proto__":{"canary":1},"own":1}'),
      '{"id":2,"method":"initialize"}',
      '{"id":2,"result":{"capabilities":{"__proto__":{"tools":{}},"tools":{"__proto__":{"canary":1}}},"serverInfo":{"__proto__":{"canary":1}}}}',
    ]);
    expect(({} as { canary?: unknown }).canary).toBeUndefined();
    const args = JSON.parse('{"__proto__":{"canary":2}}');
    const answer = await endpoint.answer(
      'tools/call',
      { name: '__proto__', arguments: args },
      caller,
    );
    expect(JSON.stringify(answer)).toBe('{"__proto__":{"canary":1},"own":1}');
    expect('canary' in answer || 'canary' in endpoint.serverInfo).toBe(false);
    expect(Object.keys(endpoint.capabilities)).toEqual(['tools']);
    for (const method of ['__proto__', 'constructor', 'toString']) {
      expect(endpoint.has(method)).toBe(false);
    }
    const other = { name: 'constructor', arguments: args };
    await expect(endpoint.answer('tools/call', other, caller)).rejects.toThrow('has no answer');
  });

  it.each([
    ['a number', '5'],
    ['a list', '[{"content":[]}]'],
    ['nothing', 'null'],
  ])('whose result is %s has no answer', async (_what, result) => {
    const endpoint = mock([...call('a', '{}', result), ...call('b', '{}', '{}', '2')]);
    await expect(endpoint.answer('tools/call', { name: 'a' }, caller)).rejects.toThrow(
      'has no answer',
    );
  });

  it('with ids and errors of other kinds answers with errors of the protocol', async () => {
    const endpoint = mock([
      ...call('a', '{}', '{"content":[]}', '{"evil":1}'),
      '{"id":3,"method":"tools/call","params":{"name":"b"}}',
      '{"id":3,"error":{"code":"x","message":{"evil":1}}}',
    ]);
    await expect(endpoint.answer('tools/call', { name: 'a' }, caller)).rejects.toThrow(
      'has no answer',
    );
    await expect(endpoint.answer('tools/call', { name: 'b' }, caller)).rejects.toMatchObject({
      code: -32603,
      message: 'Internal error',
    });
  });

  it('that speaks another protocol does not make us speak it', async () => {
    const said =
      '{"protocolVersion":"1999-01-01","capabilities":{"tools":"x","evil":{}},"serverInfo":{"name":1},"instructions":{}}';
    const endpoint = mock(['{"id":1,"method":"initialize"}', `{"id":1,"result":${said}}`]);
    const { status, body } = await post(await start(endpoint), initialize);
    expect(status).toBe(200);
    expect(body).toContain('"protocolVersion":"2025-06-18"');
    expect(body).toContain('"capabilities":{}');
    expect(body).not.toMatch(/1999|evil|instructions/);
  });

  it('that took for ever keeps nobody waiting for longer than a minute', async () => {
    const endpoint = mock(call('a', '{}', '{"content":[]}'), [1, 8e15], true);
    vi.useFakeTimers();
    const settled = vi.fn();
    const answering = endpoint.answer('tools/call', { name: 'a' }, caller).then(settled);
    await vi.advanceTimersByTimeAsync(59_000);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2_000);
    await answering;
    expect(settled).toHaveBeenCalled();
  });
});

describe('a secret that was masked', () => {
  const secret = 'canary-3f9c-secret-value';
  const params = { name: 'login', arguments: { key: secret } };

  async function served(mask: MaskText, length = 0): Promise<string> {
    const recording = new Recording(systemClock);
    const watch = recording.watch();
    const tap = recording.open('stdio', mask);
    tap.message('sent', { id: 1, method: 'tools/call', params });
    const content = [{ type: 'text', text: `${' '.repeat(length)}you said ${secret}` }];
    tap.message('received', { id: 1, result: { content } });
    const text = await exportRecording('s', recording, 0);
    watch.dispose();
    await recording.dispose();
    const endpoint = new MockEndpoint(importRecording(text), false);
    return JSON.stringify(await endpoint.answer('tools/call', params, caller));
  }

  it('would be seen: without a mask it is served', async () => {
    expect(await served((text) => text)).toContain(secret);
    expect(await served((text) => text, 200_000)).toContain(secret);
  });

  it('stays masked, also for a client that sends it', async () => {
    for (const length of [0, 200_000]) {
      const answer = await served(createMask([secret]), length);
      expect(answer).toContain('you said');
      expect(answer).not.toContain(secret);
    }
  });
});

describe('a client', () => {
  it('with the token is served; others, and pages of a browser, are not', async () => {
    const server = await start(mock(call('a', '{}', '{"content":[]}')));
    expect((await post(server, initialize)).status).toBe(200);
    expect((await post(server, initialize, { authorization: 'Bearer x' })).status).toBe(401);
    expect((await post(server, initialize, { host: 'evil.example' })).status).toBe(403);
    expect((await post(server, initialize, { origin: 'http://127.0.0.1' })).status).toBe(403);
    expect((await post({ ...server, url: `${server.url}/other` } as MockServer, {})).status).toBe(
      404,
    );
  });

  it('that nests without end, or has an object for an id, is refused', async () => {
    const endpoint = mock(call('a', '{}', '{"content":[]}'));
    let deep: unknown = {};
    for (let level = 0; level < 5_000; level++) {
      deep = { deep };
    }
    const params = { name: 'a', arguments: deep };
    await expect(endpoint.answer('tools/call', params, caller)).rejects.toThrow('too deeply');
    const server = await start(endpoint);
    const odd = { ...initialize, id: { evil: 1 } };
    expect((await post(server, odd)).status).toBe(400);
    expect((await post(server, initialize)).status).toBe(200);
  });
});
