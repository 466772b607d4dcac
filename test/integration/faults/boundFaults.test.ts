/** Everything that a server sends is bounded, and what a bound has cost is said: both engines, both wires. */
import { resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Emitter } from '../../../src/base/event.js';
import type { ResolvedLaunch } from '../../../src/config/definition.js';
import type { McpConnection } from '../../../src/mcp/connection/mcpConnection.js';
import type { ClientFeatures } from '../../../src/mcp/connection/session/clientFeatures.js';
import { readCatalog } from '../../../src/mcp/server/readCatalog.js';
import {
  callForResult,
  callForText,
  failureOf,
  httpLaunch,
  requestOptions,
  stdioLaunch,
  TestConnections,
} from '../../fixtures/connections.js';
import { type HostileServer, startHostileServer } from '../../fixtures/servers/hostile.mjs';

const script = resolve('test/fixtures/servers/hostile.mjs');
let connections: TestConnections;
let server: HostileServer;
let asked: number;

beforeEach(async () => {
  connections = new TestConnections();
  server = await startHostileServer();
  asked = 0;
});

afterEach(async () => {
  await connections.closeAll();
  await server.close();
  expect(await connections.processes()).toEqual([]);
});

const process = (protocolVersion: 'legacy' | 'auto' | '2026-07-28', ...flags: string[]) =>
  stdioLaunch('node', [script, ...flags, connections.marker], { protocolVersion });
const wires: readonly (readonly [string, () => ResolvedLaunch])[] = [
  ['the first engine over stdio', () => process('legacy')],
  ['the second engine over stdio', () => process('auto')],
  ['the second engine over stdio, 2026-07-28', () => process('2026-07-28', '--modern')],
  ['HTTP', () => httpLaunch(server.url, { transport: 'streamable-http' })],
  ['HTTP, 2026-07-28', () => httpLaunch(server.url, { protocolVersion: '2026-07-28' })],
];
const olderWires = wires.filter(([title]) => !title.includes('2026'));

/** A user who never answers. */
const features: ClientFeatures = {
  roots: { list: () => [], onDidChange: new Emitter<void>().event },
  elicit: () => {
    asked++;
    return new Promise(() => undefined);
  },
};

function open(launch: ResolvedLaunch, isTraced = false): Promise<McpConnection> {
  return connections.open(launch, { features, isTrafficTraced: () => isTraced });
}

function flood(connection: McpConnection, kind: string, count: number): Promise<unknown> {
  return callForText(connection, 'flood', { kind, count }, { timeoutMs: floodMs });
}

/** Far beyond what a flood takes: a busy machine is no failure. */
const floodMs = 180_000;

/** What passes at once and, as long as it lasts, in each second; and as much again for what is on its way. */
function mostSince(startedAt: number): number {
  return 2 * (200 + (200 * (performance.now() - startedAt)) / 1000);
}

/** Log lines that are not traffic. */
function lines(): readonly string[] {
  return connections.log.filter((line) => !/^info [←→]/.test(line));
}

/** `"{}"` and `"[]"` stand for what is nested. */
function nestedMessages(): readonly string[] {
  const asked = ['roots/list', 'ping', 'elicitation/create', 'sampling/createMessage', 'x'];
  const messages: readonly object[] = [
    ...asked.flatMap((method) => [
      { id: 'deep', method, params: { p: '{}' } },
      { id: 'deep', method, params: { _meta: '{}' } },
      { id: 'deep', method, params: { _meta: { progressToken: '{}' } } },
      { id: 'deep', method, params: '[]' },
      { id: 'deep', method, more: '{}' },
    ]),
    { id: '{}', method: 'roots/list' },
    { id: 'deep', method: '{}' },
    { method: 'notifications/tools/list_changed', params: { p: '{}' } },
    { method: 'notifications/progress', params: { progressToken: 1, progress: '[]' } },
    { method: 'notifications/cancelled', params: { requestId: '{}' } },
    { method: 'notifications/message', params: { level: 'error', data: '{}' } },
    { method: 'notifications/elicitation/complete', params: { elicitationId: '{}' } },
    { id: '[]', result: {} },
    { id: 5, result: '{}' },
    { id: 5, error: '{}' },
  ];
  return ['"[]"', ...messages.map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }))];
}

describe.each(wires)('%s', (_title, launch) => {
  it('keeps of lists what is within the bounds, and says what is not', async () => {
    const { session } = await open(launch());
    const catalog = await readCatalog(session, requestOptions);
    expect(catalog.tools.map(({ name }) => name)).toEqual(['fine', 'wordy']);
    expect(catalog.tools[1]?.description).toHaveLength(20_000);
    expect(catalog.tools[1]?.title).toHaveLength(1000);
    expect(catalog.prompts[0]?.arguments).toHaveLength(100);
    expect(catalog.resources.map(({ uri, name }) => [uri, name])).toEqual([['x:a', 'x:a']]);
    expect(catalog.resourceTemplates).toEqual([]);
    expect(catalog.instructions).toHaveLength(20_000);
    expect(catalog.serverInfo?.name).toHaveLength(1000);
    expect(catalog.notices.length).toBeLessThan(40);
    const said = catalog.notices.join('\n');
    expect(said.length).toBeLessThan(10_000);
    for (const part of [
      'cannot be used: vast',
      'tools/list: 1 long texts were cut',
      'more items were left out',
      'tools/list: reading stopped after 1 pages',
      'instructions: 1 long texts were cut',
    ]) {
      expect(said).toContain(part);
    }
  });

  it('keeps of results what is within the bounds, and says what is not', async () => {
    const connection = await open(launch(), true);
    const { session } = connection;
    const nested = await callForResult(session, 'deep_result', {}, requestOptions);
    expect(nested).toEqual({ content: [{ type: 'text', text: 'kept' }], isError: false });
    const many = await callForResult(session, 'many_blocks', {}, requestOptions);
    expect(many.content).toHaveLength(5000);
    const contents = await session.readResource('x:a', requestOptions);
    expect(contents).toEqual([{ uri: 'x:a', text: 'a' }]);
    expect(await session.readResource('x:many', requestOptions)).toHaveLength(5000);
    const { messages } = await session.getPrompt('p', {}, requestOptions);
    expect(messages).toHaveLength(4999);
    const said = lines().join('\n');
    expect(said).toContain('nested too deeply');
    expect(said).toContain('only 5000 are used');
    expect(await callForText(connection, 'fine')).toBe('fine');
  });

  it('says that the answer to a prompt has no messages', async () => {
    const connection = await open(launch());
    const failure = await failureOf(
      connection,
      connection.session.getPrompt('empty', {}, requestOptions),
    );
    expect(failure).toMatchObject({
      code: 'server_error',
      message: 'The answer of the server to "prompts/get" has no valid messages.',
    });
    expect(await callForText(connection, 'fine')).toBe('fine');
  });

  it('takes a hundred suggestions, and none that is too long', async () => {
    const { session } = await open(launch());
    const values = await session.complete(
      { kind: 'prompt', name: 'p' },
      { name: 'a', value: '' },
      {},
      requestOptions,
    );
    expect(values).toHaveLength(100);
    expect(values[0]).toBe('v0');
  });

  it('survives errors without bounds', async () => {
    const connection = await open(launch());
    const failure = await failureOf(connection, callForText(connection, 'deep_error'));
    expect(failure.message.length).toBeLessThanOrEqual(4000);
    expect(await callForText(connection, 'fine')).toBe('fine');
  });

  it('survives messages that are nested without bounds', async () => {
    const connection = await open(launch(), true);
    for (const message of nestedMessages()) {
      await callForText(connection, 'deep_message', { message, nesting: 50_000 });
    }
    await callForText(connection, 'deep_message', { message: '"[]"', nesting: 2_000_000 });
    expect(await callForText(connection, 'fine')).toBe('fine');
  });

  it('survives logs without bounds', async () => {
    const connection = await open(launch(), true);
    await callForText(connection, 'deep_log');
    await flood(connection, 'logs', 8000);
    expect(Math.max(...connections.log.map((line) => line.length))).toBeLessThan(11_000);
    expect(lines().length).toBeLessThan(4000);
    expect(await callForText(connection, 'fine')).toBe('fine');
  });

  it('passes on progress at a rate, in few words', async () => {
    const { session } = await open(launch());
    const steps: string[] = [];
    const options = {
      ...requestOptions,
      onProgress: ({ message = '' }) => void steps.push(message),
    };
    const startedAt = performance.now();
    await callForResult(session, 'flood', { kind: 'progress', count: 5000 }, options);
    expect(steps.length).toBeLessThan(mostSince(startedAt));
    expect(Math.max(0, ...steps.map((step) => step.length))).toBeLessThanOrEqual(500);
  });

  it.each(['methods', 'responses', 'changes', 'updates'])(
    'answers while it is flooded with %s',
    async (kind) => {
      const connection = await open(launch());
      expect(await flood(connection, kind, 8000)).toBe('flooded');
      expect(lines().length).toBeLessThan(4000);
      expect(await callForText(connection, 'fine')).toBe('fine');
    },
    floodMs,
  );
});

describe.each(olderWires)('%s', (_title, launch) => {
  it.each(['requests', 'roots'])('answers a flood of %s only at its beginning', async (kind) => {
    const connection = await open(launch());
    // one server serves all tests over HTTP
    const before = Number(await callForText(connection, 'answered'));
    const startedAt = performance.now();
    await flood(connection, kind, 50_000);
    const answered = Number(await callForText(connection, 'answered')) - before;
    expect(answered).toBeLessThan(mostSince(startedAt));
    expect(answered).toBeLessThan(50_000);
    expect(await callForText(connection, 'fine')).toBe('fine');
  });

  it('asks the user one question at a time, and few in all', async () => {
    const connection = await open(launch());
    await flood(connection, 'questions', 150);
    expect(asked).toBe(1);
    expect(lines().join('\n')).toContain('too many questions');
    expect(await callForText(connection, 'fine')).toBe('fine');
  });
});
