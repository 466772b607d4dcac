import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { onceEvent } from '../../../src/base/event.js';
import { createCertificate } from '../../fixtures/certificate.js';
import {
  callForText,
  failureOf,
  httpLaunch,
  nextFailure,
  requestOptions,
  TestConnections,
} from '../../fixtures/connections.js';
import {
  type Faults,
  type MisbehavingServer,
  startMisbehavingServer,
} from '../../fixtures/servers/misbehaveHttp.mjs';
import { until } from '../../helpers/until.js';

let connections: TestConnections;
let server: MisbehavingServer;

beforeEach(async () => {
  connections = new TestConnections();
  server = await startMisbehavingServer();
});

afterEach(async () => {
  await connections.closeAll();
  await server.close();
});

function set(faults: Faults): void {
  Object.assign(server.faults, faults);
}

describe('what is no MCP server is said in words', () => {
  const ssh = Buffer.from('SSH-2.0-OpenSSH_9.6\r\n');
  const binary = Buffer.from([0, 255, 1, 2, 3, 22, 3, 1]);
  const page = '<!DOCTYPE html><title>Sign in</title>';

  /** @param isFirst it does not wait to be asked */
  const bytes =
    (text: Buffer, isFirst = false) =>
    () =>
      createServer((socket) => {
        socket.on('error', () => undefined);
        if (isFirst) {
          socket.end(text);
        } else {
          socket.once('data', () => socket.end(text));
        }
      });
  const answer = (type: string, body: string) => () =>
    createHttpServer((_request, response) => {
      response.writeHead(200, type ? { 'content-type': type } : {}).end(body);
    });
  const tls = async () => createHttpsServer(await createCertificate('127.0.0.1'), () => undefined);

  const cases: readonly [
    title: string,
    scheme: string,
    start: () => Server | Promise<Server>,
    code: string,
    words: RegExp,
  ][] = [
    ['the banner of SSH', 'http', bytes(ssh, true), 'not_http', /does not speak HTTP\./],
    ['bytes', 'http', bytes(binary), 'not_http', /does not speak HTTP\./],
    ['nothing', 'http', bytes(Buffer.alloc(0)), 'unreachable', /closed the connection/],
    ['TLS where none is asked for', 'http', tls, 'unreachable', /closed the connection/],
    [
      'no TLS where it is asked for',
      'https',
      answer('text/html', page),
      'not_http',
      /does not speak HTTPS\./,
    ],
    ['SSH in the place of TLS', 'https', bytes(ssh, true), 'not_http', /does not speak HTTPS\./],
    ['a page', 'http', answer('text/html', page), 'not_mcp', /sends text.html|no message of/],
    ['a page without a type', 'http', answer('', page), 'not_mcp', /no MCP server/],
    ['a page as JSON', 'http', answer('application/json', page), 'not_mcp', /no MCP server/],
    ['half a JSON', 'http', answer('application/json', '{"id":'), 'not_mcp', /no MCP server/],
    ['other JSON', 'http', answer('application/json', '{"a":1}'), 'not_mcp', /no MCP server/],
    ['a picture', 'http', answer('image/png', 'x'), 'not_mcp', /no MCP server/],
  ];

  it.each(cases)('%s', async (_title, scheme, start, code, words) => {
    const stranger = (await start()).listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    const { port } = stranger.address() as AddressInfo;
    const url = `${scheme}://127.0.0.1:${port}/mcp`;
    try {
      for (const transport of ['auto', 'streamable-http', 'sse'] as const) {
        for (const ignoreCertificateErrors of [false, true]) {
          const launch = httpLaunch(url, { transport, ignoreCertificateErrors });
          const failure = await connections.failToOpen(launch);
          expect([transport, failure.code, failure.message]).toEqual([
            transport,
            code,
            expect.stringMatching(words),
          ]);
          // one sentence, with the place, and no token of a parser
          expect(failure.message).toContain(`127.0.0.1:${port}`);
          expect(failure.message).not.toMatch(/[{}[\]<]|token|undefined/);
          expect(failure.remedy).toContain('"url"');
        }
      }
    } finally {
      stranger.close();
    }
  });
});

describe('choosing a transport', () => {
  it.each([false, true])(
    'takes Streamable HTTP, with answers as streams: %s',
    async (answersAsStream) => {
      set({ answersAsStream });
      const connection = await connections.open(httpLaunch(server.url));
      expect(connection.session.transport).toBe('streamable-http');
      expect(await callForText(connection, 'echo', { message: 'hi' })).toBe('hi');
      // what found out the transport is what is used
      expect(server.stats.initializes).toBe(1);
    },
  );

  it('falls back to SSE for a server that knows nothing else', async () => {
    const connection = await connections.open(httpLaunch(`${server.origin}/sse`));
    expect(connection.session.transport).toBe('sse');
    expect(await callForText(connection, 'echo', { message: 'hi' })).toBe('hi');
  });

  it('does not fall back when the entry names one', async () => {
    const failure = await connections.failToOpen(
      httpLaunch(`${server.origin}/sse`, { transport: 'streamable-http' }),
    );
    expect(failure).toMatchObject({ code: 'http_status', httpStatus: 404 });
    expect(failure.remedy).toContain('leave out "transport"');
  });

  it('names what an incomplete answer to initialize lacks', async () => {
    set({ namesNobody: true });
    const failure = await connections.failToOpen(httpLaunch(server.url));
    expect(failure).toMatchObject({
      code: 'bad_handshake',
      message: expect.stringContaining('serverInfo'),
    });
    expect(failure.message).not.toMatch(/[{}[\]]/);
  });

  it('reports the first error when both fail', async () => {
    set({ status: 400, listenStatus: 500 });
    const failure = await connections.failToOpen(httpLaunch(server.url));
    expect(failure).toMatchObject({ code: 'http_status', httpStatus: 400 });
  });

  it.each([
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [429, 'http_status'],
    [503, 'http_status'],
  ])('does not fall back on HTTP %s', async (status, code) => {
    set({ status });
    const failure = await connections.failToOpen(httpLaunch(server.url));
    expect(failure).toMatchObject({ code, httpStatus: status });
    expect(server.stats.listens).toBe(0);
  });

  it.each(['streamable-http', 'sse'] as const)(
    'sends the headers on every request of %s',
    async (transport) => {
      set({ requiredToken: 'open sesame', listens: true });
      const url = transport === 'sse' ? `${server.origin}/sse` : server.url;
      const headers = { Authorization: 'Bearer open sesame' };
      const connection = await connections.open(httpLaunch(url, { transport, headers }));
      expect(await callForText(connection, 'echo', { message: 'hi' })).toBe('hi');
    },
  );

  it.each(['streamable-http', 'sse'] as const)(
    'says that %s lacks authorization',
    async (transport) => {
      set({ requiredToken: 'open sesame' });
      const url = transport === 'sse' ? `${server.origin}/sse` : server.url;
      expect(await connections.failToOpen(httpLaunch(url, { transport }))).toMatchObject({
        code: 'unauthorized',
        httpStatus: 401,
      });
    },
  );

  it.each([
    [
      'a token of the entry',
      { headers: { authorization: 'Bearer wrong' } },
      'The server refuses the token of its entry (HTTP 401).',
    ],
    ['a switch of the entry', { auth: false }, 'The server asks for authorization.'],
  ] as const)('does not speak of signing in when %s rules it out', async (_what, fields, says) => {
    set({ requiredToken: 'open sesame' });
    const failure = await connections.failToOpen(httpLaunch(server.url, fields));
    expect(failure).toMatchObject({ code: 'token_refused', httpStatus: 401, message: says });
    expect(failure.remedy).not.toMatch(/^Sign in/);
  });
});

describe('connecting', () => {
  it.each(['auto', 'streamable-http', 'sse'] as const)(
    'over %s to a place where nobody listens says so, without query or secrets',
    async (transport) => {
      await server.close();
      const failure = await connections.failToOpen(
        httpLaunch(`${server.url}?token=t0psecret`, { transport, secrets: ['t0psecret'] }),
      );
      expect(failure).toMatchObject({ code: 'unreachable' });
      expect(failure.message).toContain(server.url);
      expect(failure.message).toContain('ECONNREFUSED');
      expect(JSON.stringify(failure) + connections.log.join()).not.toContain('t0psecret');
      server = await startMisbehavingServer();
    },
  );

  it('to another origin by redirect is refused', async () => {
    set({ redirectTo: 'http://127.0.0.1:9/elsewhere' });
    const failure = await connections.failToOpen(httpLaunch(server.url));
    expect(failure).toMatchObject({ code: 'redirected', httpStatus: 307 });
    expect(failure.message).toContain('http://127.0.0.1:9/elsewhere');
  });

  it('by redirect from https to http is refused', async () => {
    const secure = await startMisbehavingServer({ tls: await createCertificate() });
    secure.faults.redirectTo = server.url;
    const launch = httpLaunch(secure.url, { ignoreCertificateErrors: true });
    const failure = await connections.failToOpen(launch);
    await secure.close();
    expect(failure).toMatchObject({ code: 'redirected', httpStatus: 307 });
    expect(failure.message).toBe('The server redirects to another place: http:');
    expect(server.stats.initializes).toBe(0);
  });

  it('to a web page fails', async () => {
    set({ html: true });
    expect((await connections.failToOpen(httpLaunch(server.url))).message).toContain('text/html');
  });

  it('to a server that does not answer ends at the limit', async () => {
    set({ hang: true });
    const failure = await connections.failToOpen(httpLaunch(server.url), { connectTimeoutMs: 300 });
    expect(failure).toMatchObject({ code: 'initialize_timeout' });
  });

  it('ends the session at the server when it closes', async () => {
    const connection = await connections.open(httpLaunch(server.url));
    await connection.close();
    expect(server.stats.deletes).toBe(1);
  });

  it('is not held up on closing by a server that hangs', async () => {
    const connection = await connections.open(httpLaunch(server.url));
    set({ hang: true });
    await connection.close();
    expect(server.stats.deletes).toBe(0);
  });
});

describe('a session', () => {
  it.each([404, 400])(
    'that the server lost (HTTP %s) closes and can be opened again',
    async (lostStatus) => {
      set({ lostStatus });
      const connection = await connections.open(httpLaunch(server.url));
      const closed = nextFailure(connection);
      server.loseSessions();
      const failure = await failureOf(connection, callForText(connection, 'echo', { message: 1 }));
      expect(failure).toMatchObject({ code: 'session_lost', httpStatus: lostStatus });
      expect(await closed).toMatchObject({ code: 'session_lost' });
      expect(server.stats.calls).toBe(0);
      const again = await connections.open(httpLaunch(server.url));
      expect(await callForText(again, 'echo', { message: 'back' })).toBe('back');
    },
  );

  it.each([
    ['words', 'The session_token of your arguments is not valid.'],
    [
      'an error of its own',
      '{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"No such session"}}',
    ],
    [
      'an error of nobody',
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"A session may not do this"}}',
    ],
  ])('is not lost with a call that fails with HTTP 400 and %s', async (_what, refusal) => {
    const connection = await connections.open(httpLaunch(server.url));
    set({ refusal });
    const failure = await failureOf(connection, callForText(connection, 'echo', { message: 1 }));
    expect(failure).toMatchObject({ code: 'http_status', httpStatus: 400 });
    server.faults.refusal = undefined;
    expect(await callForText(connection, 'echo', { message: 'alive' })).toBe('alive');
    expect(server.stats).toMatchObject({ initializes: 1, calls: 2 });
  });

  it.each([429, 500, 503])('survives a call that fails with HTTP %s', async (status) => {
    const connection = await connections.open(httpLaunch(server.url));
    set({ status });
    const failure = await failureOf(connection, callForText(connection, 'echo', { message: 1 }));
    expect(failure).toMatchObject({ code: 'http_status', httpStatus: status });
    server.faults.status = undefined;
    expect(await callForText(connection, 'echo', { message: 'alive' })).toBe('alive');
  });

  it('survives an answer with a header beyond measure', async () => {
    const connection = await connections.open(httpLaunch(server.url));
    set({ hugeHeader: true });
    const failure = await failureOf(connection, callForText(connection, 'echo', { message: 1 }));
    expect(failure.message).toContain('HEADERS_OVERFLOW');
    server.faults.hugeHeader = false;
    expect(await callForText(connection, 'echo', { message: 'alive' })).toBe('alive');
  });

  it.each([false, true])(
    'goes on with a call under way when a connection is refused, with answers as streams: %s',
    async (answersAsStream) => {
      set({ answersAsStream });
      const connection = await connections.open(httpLaunch(server.url));
      const underWay = callForText(connection, 'held', { message: 'late' });
      await until(() => server.heldCalls() === 1);
      server.refuseConnections();
      const failure = await failureOf(connection, callForText(connection, 'echo', { message: 1 }));
      expect(failure).toMatchObject({ code: 'unreachable' });
      server.answerHeld();
      expect(await underWay).toBe('late');
      const closed = nextFailure(connection);
      await failureOf(connection, callForText(connection, 'echo', { message: 1 }));
      expect(await closed).toMatchObject({ code: 'unreachable' });
      server = await startMisbehavingServer();
    },
  );

  it('reopens a dropped notification stream and hears list changes on it', async () => {
    set({ listens: true });
    const connection = await connections.open(httpLaunch(server.url));
    await untilStreamOpens();
    server.dropStreams();
    await untilStreamOpens();
    const changed = onceEvent(connection.session.onDidChangeList);
    server.notify('notifications/tools/list_changed');
    expect(await changed).toBe('tools');
  });

  it.each([408, 502])('opens a notification stream that was refused (HTTP %s)', async (status) => {
    set({ listens: true, listenStatus: status });
    const connection = await connections.open(httpLaunch(server.url));
    await until(() => connections.log.some((line) => line.includes('it is tried again')));
    server.faults.listenStatus = undefined;
    await untilStreamOpens();
    const changed = onceEvent(connection.session.onDidChangeList);
    server.notify('notifications/tools/list_changed');
    expect(await changed).toBe('tools');
  });

  it('stops reopening a notification stream that always ends', async () => {
    set({ listens: true, dropListening: true });
    const connection = await connections.open(httpLaunch(server.url));
    await until(() => connections.log.some((line) => line.includes('no longer opened')));
    expect(server.stats.listens).toBe(5);
    expect(await callForText(connection, 'echo', { message: 'alive' })).toBe('alive');
  });
});

describe('a response stream that ends without its answer', () => {
  it('fails the call at once and keeps the session', async () => {
    set({ dropAnswer: 'plain' });
    const connection = await connections.open(httpLaunch(server.url));
    const failure = await failureOf(connection, callForText(connection, 'echo', { message: 1 }));
    expect(failure.message).toContain('no answer before the connection ended');
    server.faults.dropAnswer = undefined;
    expect(await callForText(connection, 'echo', { message: 'alive' })).toBe('alive');
  });

  it('is resumed when the server gave it an id', async () => {
    set({ dropAnswer: 'resumable' });
    const connection = await connections.open(httpLaunch(server.url));
    expect(await callForText(connection, 'echo', { message: 'resumed' })).toBe('resumed');
    expect(server.stats.calls).toBe(1);
  });

  it('is resumed at a pace for as long as the server wants it', async () => {
    set({ dropAnswer: 'for_ever' });
    const connection = await connections.open(httpLaunch(server.url));
    const call = callForText(connection, 'echo', { message: 1 }, { timeoutMs: 2500 });
    expect(await failureOf(connection, call)).toMatchObject({ code: 'request_timeout' });
    const { listens } = server.stats;
    expect(listens).toBeGreaterThan(5);
    expect(listens).toBeLessThan(40);
    server.faults.dropAnswer = undefined;
    expect(await callForText(connection, 'echo', { message: 'alive' })).toBe('alive');
    expect(server.stats.calls).toBe(2);
  });

  it('fails the call when it cannot be resumed', async () => {
    set({ dropAnswer: 'resumable', listenStatus: 500, forgetAnswers: true });
    const connection = await connections.open(httpLaunch(server.url));
    const failure = await failureOf(connection, callForText(connection, 'echo', { message: 1 }));
    expect(failure.message).toContain('no answer before the connection ended');
  });
});

describe('a certificate that is not trusted', () => {
  it('is refused, unless the entry accepts it', async () => {
    const secure = await startMisbehavingServer({ tls: await createCertificate() });
    try {
      for (const transport of ['auto', 'streamable-http', 'sse'] as const) {
        const failure = await connections.failToOpen(httpLaunch(secure.url, { transport }));
        expect(failure).toMatchObject({ code: 'certificate' });
      }
      for (const url of [secure.url, `${secure.origin}/sse`]) {
        const launch = httpLaunch(url, { ignoreCertificateErrors: true });
        const connection = await connections.open(launch);
        expect(await callForText(connection, 'echo', { message: 'hi' })).toBe('hi');
        expect((await connection.session.list('tools', requestOptions)).items).toHaveLength(1);
        await connection.close();
      }
    } finally {
      await secure.close();
    }
  });
});

function untilStreamOpens(): Promise<void> {
  return until(() => server.openStreams() > 0);
}
