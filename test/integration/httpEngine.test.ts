/** What the HTTP engine does beyond the fault suite: overload, folders of the workspace. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  callForResult,
  callForText,
  httpLaunch,
  requestOptions,
  TestConnections,
} from '../fixtures/connections.js';

const megabyte = 'x'.repeat(1024 * 1024);
let connections: TestConnections;
let server: Server;
let url: string;
/** Responses to give before the real ones: status and `Retry-After`. */
let refusals: (readonly [status: number, retryAfter: string | undefined])[];
let requests: string[];
/** Answer calls with more than anybody wants, as this content type. */
let flood: string | undefined;
/** Events of a megabyte each that come before the answer to a call. */
let eventsBefore: number;

beforeEach(async () => {
  connections = new TestConnections();
  refusals = [];
  requests = [];
  flood = undefined;
  eventsBefore = 0;
  server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
});

afterEach(async () => {
  await connections.closeAll();
  server.closeAllConnections();
  server.close();
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) {
    body += chunk;
  }
  if (request.method !== 'POST') {
    response.writeHead(405).end();
    return;
  }
  const { id, method, params } = JSON.parse(body);
  requests.push(method);
  const refusal = id === undefined ? undefined : refusals.shift();
  if (refusal) {
    const [status, retryAfter] = refusal;
    response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end();
    return;
  }
  if (id === undefined) {
    response.writeHead(202).end();
    return;
  }
  if (flood !== undefined && method === 'tools/call') {
    response.writeHead(200, { 'content-type': flood });
    const start = flood === 'application/json' ? '"' : 'data: ';
    // whoever has read enough hangs up
    await pipeline([start, ...Array<string>(200).fill(megabyte)], response).catch(() => undefined);
    return;
  }
  const result =
    method === 'initialize'
      ? {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'busy', version: '1' },
        }
      : { content: [{ type: 'text', text: 'done' }] };
  const reply = JSON.stringify({ jsonrpc: '2.0', id, result });
  if (eventsBefore > 0 && method === 'tools/call') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const params = { level: 'info', data: megabyte };
    const note = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params });
    const events = [...Array<string>(eventsBefore).fill(note), reply];
    await pipeline(
      events.map((event) => `data: ${event}\n\n`),
      response,
    );
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(reply);
}

describe('a busy server', () => {
  it('gets the request again when it says after what time', async () => {
    refusals = [[503, '0']];
    const connection = await connections.open(httpLaunch(url));
    refusals = [
      [429, '0'],
      [429, '0'],
    ];
    expect(await callForText(connection, 'work')).toBe('done');
    expect(requests.filter((method) => method === 'initialize')).toHaveLength(2);
    expect(requests.filter((method) => method === 'tools/call')).toHaveLength(3);
  });

  it('gets the request once when it does not say', async () => {
    const connection = await connections.open(httpLaunch(url));
    refusals = [[429, undefined]];
    await expect(callForText(connection, 'work')).rejects.toThrow();
    expect(requests.filter((method) => method === 'tools/call')).toHaveLength(1);
  });

  it('gets no request again that was cancelled while it was waited', async () => {
    const connection = await connections.open(httpLaunch(url));
    refusals = [[429, '1']];
    const cancellation = new AbortController();
    const call = callForResult(
      connection.session,
      'work',
      {},
      { ...requestOptions, signal: cancellation.signal },
    );
    while (!requests.includes('tools/call')) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    cancellation.abort();
    await expect(call).rejects.toThrow();
    await connection.close();
    expect(requests.filter((method) => method === 'tools/call')).toHaveLength(1);
  });
});

describe('a response without bounds', () => {
  it.each(['application/json', 'text/event-stream'])(
    'fails its own request and keeps the session: %s',
    async (contentType) => {
      const connection = await connections.open(httpLaunch(url));
      flood = contentType;
      await expect(callForText(connection, 'work')).rejects.toThrow(/MB/);
      flood = undefined;
      expect(await callForText(connection, 'work')).toBe('done');
    },
  );

  it('is read on when it is only long in all', async () => {
    const connection = await connections.open(httpLaunch(url));
    eventsBefore = 48;
    expect(await callForText(connection, 'work')).toBe('done');
    expect(connections.log.filter((line) => line.includes('MB'))).toEqual([]);
  });
});
