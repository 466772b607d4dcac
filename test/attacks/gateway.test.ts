/** Who may use a gateway that listens on this machine: pages with a rebound name, other programs, and requests without end. */
import { existsSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Gateway } from '../../src/gateway/gateway.js';
import { gatewayLimits } from '../../src/gateway/http/limits.js';
import { filesystem } from '../helpers/coreHarness.js';
import { GatewayHarness } from '../helpers/gateway/gatewayHarness.js';

let harness: GatewayHarness;
let gateway: Gateway;
/** Appears when a request has reached the server behind the gateway. */
let canary: string;

beforeAll(async () => {
  harness = await GatewayHarness.create({ files: filesystem });
});

afterAll(async () => {
  await harness.dispose();
});

beforeEach(async () => {
  gateway = await harness.start();
  // the server may write where our folder is, and nowhere else
  canary = join(harness.folder.fsPath ?? '', `canary-${gateway.port}`);
});

afterEach(async () => {
  await gateway.stop();
});

const version = '2026-07-28';
const meta = 'io.modelcontextprotocol/';

/** One request that has the server write a file. */
function call(padding = '') {
  const params = {
    name: 'write_file',
    arguments: { path: canary, content: `sings ${padding}` },
    _meta: {
      [`${meta}protocolVersion`]: version,
      [`${meta}clientInfo`]: { name: 'attacker', version: '1' },
      [`${meta}clientCapabilities`]: {},
    },
  };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
}

function goodHeaders(): Record<string, string> {
  return {
    host: `127.0.0.1:${gateway.port}`,
    authorization: `Bearer ${gateway.tokens.use}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': version,
    'mcp-method': 'tools/call',
    'mcp-name': 'write_file',
  };
}

interface Attempt {
  readonly method?: string;
  readonly path?: string;
  /** `undefined` takes one away. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
}

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** As it is, with whatever host and origin: what a browser, or any program, can be made to send. */
function send({ method = 'POST', path = '/mcp/files', headers = {}, body = call() }: Attempt) {
  const all = Object.entries({ ...goodHeaders(), ...headers });
  const sent = Object.fromEntries(all.filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >;
  return new Promise<Answered>((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port: gateway.port, method, path, headers: sent, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    request.on('error', reject);
    request.end(method === 'GET' || method === 'OPTIONS' ? undefined : body);
  });
}

describe('the control', () => {
  it('a client of this machine with the token has the file written', async () => {
    const { status, text } = await send({});
    expect([status, text]).toEqual([200, expect.stringContaining('Successfully wrote')]);
    expect(existsSync(canary)).toBe(true);
  });
});

describe('a request that is refused', () => {
  const other = 'A'.repeat(43);
  const attempts: readonly (readonly [string, () => Attempt, number])[] = [
    ['a name that was rebound to this machine', () => ({ headers: { host: 'evil.example' } }), 403],
    [
      'the same with the right port',
      () => ({ headers: { host: `evil.example:${gateway.port}` } }),
      403,
    ],
    ['a foreign origin', () => ({ headers: { origin: 'https://evil.example' } }), 403],
    ['the origin of a sandboxed frame', () => ({ headers: { origin: 'null' } }), 403],
    ['the origin of a page of this machine', () => ({ headers: { origin: gateway.url } }), 403],
    ['a page that hides its origin', () => ({ headers: { 'sec-fetch-site': 'cross-site' } }), 403],
    ['no token', () => ({ headers: { authorization: undefined } }), 401],
    ['a wrong token', () => ({ headers: { authorization: `Bearer ${other}` } }), 401],
    [
      'a token that is cut off',
      () => ({ headers: { authorization: `Bearer ${gateway.tokens.use.slice(0, 20)}` } }),
      401,
    ],
    [
      'a token in the address',
      () => ({
        path: `/mcp/files?token=${gateway.tokens.use}`,
        headers: { authorization: undefined },
      }),
      401,
    ],
    [
      'a token in a cookie',
      () => ({
        headers: { authorization: undefined, cookie: `token=${gateway.tokens.use}` },
      }),
      401,
    ],
    ['a question before a request of a page', () => ({ method: 'OPTIONS' }), 403],
    ['a body without bounds', () => ({ body: call('x'.repeat(gatewayLimits.bodyBytes)) }), 413],
    ['a body that is no JSON', () => ({ body: '{' }), 400],
    ['a form of a page', () => ({ headers: { 'content-type': 'text/plain' } }), 415],
    ['an address with a path', () => ({ path: '/mcp/../mcp/files' }), 404],
    ['a name with a path', () => ({ path: '/mcp/..%2f..%2ffiles' }), 404],
  ];

  it.each(attempts)('%s', async (_what, attempt, status) => {
    const answered = await send(attempt());
    expect(answered.status).toBe(status);
    expect(existsSync(canary)).toBe(false);
    const names = Object.keys(answered.headers);
    expect(names.filter((name) => name.startsWith('access-control'))).toEqual([]);
    const { use, manage } = gateway.tokens;
    expect([use, manage].filter((token) => answered.text.includes(token))).toEqual([]);
  });

  it('asks for a token in no way that leads a client to sign in elsewhere', async () => {
    const { headers } = await send({ headers: { authorization: undefined } });
    expect(headers['www-authenticate']).toBe('Bearer');
  });

  it('is counted: whoever guesses is soon not answered any more', async () => {
    const statuses: number[] = [];
    for (let guess = 0; guess < 60; guess++) {
      statuses.push((await send({ headers: { authorization: `Bearer ${other}` } })).status);
    }
    expect(statuses).toContain(429);
    // who has the token is not kept out by that
    expect((await send({})).status).toBe(200);
  });
});

describe('a connection that', () => {
  it('sends a chunked body without end is cut off', async () => {
    const socket = connect(gateway.port, '127.0.0.1');
    const { 'content-type': type = '', ...headers } = goodHeaders();
    const lines = Object.entries({
      ...headers,
      'content-type': type,
      'transfer-encoding': 'chunked',
    });
    socket.on('error', () => undefined);
    const ended = new Promise<string>((resolve) => {
      let heard = '';
      socket.on('data', (chunk) => {
        heard += chunk.toString();
      });
      socket.on('close', () => resolve(heard));
    });
    socket.write(
      `POST /mcp/files HTTP/1.1\r\n${lines.map(([k, v]) => `${k}: ${v}\r\n`).join('')}\r\n`,
    );
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const pump = () => {
      while (!socket.destroyed && socket.write(chunk)) {
        // until the buffers are full
      }
    };
    socket.on('drain', pump);
    pump();
    expect(await ended).toMatch(/^HTTP\/1\.1 413|^$/);
    expect((await send({})).status).toBe(200);
  });
});
