/** What a client sees of the door, over real connections. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { CancellationError } from '../../../../src/base/async/cancellation.js';
import { AccessTokens } from '../../../../src/gateway/http/accessTokens.js';
import { sendResponse, toWebRequest } from '../../../../src/gateway/http/body.js';
import {
  answer,
  answerText,
  type GuardedRequest,
  HttpDoor,
  refuse,
} from '../../../../src/gateway/http/httpDoor.js';
import { UnreadAnswers } from '../../../../src/gateway/http/unread.js';
import { FakeClock } from '../../../helpers/fakes/fakeClock.js';

const tokens = new AccessTokens();
const mebibyte = 1024 * 1024;
let door: HttpDoor | undefined;
let clock: FakeClock;
const errors: unknown[] = [];

async function open(
  serve: (request: GuardedRequest) => Promise<void> | undefined,
  port = 0,
): Promise<void> {
  clock = new FakeClock();
  errors.length = 0;
  const onError = (error: unknown) => errors.push(error);
  door = await HttpDoor.open({ port, tokens, serve, onError, clock });
}

afterEach(async () => {
  await door?.close();
  door = undefined;
});

function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${tokens.use}`, ...init.headers };
  return fetch(`http://127.0.0.1:${door?.port}${path}`, { ...init, headers });
}

/** Status and headers of a request that is written by hand, and what comes until the connection ends. */
async function write(text: string): Promise<string> {
  const socket = connect(door?.port ?? 0, '127.0.0.1').setEncoding('utf8');
  let read = '';
  socket.on('data', (chunk) => {
    read += chunk;
  });
  socket.on('error', () => undefined);
  socket.write(text);
  await once(socket, 'close');
  return read;
}

function head(method: string, path: string, ...lines: readonly string[]): string {
  const own = [`Host: 127.0.0.1:${door?.port}`, `Authorization: Bearer ${tokens.use}`];
  return [`${method} ${path} HTTP/1.1`, ...own, ...lines, '', ''].join('\r\n');
}

const serveEcho = async ({ response, method, path, query, grant, body }: GuardedRequest) =>
  answer(response, 200, { method, path, query: String(query), grant, body: body.toString() });

describe('a request', () => {
  it('that has passed is served with its body', async () => {
    await open(serveEcho);
    const response = await ask('/mcp/a%20b?x=1&y=2', { method: 'POST', body: 'text' });
    expect(await response.json()).toEqual({
      method: 'POST',
      path: '/mcp/a%20b',
      query: 'x=1&y=2',
      grant: 'use',
      body: 'text',
    });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-type': 'application/json',
    });
    expect(await (await ask('/plain')).json()).toMatchObject({ query: '', body: '' });
  });

  it('for a sign of life is answered with nothing', async () => {
    await open(serveEcho);
    const response = await fetch(`http://127.0.0.1:${door?.port}/healthz`);
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(response.headers.get('content-length')).toBeNull();
  });

  it('without a token is refused, and floods of those are', async () => {
    await open(serveEcho);
    const bare = () => ask('/mcp', { headers: { authorization: '' } });
    const first = await bare();
    expect([first.status, first.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(await first.json()).toEqual({
      jsonrpc: '2.0',
      error: { code: -32000, message: 'A token is needed.' },
      id: null,
    });
    const statuses: number[] = [];
    for (let count = 1; count < 32; count += 1) {
      statuses.push((await bare()).status);
    }
    expect(statuses.indexOf(429)).toBe(29);
    const flooded = await bare();
    expect(flooded.headers.get('www-authenticate')).toBeNull();
    expect((await ask('/mcp')).status).toBe(200);
    clock.advance(500);
    expect((await bare()).status).toBe(401);
  });

  it.each([
    ['to switch protocols', 'GET', ['Connection: Upgrade', 'Upgrade: websocket']],
    ['for a tunnel', 'CONNECT', []],
  ])('%s ends with the connection', async (_, method, lines) => {
    await open(serveEcho);
    expect(await write(head(method, '/', ...lines))).toBe('');
  });

  it('with more than 16 KiB of headers is refused', async () => {
    await open(serveEcho);
    const long = (length: number) =>
      head('GET', '/', `X-A: ${'a'.repeat(length)}`, 'Connection: close');
    expect(await write(long(16_000))).toMatch(/^HTTP\/1.1 200/);
    expect(await write(long(16_500))).toMatch(/^HTTP\/1.1 431/);
  });
});

it('says that its port is taken, and takes it once the other one has closed', async () => {
  await open(serveEcho);
  const other = door;
  const port = other?.port;
  await expect(open(serveEcho, port)).rejects.toMatchObject({ code: 'port_taken' });
  await other?.close();
  await open(serveEcho, port);
  expect([door?.port, (await ask('/')).status]).toEqual([port, 200]);
});

it('ends a connection that shows no token', async () => {
  await open(serveEcho);
  const socket = connect(door?.port ?? 0, '127.0.0.1');
  const closed = once(socket.resume(), 'close');
  await expect.poll(() => clock.pending).toEqual([15_000]);
  clock.advance(15_000);
  await closed;
});

describe('a body', () => {
  it.each<[what: string, length: string, sent: number, status: number]>([
    ['of 4 MiB', `Content-Length: ${4 * mebibyte}`, 4 * mebibyte, 200],
    ['that is said to be larger', `Content-Length: ${4 * mebibyte + 1}`, 0, 413],
  ])('%s', async (_, length, sent, status) => {
    await open(async ({ response, body }) => answer(response, 200, body.length));
    const text = await write(head('POST', '/', length, 'Connection: close') + 'a'.repeat(sent));
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status}`));
    expect(text).toMatch(/connection: close/i);
  });

  it.each([
    [4 * mebibyte, 200],
    [4 * mebibyte + 1, 413],
  ])('of %d bytes in pieces: %d', async (size, status) => {
    await open(async ({ response, body }) => answer(response, 200, body.length));
    const chunk = `${size.toString(16)}\r\n${'a'.repeat(size)}\r\n0\r\n\r\n`;
    const text = await write(
      head('POST', '/', 'Transfer-Encoding: chunked', 'Connection: close') + chunk,
    );
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status}`));
  });

  it('waits for others where 128 MiB are asked for at once', async () => {
    let waiting = 0;
    const leave: (() => void)[] = [];
    await open(async ({ response }) => {
      waiting += 1;
      await new Promise<void>((resolve) => leave.push(resolve));
      answer(response, 200, 1);
    });
    // nothing but the end of a body in pieces: it may have been as large as any
    const open32 = Array.from({ length: 32 }, () =>
      write(`${head('POST', '/', 'Transfer-Encoding: chunked', 'Connection: close')}0\r\n\r\n`),
    );
    await expect.poll(() => waiting).toBe(32);
    const small = await ask('/', { method: 'POST', body: 'a' });
    expect([small.status, await small.text()]).toEqual([503, expect.stringContaining('at once')]);
    expect((await ask('/healthz')).status).toBe(204);
    for (const one of leave) {
      one();
    }
    await Promise.all(open32);
    const later = ask('/', { method: 'POST', body: 'a' });
    await expect.poll(() => waiting).toBe(33);
    leave.at(-1)?.();
    expect((await later).status).toBe(200);
  });
});

describe('what fails while it is served', () => {
  it.each([
    ['an error is told, and nothing of it to the client', new Error('secret'), 1],
    ['what was cancelled is not', new CancellationError('left'), 0],
  ])('%s', async (_, error, told) => {
    await open(() => Promise.reject(error));
    const response = await ask('/');
    expect([response.status, await response.text()]).toEqual([
      500,
      expect.not.stringContaining('secret'),
    ]);
    expect(errors).toHaveLength(told);
  });

  it('says when the client is gone, also to who asks late, and not when it has its answer', async () => {
    const requests: GuardedRequest[] = [];
    await open(async (request) => {
      requests.push(request);
      if (request.path === '/answered') {
        answer(request.response, 200, {});
      } else if (request.path === '/early') {
        expect(request.gone.aborted).toBe(false);
      }
    });
    await (await ask('/answered')).text();
    for (const path of ['/early', '/late']) {
      const leaving = new AbortController();
      const asked = ask(path, { signal: leaving.signal }).catch(() => undefined);
      await expect.poll(() => requests.some((one) => one.path === path)).toBe(true);
      leaving.abort();
      await asked;
    }
    await expect.poll(() => requests.every(({ response }) => response.closed)).toBe(true);
    expect(requests.map(({ path, gone }) => [path, gone.aborted])).toEqual([
      ['/answered', false],
      ['/early', true],
      ['/late', true],
    ]);
  });
});

describe('an answer', () => {
  it.each<
    [
      what: string,
      send: (request: GuardedRequest) => void,
      status: number,
      body: string,
      headers: object,
    ]
  >([
    [
      'without a document',
      ({ response }) => answer(response, 202, undefined, { 'x-a': 'b' }),
      202,
      '',
      { 'x-a': 'b', 'cache-control': 'no-store' },
    ],
    [
      'that is a page',
      ({ response }) => answerText(response, 'text/html', '<p>é', { 'x-a': 'b' }),
      200,
      '<p>é',
      { 'content-type': 'text/html; charset=utf-8', 'content-length': '5', 'x-a': 'b' },
    ],
    [
      'of what is not there',
      ({ response }) => refuse(response, 404, 'No.'),
      404,
      '{"jsonrpc":"2.0","error":{"code":-32001,"message":"No."},"id":null}',
      {},
    ],
    [
      'that has begun is not begun again',
      ({ response }) => {
        response.writeHead(200).write('a');
        answer(response, 500, 'b');
      },
      200,
      'a',
      {},
    ],
  ])('%s', async (_, send, status, body, headers) => {
    await open(async (request) => send(request));
    const response = await ask('/');
    expect([response.status, await response.text()]).toEqual([status, body]);
    expect(Object.fromEntries(response.headers)).toMatchObject(headers);
  });
});

describe('what a library answers', () => {
  const events = (...texts: readonly string[]) =>
    new Response(
      new ReadableStream({
        start(controller) {
          for (const text of texts) {
            controller.enqueue(new TextEncoder().encode(text));
          }
          controller.close();
        },
      }),
      {
        status: 201,
        headers: { 'content-type': 'text/event-stream', connection: 'x', 'x-a': 'b' },
      },
    );
  const sole = 'event: message\ndata: {"a":1}\n\n';

  it.each<[what: string, method: string, make: () => Response, type: string, body: string]>([
    [
      'the sole message of a call is JSON',
      'POST',
      () => events(sole),
      'application/json',
      '{"a":1}',
    ],
    ['the same to who listens is a stream', 'GET', () => events(sole), 'text/event-stream', sole],
    [
      'two messages are a stream',
      'POST',
      () => events(sole, sole),
      'text/event-stream',
      sole + sole,
    ],
    [
      'three are as well',
      'POST',
      () => events(sole, 'data: 2\n\n', sole),
      'text/event-stream',
      `${sole}data: 2\n\n${sole}`,
    ],
    [
      'another event is a stream',
      'POST',
      () => events('event: ping\ndata: 1\n\n'),
      'text/event-stream',
      'event: ping\ndata: 1\n\n',
    ],
    ['an empty stream is one', 'POST', () => events(), 'text/event-stream', ''],
    [
      'a text is sent whole',
      'POST',
      () =>
        new Response('plain', {
          status: 201,
          headers: { 'content-type': 'text/plain', 'x-a': 'b' },
        }),
      'text/plain',
      'plain',
    ],
    [
      'nothing is sent as nothing',
      'POST',
      () =>
        new Response(null, {
          status: 201,
          headers: { 'content-type': 'text/event-stream', 'x-a': 'b' },
        }),
      'text/event-stream',
      '',
    ],
  ])('%s', async (_, method, make, type, body) => {
    await open(({ response }) => sendResponse(make(), response, new UnreadAnswers()));
    const response = await ask('/', { method });
    expect([response.status, await response.text()]).toEqual([201, body]);
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.headers.get('x-a')).toBe('b');
    expect(errors).toEqual([]);
  });

  it('is no sole message while the stream goes on', async () => {
    let controller: ReadableStreamDefaultController | undefined;
    const start = (given: ReadableStreamDefaultController) => {
      controller = given;
      given.enqueue(new TextEncoder().encode(sole));
    };
    const stream = new Response(new ReadableStream({ start }), {
      headers: { 'content-type': 'text/event-stream' },
    });
    await open(({ response }) => sendResponse(stream, response, new UnreadAnswers()));
    const response = await ask('/', { method: 'POST' });
    controller?.enqueue(new TextEncoder().encode(sole));
    controller?.close();
    expect(await response.text()).toBe(sole + sole);
  });

  it('begins before its first message, and is left when the client goes', async () => {
    let isLeft = false;
    const cancel = () => {
      isLeft = true;
    };
    const endless = new Response(new ReadableStream({ cancel }), {
      headers: { 'content-type': 'text/event-stream' },
    });
    await open(({ response }) => sendResponse(endless, response, new UnreadAnswers()));
    const leaving = new AbortController();
    const response = await ask('/', { method: 'POST', signal: leaving.signal });
    expect(response.status).toBe(200);
    leaving.abort();
    await expect.poll(() => isLeft).toBe(true);
  });

  it.each([
    ['a text', () => new Response('x'.repeat(20 * mebibyte))],
    ['a sole message', () => events(`data: ${'x'.repeat(20 * mebibyte)}\n\n`)],
    ['a stream', () => events(sole, `data: ${'x'.repeat(20 * mebibyte)}\n\n`)],
  ])('counts as unread until its client reads it: %s', async (_, make) => {
    const unread = new UnreadAnswers();
    await open(({ response }) => sendResponse(make(), response, unread));
    const socket = connect(door?.port ?? 0, '127.0.0.1').pause();
    socket.write(head('POST', '/'));
    await expect.poll(() => unread.bytes).toBeGreaterThan(mebibyte);
    socket.resume();
    await expect.poll(() => unread.bytes).toBe(0);
    socket.destroy();
  });

  it('learns the request without token and cookie', async () => {
    let seen: Request | undefined;
    await open(async ({ request, response, gone }) => {
      seen = toWebRequest(request, gone);
      answer(response, 204);
    });
    await ask('/mcp/x?y=1', { method: 'PUT', headers: { cookie: 'a=b', 'x-a': 'b' }, body: 'c' });
    expect([seen?.method, seen?.url]).toEqual(['PUT', 'http://127.0.0.1/mcp/x?y=1']);
    const { headers } = seen as Request;
    expect([headers.get('authorization'), headers.get('cookie'), headers.get('x-a')]).toEqual([
      null,
      null,
      'b',
    ]);
  });
});
