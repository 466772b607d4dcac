/** The wire of 2026-07-28 over HTTP and stdio: logs, cancellation, listening, and which generation a server speaks. */
import { resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { onceEvent } from '../../src/base/event.js';
import { ProtocolVerdicts } from '../../src/mcp/connection/protocolVerdicts.js';
import {
  callForResult,
  callForText,
  httpLaunch,
  requestOptions,
  stdioLaunch,
  TestConnections,
} from '../fixtures/connections.js';
import { ModernServer } from '../fixtures/servers/modernServer.js';
import { until } from '../helpers/until.js';

const script = resolve('test/fixtures/servers/asking.mjs');
let connections: TestConnections;
let server: ModernServer;

beforeEach(async () => {
  connections = new TestConnections();
  server = await ModernServer.start();
});

afterEach(async () => {
  await connections.closeAll();
  await server.close();
  expect(await connections.processes()).toEqual([]);
});

const pinned = () => httpLaunch(server.url, { protocolVersion: '2026-07-28' });
const auto = () => httpLaunch(server.url, { protocolVersion: 'auto' });
const process = () =>
  stdioLaunch('node', [script, '--modern', connections.marker], { protocolVersion: '2026-07-28' });

describe('a call', () => {
  it.each([
    ['HTTP', pinned],
    ['stdio', process],
  ])('asks for log messages of its own, and gets them: %s', async (_title, launch) => {
    const connection = await connections.open(launch());
    const logged = onceEvent(connection.session.onDidLog);
    expect(await callForText(connection, 'log')).toContain('info');
    const sent = { level: 'warning', data: 'wanted from info' };
    expect(await logged).toEqual({
      level: 'warn',
      cause: { kind: 'client', client: undefined },
      message: 'wanted from info',
      sent,
    });
  });

  it('that is cancelled ends at the server, and nothing else does', async () => {
    const connection = await connections.open(pinned());
    await until(() => server.listening.size === 1);
    const cancellation = new AbortController();
    const { signal } = cancellation;
    const call = callForResult(connection.session, 'hang', {}, { ...requestOptions, signal });
    await until(() => server.calls === 1);
    cancellation.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    await until(() => server.abandoned === 1);
    expect(server.listening.size).toBe(1);
    expect(await callForText(connection, 'log')).toBe('info');
  });

  it('that takes too long ends at the server', async () => {
    const connection = await connections.open(pinned());
    const call = callForResult(connection.session, 'hang', {}, { timeoutMs: 300 });
    await expect(call).rejects.toMatchObject({ kind: 'request_timeout' });
    await until(() => server.abandoned === 1);
  });

  it('that is cancelled is taken back over stdio', async () => {
    const connection = await connections.open(process());
    const call = callForResult(connection.session, 'hang', {}, { timeoutMs: 300 });
    await expect(call).rejects.toMatchObject({ kind: 'request_timeout' });
    expect(JSON.parse(String(await callForText(connection, 'cancelled')))).toHaveLength(1);
  });
});

describe('listening', () => {
  it('is done on one stream, however often what is listened for changes', async () => {
    const { session } = await connections.open(pinned());
    await until(() => server.listening.size === 1);
    for (let n = 1; n <= 30; n++) {
      const before = server.listens;
      await session.watchResource(`x:${n}`, true, requestOptions);
      await until(() => server.listens > before || n > 1);
    }
    await until(() => server.listening.size === 1);
    const changed = onceEvent(session.onDidChangeList);
    const timer = setInterval(() => server.announce('notifications/tools/list_changed'), 50);
    expect(await changed).toBe('tools');
    clearInterval(timer);
    expect(server.listening.size).toBe(1);
  });

  it('goes on after the server has ended the stream, not without pause', async () => {
    server.dropsListening = true;
    await connections.open(pinned());
    await until(() => server.listens === 2);
    server.dropsListening = false;
    await until(() => server.listening.size === 1);
    expect(server.listens).toBeLessThan(5);
  });

  it('ends with the connection', async () => {
    const connection = await connections.open(pinned());
    await until(() => server.listening.size === 1);
    await connection.close();
    await until(() => server.listening.size === 0);
  });
});

describe('the generation of a server', () => {
  it('is asked for until it is known to be the older one, and again after a day', async () => {
    let now = 0;
    const verdicts = new ProtocolVerdicts(undefined, () => now);
    const open = () => connections.open(auto(), { protocolVerdict: verdicts.for('server') });
    const probes = () => server.requests.filter((method) => method === 'server/discover').length;
    server.isOld = true;
    expect((await open()).session.protocolVersion).toBe('2025-11-25');
    expect((await open()).session.protocolVersion).toBe('2025-11-25');
    expect(probes()).toBe(1);
    now += 25 * 60 * 60_000;
    expect((await open()).session.protocolVersion).toBe('2025-11-25');
    expect(probes()).toBe(2);
  });

  it('that was replaced by an older one is noticed at the next connect', async () => {
    const verdicts = new ProtocolVerdicts();
    const open = () => connections.open(auto(), { protocolVerdict: verdicts.for('server') });
    expect((await open()).session.protocolVersion).toBe('2026-07-28');
    server.isOld = true;
    expect((await open()).session.protocolVersion).toBe('2025-11-25');
  });

  it('that was replaced by one that knows only the newer is found out at the second try', async () => {
    const verdicts = new ProtocolVerdicts();
    const open = () => connections.open(auto(), { protocolVerdict: verdicts.for('server') });
    server.isOld = true;
    expect((await open()).session.protocolVersion).toBe('2025-11-25');
    server.isOld = false;
    await open().catch(() => undefined);
    expect((await open()).session.protocolVersion).toBe('2026-07-28');
  });

  it('that an entry insists on is not given up over HTTP', async () => {
    server.isOld = true;
    const failure = await connections.failToOpen(pinned());
    expect(failure.message).not.toBe('');
    expect(server.requests).not.toContain('initialize');
  });
});
