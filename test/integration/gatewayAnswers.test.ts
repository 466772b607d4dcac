/** Calls of sessions that need nothing but their answer, and those whose server makes a task of them. */
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Gateway } from '../../src/gateway/gateway.js';
import { fixtureServer, GatewayHarness, post } from '../helpers/gateway/gatewayHarness.js';

let harness: GatewayHarness;
let gateway: Gateway;

beforeAll(async () => {
  const tasks = { command: process.execPath, args: [resolve('test/fixtures/servers/tasks.mjs')] };
  harness = await GatewayHarness.create(
    {
      offering: fixtureServer('offering'),
      tasks,
      modernTasks: { ...tasks, args: [...tasks.args, '--modern'], protocolVersion: '2026-07-28' },
    },
    () => ({ elicit: async () => ({ action: 'accept', content: { name: 'Ada' } }) }),
  );
  gateway = await harness.start();
});

afterAll(async () => {
  await harness.dispose();
});

/** A session, and single requests of it as they are sent. */
async function openSession(server: string) {
  const client = await harness.connect(gateway, server);
  const sessionId = String((client.transport as { readonly sessionId?: string }).sessionId);
  const send = (
    message: object,
    { headers, signal }: { readonly headers?: object; readonly signal?: AbortSignal } = {},
  ) =>
    post(
      gateway,
      { jsonrpc: '2.0', ...message },
      { server, headers: { 'mcp-session-id': sessionId, ...headers }, signal },
    );
  const call = (id: number, name: string, args: object = {}) => ({
    id,
    method: 'tools/call',
    params: { name, arguments: args },
  });
  const cancelled = async () => {
    const answer = await client.callTool({ name: 'cancelled' });
    return Number(/\d+/.exec(JSON.stringify(answer.content))?.[0]);
  };
  return { client, send, call, cancelled };
}

const typeOf = (response: Response) => response.headers.get('content-type')?.split(';')[0];

describe('a call without reports of progress', () => {
  it('is answered with JSON when it is quick, and with a stream when it takes its time', async () => {
    const { send, call } = await openSession('offering');
    const quick = await send(call(901, 'cancelled'));
    expect([quick.status, typeOf(quick)]).toEqual([200, 'application/json']);
    expect(await quick.json()).toMatchObject({
      jsonrpc: '2.0',
      id: 901,
      result: { content: [{}] },
    });
    const slow = await send(call(902, 'count', { steps: 2 }));
    expect([slow.status, typeOf(slow)]).toEqual([200, 'text/event-stream']);
    const [, data = ''] = /^event: message\ndata: (.*)\n\n$/.exec(await slow.text()) ?? [];
    expect(JSON.parse(data)).toMatchObject({ id: 902, result: { content: [{ text: 'counted' }] } });
  });

  it('is cancelled at the server when the client says so, or goes away', async () => {
    const { client, send, call, cancelled } = await openSession('offering');
    const before = await cancelled();
    const cancel = new AbortController();
    const asked = client.callTool({ name: 'count', arguments: { steps: 500 } }, undefined, {
      signal: cancel.signal,
    });
    const failed = expect(asked).rejects.toThrow();
    await expect.poll(() => gateway.calls.all.length).toBe(1);
    cancel.abort();
    await failed;
    await expect.poll(cancelled).toBe(before + 1);
    const leave = new AbortController();
    // its head has come, so that the server is at work
    const left = await send(call(903, 'count', { steps: 500 }), { signal: leave.signal });
    const body = expect(left.text()).rejects.toThrow();
    leave.abort();
    await body;
    await expect.poll(cancelled).toBe(before + 2);
    expect(gateway.calls.all).toEqual([]);
  });

  it('is cancelled at the server with its session', async () => {
    const { send, call, client } = await openSession('offering');
    const running = await send(call(907, 'count', { steps: 500 }));
    await (client.transport as { terminateSession?(): Promise<void> }).terminateSession?.();
    expect(await running.text()).not.toContain('counted');
    await expect.poll(() => gateway.calls.all).toEqual([]);
  });

  it('has the errors that it would have in a stream', async () => {
    const { client, send, call } = await openSession('offering');
    const unknown = await (await send(call(904, 'nothing'))).json();
    expect(unknown).toMatchObject({
      id: 904,
      error: { code: -32602, message: 'Unknown tool: nothing' },
    });
    await expect(client.callTool({ name: 'nothing' })).rejects.toMatchObject({ code: -32602 });
  });

  it.each([
    ['an unknown revision', { 'mcp-protocol-version': '1999-01-01' }, 400],
    ['no stream accepted', { accept: 'application/json' }, 406],
    ['no JSON sent', { 'content-type': 'text/plain' }, 415],
    ['another session', { 'mcp-session-id': 'none' }, 404],
  ])('is refused with %s', async (_what, headers, status) => {
    const { send, call } = await openSession('offering');
    expect((await send(call(905, 'cancelled'), { headers })).status).toBe(status);
  });

  it('may have the number of another one that runs', async () => {
    const { send, call } = await openSession('offering');
    const [first, second] = await Promise.all([
      send(call(906, 'count', { steps: 1 })),
      send(call(906, 'count', { steps: 1 })),
    ]);
    expect([await first.text(), await second.text()]).toEqual([
      expect.stringContaining('counted'),
      expect.stringContaining('counted'),
    ]);
  });
});

describe.each(['tasks', 'modernTasks'])('the server %s, whose tools run as tasks', (server) => {
  it('is called like any other: the gateway waits for its tasks', async () => {
    const { client } = await openSession(server);
    const { tools } = await client.listTools();
    const work = tools.find(({ name }) => name === 'work');
    expect(work).toBeDefined();
    expect(work).not.toHaveProperty('execution');
    expect(client.getServerCapabilities()).not.toHaveProperty('tasks');
    const result = await client.callTool({ name: 'work', arguments: { what: 'the gateway' } });
    expect(result.content).toEqual([{ type: 'text', text: 'worked on the gateway' }]);
  });

  it('says what became of a task that fails', async () => {
    const { client } = await openSession(server);
    // an error of the server goes on as it is, and what our core says of the task as a result that the model reads
    const said = await client.callTool({ name: 'fail' }).then(JSON.stringify, String);
    expect(said).toContain('out of paper');
  });

  it('has the task cancelled with the call', async () => {
    const { client } = await openSession(server);
    const cancel = new AbortController();
    const call = client.callTool({ name: 'endless' }, undefined, { signal: cancel.signal });
    const failed = expect(call).rejects.toThrow();
    await expect.poll(() => gateway.calls.all.length).toBe(1);
    cancel.abort();
    await failed;
    await expect
      .poll(async () => JSON.stringify(await client.callTool({ name: 'stats' })))
      .toContain('endless');
  });
});
