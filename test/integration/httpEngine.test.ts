/** What the HTTP engine does beyond the fault suite: overload, folders of the workspace. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  callForText,
  httpLaunch,
  requestOptions,
  TestConnections,
} from '../fixtures/connections.js';

let connections: TestConnections;
let server: Server;
let url: string;
/** Responses to give before the real ones: status and `Retry-After`. */
let refusals: (readonly [status: number, retryAfter: string | undefined])[];
let requests: string[];

beforeEach(async () => {
  connections = new TestConnections();
  refusals = [];
  requests = [];
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
  const result =
    method === 'initialize'
      ? {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'busy', version: '1' },
        }
      : { content: [{ type: 'text', text: 'done' }] };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
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
    const call = connection.session.callTool(
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
