/** Clients that keep others out of a gateway, or have it hold more than it should: with a token, and without one. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Gateway } from '../../src/gateway/gateway.js';
import { gatewayLimits } from '../../src/gateway/http/limits.js';
import { FakeClock } from '../helpers/fakes/fakeClock.js';
import { fixtureServer, GatewayHarness, headersOf } from '../helpers/gateway/gatewayHarness.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

let harness: GatewayHarness;
let gateway: Gateway;
let clock: FakeClock;
let sockets: Socket[];
let endedStreams: number;

beforeAll(async () => {
  harness = await GatewayHarness.create({
    offering: fixtureServer('offering'),
    pouring: fixtureServer('misbehave'),
  });
});

beforeEach(async () => {
  clock = new FakeClock();
  sockets = [];
  endedStreams = 0;
  gateway = await harness.start({ clock });
});

afterEach(async () => {
  for (const socket of sockets) {
    socket.destroy();
  }
  await gateway.stop();
});

afterAll(() => harness.dispose());

async function open(place: number | string): Promise<Socket> {
  const socket = typeof place === 'number' ? connect(place, '127.0.0.1') : connect({ path: place });
  socket.on('error', () => undefined);
  sockets.push(socket);
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
  return socket;
}

const head = (method: string, more: Readonly<Record<string, string>>, path = '/mcp/offering') => {
  const headers = {
    Host: `127.0.0.1:${gateway.port}`,
    ...headersOf(gateway),
    Accept: 'application/json, text/event-stream',
    'Content-Type': 'application/json',
    ...more,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`;
};

function post(
  socket: Socket,
  message: object,
  more: Readonly<Record<string, string>> = {},
  path?: string,
) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...message });
  socket.write(head('POST', { 'Content-Length': String(body.length), ...more }, path) + body);
}

function initializing(name: string) {
  const clientInfo = { name, version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  return { jsonrpc: '2.0', id: 1, method: 'initialize', params };
}

/** @returns what a client is answered that begins a session */
async function initialize(socket: Socket, name: string, path?: string): Promise<string> {
  post(socket, initializing(name), {}, path);
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return chunk.toString();
}

/** @returns its id */
async function begin(name: string, path?: string, on?: Socket): Promise<string> {
  const answer = await initialize(on ?? (await open(gateway.port)), name, path);
  const [, id] = /^mcp-session-id: (\S+)/im.exec(answer) ?? [];
  expect(id, answer).toBeDefined();
  return id ?? '';
}

/** Sessions of one client, each with a stream that listens. */
async function listen(name: (index: number) => string, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const session = await begin(name(index));
    const stream = await open(gateway.port);
    stream.on('data', (chunk: Buffer) => {
      endedStreams += chunk.toString().endsWith('0\r\n\r\n') ? 1 : 0;
    });
    stream.write(head('GET', { 'Mcp-Session-Id': session }));
    await once(stream, 'data');
  }
}

/** Opens a stream of 2026-07-28. */
function listening() {
  const meta = 'io.modelcontextprotocol/';
  const _meta = {
    [`${meta}protocolVersion`]: '2026-07-28',
    [`${meta}clientInfo`]: { name: 'greedy', version: '1' },
    [`${meta}clientCapabilities`]: {},
  };
  const params = { notifications: { toolsListChanged: true }, _meta };
  return {
    message: { method: 'subscriptions/listen', params },
    headers: { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'subscriptions/listen' },
  };
}

describe('connections without a token', () => {
  it('keep nobody out, however many there are', async () => {
    for (let count = 0; count < gatewayLimits.unprovenConnections + 20; count++) {
      await open(gateway.port);
    }
    await expect
      .poll(() => sockets.filter(({ closed }) => !closed).length)
      .toBe(gatewayLimits.unprovenConnections);
    const client = await harness.connect(gateway, 'offering');
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  });

  it('end after a while, also when they ask for something; one that had a token stays', async () => {
    const silent = await open(gateway.port);
    const asking = await open(gateway.port);
    asking.write(head('GET', { Authorization: 'Bearer nothing' }));
    await once(asking, 'data');
    const session = await begin('known');
    const known = await open(gateway.port);
    known.write(head('GET', { 'Mcp-Session-Id': session }));
    await once(known, 'data');
    const ended = Promise.all([once(silent, 'close'), once(asking, 'close')]);
    clock.advance(gatewayLimits.provingMs);
    await ended;
    expect(known.closed).toBe(false);
  });

  it('end at the socket when they do not say who they are', async () => {
    const silent = await open(gateway.socket);
    await expect.poll(() => gateway.sessionCount).toBe(1);
    const ended = once(silent, 'close');
    clock.advance(gatewayLimits.provingMs);
    await ended;
    expect(gateway.sessionCount).toBe(0);
  });
});

describe('the sessions of one client', () => {
  it('that listen give way to another client, and not to itself', async () => {
    await listen(() => 'greedy', gatewayLimits.sessions);
    await expect.poll(() => gateway.sessionCount).toBe(gatewayLimits.sessions);
    expect(await initialize(await open(gateway.port), 'greedy')).toContain(' 503 ');
    const other = await harness.connect(gateway, 'offering', 'other');
    expect((await other.listTools()).tools.length).toBeGreaterThan(0);
    await expect.poll(() => endedStreams).toBe(1);
    await expect.poll(() => gateway.sessionCount).toBe(gatewayLimits.sessions);
  });

  it('stay when somebody looks whether the socket is in use, as every start of a VS Code does', async () => {
    await listen(() => 'known', gatewayLimits.sessions);
    const looking = await open(gateway.socket);
    await expect.poll(() => gateway.sessionCount).toBe(gatewayLimits.sessions + 1);
    looking.destroy();
    await expect.poll(() => gateway.sessionCount).toBe(gatewayLimits.sessions);
    expect(endedStreams).toBe(0);
    // whoever speaks takes a place
    const speaking = await harness.connectSocket(gateway);
    expect((await speaking.listTools()).tools.length).toBeGreaterThan(0);
    await expect.poll(() => endedStreams).toBe(1);
    await expect.poll(() => gateway.sessionCount).toBe(gatewayLimits.sessions);
  });

  it('of 2026-07-28 that listen are counted with them', async () => {
    const first = await open(gateway.port);
    for (let count = 0; count < gatewayLimits.sessions; count++) {
      const socket = count === 0 ? first : await open(gateway.port);
      const { message, headers } = listening();
      post(socket, message, headers);
      const [chunk] = (await once(socket, 'data')) as [Buffer];
      expect(chunk.toString()).toContain('200 OK');
    }
    await expect.poll(() => gateway.sessionCount).toBe(gatewayLimits.sessions);
    const last = await open(gateway.port);
    post(last, listening().message, listening().headers);
    const [refused] = (await once(last, 'data')) as [Buffer];
    expect(refused.toString()).toContain('503');
    // the stream of the first one ends for another client
    const over = new Promise<void>((resolve) => {
      first.on('data', (chunk: Buffer) => chunk.toString().endsWith('0\r\n\r\n') && resolve());
    });
    const other = await harness.connect(gateway, 'offering', 'other');
    expect((await other.listTools()).tools.length).toBeGreaterThan(0);
    await over;
    // Node drops what follows a signal and what only follows it in turn
    collectGarbage();
    for (const socket of sockets) {
      socket.destroy();
    }
    await expect.poll(() => gateway.sessionCount).toBe(1);
  });

  it.each([
    ['whose headers say something else', { 'Mcp-Method': 'tools/list' }],
    ['of an unknown revision', { 'MCP-Protocol-Version': '2099-01-01' }],
  ])('that are refused because of a request %s take no place', async (_what, headers) => {
    const socket = await open(gateway.port);
    const { message, headers: usual } = listening();
    post(socket, message, { ...usual, ...headers });
    const [refused] = (await once(socket, 'data')) as [Buffer];
    expect(refused.toString()).toMatch(/^HTTP\/1.1 400/);
    expect(gateway.sessionCount).toBe(0);
  });

  it('are idle once nobody listens, also after memory was collected', async () => {
    await listen(() => 'known', 3);
    collectGarbage();
    for (const socket of sockets) {
      socket.destroy();
    }
    const afterIdling = () => {
      clock.advance(gatewayLimits.sessionIdleMs);
      return gateway.sessionCount;
    };
    await expect.poll(afterIdling).toBe(0);
  });

  it('under many names give way once they were not used for a while', async () => {
    await listen((index) => `greedy ${index}`, gatewayLimits.sessions);
    expect(await initialize(await open(gateway.port), 'other')).toContain(' 503 ');
    const refused = await open(gateway.socket);
    let calls = 0;
    gateway.calls.onDidChange(() => calls++);
    const over = once(refused, 'close');
    const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'offering_add' } };
    refused.write(
      `${[initializing('other'), call].map((one) => JSON.stringify(one)).join('\n')}\n`,
    );
    await over;
    expect(calls).toBe(0);
    clock.advance(gatewayLimits.sessionSpareMs);
    await begin('other');
  });
});

describe('what clients do not read', () => {
  const length = 20 * 1024 * 1024;
  const call = { method: 'tools/call', params: { name: 'large', arguments: { length } } };
  const path = '/mcp/pouring';

  it('is held within a bound for all of them', async () => {
    let answered = 0;
    let running = 0;
    gateway.calls.onDidChange(() => {
      answered += gateway.calls.all.length < running ? 1 : 0;
      running = gateway.calls.all.length;
    });
    const asking: Socket[] = [];
    for (let count = 0; count < 8; count++) {
      const socket = await open(gateway.port);
      const session = await begin(`client ${count}`, path, socket);
      socket.pause();
      post(socket, call, { 'Mcp-Session-Id': session }, path);
      asking.push(socket);
    }
    await expect.poll(() => answered, { timeout: 90_000 }).toBe(8);
    // a turn for what is written after the last one
    await new Promise((resolve) => setImmediate(resolve));
    const held = heldBy(gateway);
    expect(held).toBeGreaterThan(length);
    expect(held).toBeLessThanOrEqual(gatewayLimits.unreadBytes);
    const received = await Promise.all(asking.map(bytesUntilQuiet));
    // whoever is not cut off has all of it
    expect(received.filter((bytes) => bytes > length).length).toBe(Math.round(held / length));
  });

  it('is held within a bound for each', async () => {
    const session = await begin('greedy', path);
    const fair = await open(gateway.port);
    const own = await begin('fair', path, fair);
    fair.pause();
    post(fair, call, { 'Mcp-Session-Id': own }, path);
    for (let count = 0; count < 4; count++) {
      const socket = await open(gateway.port);
      socket.pause();
      post(socket, { ...call, id: count }, { 'Mcp-Session-Id': session }, path);
    }
    const bound = gatewayLimits.unreadOfClientBytes + length;
    await expect.poll(() => heldBy(gateway)).toBeGreaterThan(2 * length);
    await expect.poll(() => gateway.calls.all.length).toBe(0);
    expect(heldBy(gateway)).toBeLessThanOrEqual(bound);
    expect(await bytesUntilQuiet(fair)).toBeGreaterThan(length);
  });
});

/** Bytes that wait in its connections. */
function heldBy({ port }: Gateway): number {
  const handles = Reflect.get(process, '_getActiveHandles') as () => readonly unknown[];
  return handles
    .call(process)
    .filter((one): one is Socket => (one as Partial<Socket>).localPort === port)
    .reduce((sum, { writableLength }) => sum + writableLength, 0);
}

/** Of an answer that is as long as it says, or of what comes until the end. */
async function bytesUntilQuiet(socket: Socket): Promise<number> {
  let bytes = 0;
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > 20 * 1024 * 1024) {
        resolve();
      }
    });
    socket.on('close', () => resolve());
    socket.resume();
  });
  return bytes;
}
