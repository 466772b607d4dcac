import { describe, expect, it } from 'vitest';
import { Emitter, onceEvent } from '../../../../src/base/event.js';
import type { McpServerDefinition, McpServerOptions } from '../../../../src/config/definition.js';
import { serverUnknown } from '../../../../src/config/errors.js';
import { nullLoggers } from '../../../../src/config/ports.js';
import { defaultOptions } from '../../../../src/config/schema/fields.js';
import { DefinitionPinFiles } from '../../../../src/mcp/catalog/definitions/definitionPinFiles.js';
import { maxDescriptionLength } from '../../../../src/mcp/connection/reading/serverBounds.js';
import { EngineError, serverError } from '../../../../src/mcp/connection/session/engine.js';
import { StartSlots } from '../../../../src/mcp/connection/startSlots.js';
import type {
  BlockedState,
  McpCatalog,
  McpServerStateKind,
  McpTool,
} from '../../../../src/mcp/mcpTypes.js';
import { DefaultMcpServer } from '../../../../src/mcp/server/mcpServer.js';
import { readCatalog } from '../../../../src/mcp/server/readCatalog.js';
import type { Connector } from '../../../../src/mcp/server/serverPorts.js';
import type { McpTask } from '../../../../src/mcp/taskTypes.js';
import { createDeferred } from '../../../helpers/fakes/deferred.js';
import { FakeClock } from '../../../helpers/fakes/fakeClock.js';
import { FakeConnection } from '../../../helpers/fakes/fakeConnection.js';
import { fakeDefinition, fakeFailure } from '../../../helpers/fakes/fakeMcp.js';

const tool: McpTool = { name: 'echo', inputSchema: { type: 'object' } };
const gated: BlockedState = { kind: 'trust_required', reason: { kind: 'never_consented' } };
const lost = fakeFailure({ code: 'session_lost' });
const argument = { name: 'a', value: '' };

function setUp(
  options: Partial<McpServerOptions> = {},
  predecessor?: Promise<void>,
  pins = new DefinitionPinFiles(undefined),
) {
  const clock = new FakeClock();
  const opened: FakeConnection[] = [];
  const remembered: McpCatalog[] = [];
  const gate: { blocked: BlockedState | undefined } = { blocked: undefined };
  const connecting: {
    wait: Promise<void>;
    onOpen: (connection: FakeConnection) => void;
    stopGraceMs: () => number;
  } = {
    wait: Promise.resolve(),
    stopGraceMs: () => Number.NaN,
    onOpen: (connection) => {
      connection.listTools = async () => [tool];
    },
  };
  const asked: boolean[] = [];
  const logged: unknown[] = [];
  const connector: Connector = async (_definition, options) => {
    const { signal, assertAllowed, stopGraceMs, isAsked } = options;
    asked.push(isAsked);
    connecting.stopGraceMs = stopGraceMs;
    await connecting.wait;
    assertAllowed();
    signal.throwIfAborted();
    const connection = new FakeConnection(opened.length + 1);
    connecting.onOpen(connection);
    opened.push(connection);
    return connection;
  };
  const definition = fakeDefinition('one', {
    change: { options: { ...defaultOptions, ...options } },
  });
  const server = new DefaultMcpServer(definition, {
    connector,
    slots: new StartSlots(10),
    predecessor,
    clock,
    blockedState: () => gate.blocked,
    isHiddenIn: () => false,
    logCall: (_definition, call, work) => {
      logged.push(call);
      return work();
    },
    pins,
    loggers: nullLoggers,
    onDidReadCatalog: (_definition, catalog) => void remembered.push(catalog),
  });
  const states: McpServerStateKind[] = [];
  // what a state says beside its kind may change as well
  server.state.onDidChange(({ kind }) => kind !== states.at(-1) && states.push(kind));
  return { server, definition, clock, opened, gate, connecting, states, remembered, asked, logged };
}

/** Nobody may be waiting for it yet. */
function refused(): Promise<void> {
  const refusal = Promise.reject(new Error('down'));
  refusal.catch(() => undefined);
  return refusal;
}

/** Resolves once the server is in the state. */
async function reach(server: DefaultMcpServer, kind: McpServerStateKind): Promise<void> {
  if (server.state.value.kind !== kind) {
    await onceEvent(server.state.onDidChange, (state) => state.kind === kind);
  }
}

/** A start that ends in vain, by itself after half a minute; the next one works. */
async function failSlowly<
  T extends Pick<ReturnType<typeof setUp>, 'server' | 'clock' | 'connecting'>,
>(parts: T, lastsMs = 30_000): Promise<T> {
  const { server, clock, connecting } = parts;
  const start = createDeferred();
  connecting.wait = start.promise;
  const slow = server.ensureConnected();
  await reach(server, 'connecting');
  clock.advance(lastsMs);
  start.reject(new Error('no answer'));
  await expect(slow).rejects.toThrow('no answer');
  connecting.wait = Promise.resolve();
  return parts;
}

describe('connecting', () => {
  it('opens one connection for concurrent callers and reads the catalog before it is connected', async () => {
    const { server, opened, states } = setUp();
    let known: unknown;
    server.state.onDidChange(({ kind }) => {
      known ??= kind === 'connected' ? server.catalog.value.tools : undefined;
    });
    await Promise.all([
      server.ensureConnected(),
      server.ensureConnected(),
      server.callTool('x', {}),
    ]);
    expect([opened.length, states, known]).toEqual([1, ['connecting', 'connected'], [tool]]);
    await server.ensureConnected();
    await server.callTool('x', {});
    expect(opened).toHaveLength(1);
  });

  it('says while it connects that its lists are read', async () => {
    const { server } = setUp();
    const notes: unknown[] = [];
    server.state.onDidChange((state) => state.kind === 'connecting' && notes.push(state.note));
    await server.ensureConnected();
    expect(notes).toEqual([undefined, 'listing']);
  });

  it('closes a connection that ended while its lists were read, and reports that', async () => {
    const { server, opened, connecting } = setUp();
    connecting.onOpen = (connection) => {
      connection.listTools = async () => {
        connection.fail(fakeFailure());
        return [tool];
      };
    };
    await expect(server.ensureConnected()).rejects.toThrow(fakeFailure().message);
    expect([opened[0]?.isClosed, server.state.value.kind]).toEqual([true, 'error']);
  });

  it('reads the catalog anew when it connects again, to be remembered', async () => {
    const { server, connecting, remembered } = setUp();
    await server.ensureConnected();
    const next = { ...tool, name: 'next' };
    connecting.onOpen = (connection) => {
      connection.listTools = async () => [next];
    };
    await server.restart();
    expect(server.catalog.value.tools).toEqual([next]);
    expect(remembered.map(({ tools }) => tools)).toEqual([[tool], [next]]);
  });

  it('does nothing while the gate is closed and says why', async () => {
    const { server, opened, gate } = setUp();
    gate.blocked = gated;
    server.updateGate();
    await expect(server.ensureConnected()).rejects.toMatchObject({ code: 'trust_required' });
    expect(opened).toEqual([]);
  });

  it('opens nothing when the gate closes while the attempt waits', async () => {
    const { server, opened, gate, connecting } = setUp();
    const wait = createDeferred<void>();
    connecting.wait = wait.promise;
    const attempt = server.ensureConnected();
    gate.blocked = gated;
    server.updateGate();
    wait.resolve();
    await expect(attempt).rejects.toMatchObject({ code: 'trust_required' });
    await server.stop();
    expect(opened).toEqual([]);
  });

  it('closes a connection whose tools/list fails and reports the failure', async () => {
    const { server, opened, connecting } = setUp();
    connecting.onOpen = (connection) => {
      connection.listTools = () => Promise.reject(new Error('no such thing'));
    };
    await expect(server.ensureConnected()).rejects.toThrow('no such thing');
    expect([opened[0]?.isClosed, server.state.value.kind]).toEqual([true, 'error']);
  });

  it('lets a caller leave without ending the attempt of the others', async () => {
    const { server, connecting } = setUp();
    const wait = createDeferred<void>();
    connecting.wait = wait.promise;
    const leaver = new AbortController();
    const left = server.ensureConnected(leaver.signal);
    const stays = server.ensureConnected();
    leaver.abort();
    await expect(left).rejects.toThrow();
    wait.resolve();
    await stays;
    expect(server.state.value.kind).toBe('connected');
  });

  it('starts only when the server is gone that had its id before', async () => {
    const predecessor = createDeferred<void>();
    const { server, opened } = setUp({}, predecessor.promise);
    const connected = server.ensureConnected();
    await new Promise(setImmediate);
    expect([opened.length, server.state.value.kind]).toEqual([0, 'connecting']);
    predecessor.resolve();
    await connected;
    expect(opened).toHaveLength(1);
  });

  it('takes the later of two starts in quick succession, and opens nothing for the earlier', async () => {
    const { server, opened, connecting } = setUp();
    const wait = createDeferred<void>();
    connecting.wait = wait.promise;
    const earlier = server.ensureConnected().catch(() => undefined);
    await reach(server, 'connecting');
    const stopped = server.stop();
    const later = server.ensureConnected();
    wait.resolve();
    await Promise.all([earlier, stopped, later]);
    expect([server.state.value.kind, opened.length]).toEqual(['connected', 1]);
  });

  it('starts the next connection only when the old one is gone', async () => {
    const { server, opened } = setUp();
    await server.ensureConnected();
    const closing = createDeferred<void>();
    const [first] = opened;
    if (first) {
      first.closing = closing.promise;
    }
    const restarted = server.restart();
    await new Promise(setImmediate);
    expect(opened).toHaveLength(1);
    closing.resolve();
    expect((await restarted).kind).toBe('connected');
    expect(opened).toHaveLength(2);
  });
});

describe('losing the connection', () => {
  it('is an error at once and keeps the catalog', async () => {
    const { server, opened, clock } = setUp();
    await server.ensureConnected();
    opened[0]?.fail(fakeFailure());
    expect(server.state.value).toEqual({ kind: 'error', failure: fakeFailure() });
    expect([server.catalog.value.tools, clock.pending]).toEqual([[tool], []]);
  });

  it('is what a call finds out that the server refuses without a sign-in', async () => {
    const { server, opened } = setUp();
    await server.ensureConnected();
    const [first] = opened as [FakeConnection];
    const refusal = new EngineError('http_status', 'Sign in.', { httpStatus: 401 });
    first.callTool = () => Promise.reject(refusal);
    await expect(server.callTool('echo', {})).rejects.toThrow();
    expect([server.state.value.kind, first.isClosed]).toEqual(['needs_auth', true]);
  });

  it('connects a lazy server again on the next use', async () => {
    const { server, opened } = setUp();
    await server.ensureConnected();
    opened[0]?.fail(fakeFailure());
    await server.callTool('echo', {});
    expect([opened.length, server.state.value.kind]).toEqual([2, 'connected']);
  });

  it('tries a keep-alive server again, ever more slowly, until a success', async () => {
    const { server, clock, connecting } = setUp({ lifecycle: 'keep-alive' });
    connecting.wait = refused();
    const waits: number[] = [];
    await server.ensureConnected().catch(() => undefined);
    for (let attempt = 0; attempt < 8; attempt++) {
      const [wait = 0] = clock.pending;
      waits.push(wait);
      expect(server.state.value).toHaveProperty('nextRetryAt', clock.now() + wait);
      clock.advance(wait);
      await reach(server, 'error');
    }
    expect(waits).toEqual([1500, 3000, 6000, 12000, 24000, 45000, 45000, 45000]);
    connecting.wait = Promise.resolve();
    clock.advance(clock.pending[0] ?? 0);
    await reach(server, 'connected');
  });

  it('brings an eager server back after a drop, but does not insist on a first start', async () => {
    const { server, opened, clock, connecting } = setUp({ lifecycle: 'eager', idleTimeout: 0 });
    connecting.wait = refused();
    await server.ensureConnected().catch(() => undefined);
    expect([server.state.value.kind, clock.pending]).toEqual(['error', []]);
    connecting.wait = Promise.resolve();
    await server.ensureConnected();
    opened[0]?.fail(fakeFailure());
    expect(server.state.value).toMatchObject({ kind: 'error', nextRetryAt: expect.any(Number) });
    clock.advance(60_000);
    await reach(server, 'connected');
    expect(opened).toHaveLength(2);
  });

  it('fails calls at once for as long as the last start took in vain, longer each time', async () => {
    const { server, opened, clock, connecting } = setUp();
    const start = createDeferred();
    connecting.wait = start.promise;
    const slow = server.callTool('echo', {});
    await reach(server, 'connecting');
    clock.advance(30_000);
    start.reject(new Error('no answer'));
    await expect(slow).rejects.toThrow('no answer');
    connecting.wait = Promise.resolve();
    clock.advance(29_000);
    await expect(server.callTool('echo', {})).rejects.toMatchObject({
      message: 'The connection failed: no answer',
      remedy: expect.stringContaining('again in 1 s'),
    });
    expect(opened).toHaveLength(0);
    clock.advance(1000);
    await failSlowly({ server, clock, connecting });
    clock.advance(59_000);
    await expect(server.callTool('echo', {})).rejects.toMatchObject({
      remedy: expect.stringContaining('again in 1 s'),
    });
    clock.advance(1000);
    await server.callTool('echo', {});
    expect(opened).toHaveLength(1);
  });

  it('repeats a start that failed soon for the next call', async () => {
    const { server, opened } = await failSlowly(setUp(), 2999);
    await server.callTool('echo', {});
    expect(opened).toHaveLength(1);
  });

  it('knows which start a person asked for', async () => {
    const { server, asked } = setUp();
    await server.ensureConnected();
    await server.restart();
    expect(asked).toEqual([false, true]);
  });

  it('starts a server whose last start failed when the user says so', async () => {
    const { server, opened } = await failSlowly(setUp());
    await server.ensureConnected();
    expect(opened).toHaveLength(1);
  });

  it('forgets with a success how long the start before it took in vain', async () => {
    const { server, opened } = await failSlowly(setUp());
    await server.ensureConnected();
    opened[0]?.fail(fakeFailure());
    await server.callTool('echo', {});
    expect(opened).toHaveLength(2);
  });

  it('gives a server less time to stop the longer the end of its window has lasted', async () => {
    const { server, clock, connecting } = setUp({ stopGraceMs: 10_000 });
    await server.ensureConnected();
    expect(connecting.stopGraceMs()).toBe(10_000);
    const ended = server.dispose();
    expect(connecting.stopGraceMs()).toBe(2000);
    clock.advance(700);
    expect(connecting.stopGraceMs()).toBe(1300);
    clock.advance(5000);
    expect(connecting.stopGraceMs()).toBe(0);
    await ended;
  });

  it.each([
    ['it was stopped', 'stopped', undefined, undefined],
    ['it waits for trust', 'trust_required', gated, undefined],
    ['it is not there any more', 'server_unknown', undefined, serverUnknown()],
  ])('tells a call whose connection was closed on purpose that %s', async (...row) => {
    const [, code, blocked, gone] = row;
    const { server, opened, gate } = setUp();
    await server.ensureConnected();
    const answer = createDeferred<never>();
    const sent = createDeferred();
    (opened[0] as FakeConnection).callTool = () => {
      sent.resolve();
      return answer.promise;
    };
    const failed = expect(server.callTool('echo', {})).rejects.toMatchObject({ code });
    await sent.promise;
    gate.blocked = blocked;
    server.updateGate();
    const stopped = gone ? server.dispose(gone) : server.stop();
    answer.reject(new EngineError('closed', 'Connection closed'));
    await failed;
    await stopped;
  });

  it('tells a call whose connection broke that it is closed', async () => {
    const { server, opened } = setUp();
    await server.ensureConnected();
    const first = opened[0] as FakeConnection;
    first.callTool = () => {
      first.fail(fakeFailure({ code: 'closed' }));
      return Promise.reject(new EngineError('closed', 'Connection closed'));
    };
    await expect(server.callTool('echo', {})).rejects.toMatchObject({ code: 'closed' });
  });

  it('gives no failure and no retry after an intended stop', async () => {
    const { server, clock, states } = setUp({ lifecycle: 'keep-alive' });
    await server.ensureConnected();
    await server.stop();
    expect([server.state.value.kind, clock.pending, states]).toEqual([
      'idle',
      [],
      ['connecting', 'connected', 'idle'],
    ]);
  });

  it('survives ten healthy drops in a row', async () => {
    const { server, opened, clock } = setUp({ lifecycle: 'keep-alive' });
    await server.ensureConnected();
    for (let drop = 0; drop < 10; drop++) {
      clock.advance(60_000);
      opened.at(-1)?.fail(fakeFailure());
      expect(clock.pending).toEqual([1500]);
      clock.advance(1500);
      await reach(server, 'connected');
    }
    expect(opened).toHaveLength(11);
  });
});

/** Answers no ping until told. */
function silence(connection: FakeConnection | undefined): void {
  if (connection) {
    connection.ping = () => Promise.reject(new EngineError('request_timeout', 'Request timed out'));
  }
}

/** Lets the pings of a clock that has moved be answered. */
async function turn(): Promise<void> {
  await new Promise(setImmediate);
}

describe('a server that hangs', () => {
  it.each(['keep-alive', 'lazy-keep-alive'] as const)(
    'is found out by pings and started again when it is %s',
    async (lifecycle) => {
      const { server, clock, opened } = setUp({ lifecycle });
      await server.ensureConnected();
      clock.advance(15_000);
      await turn();
      expect(server.state.value.kind).toBe('connected');
      silence(opened[0]);
      clock.advance(30_000);
      await turn();
      expect(server.state.value.kind).toBe('connected');
      clock.advance(0);
      await turn();
      expect(server.state.value).toMatchObject({
        kind: 'error',
        failure: { code: 'unresponsive' },
      });
      expect(opened[0]?.isClosed).toBe(true);
      clock.advance(clock.pending[0] ?? 0);
      await reach(server, 'connected');
    },
  );

  it('is not taken for hung while it works on a call, or when it refuses to be pinged', async () => {
    const { server, clock, opened } = setUp({ lifecycle: 'keep-alive' });
    await server.ensureConnected();
    const [first] = opened;
    const answer = createDeferred<{ content: []; isError: false }>();
    silence(first);
    if (first) {
      first.callTool = () => answer.promise;
    }
    const call = server.callTool('slow', {});
    await turn();
    for (let round = 0; round < 5; round++) {
      clock.advance(15_000);
      await turn();
    }
    expect(server.state.value.kind).toBe('connected');
    answer.resolve({ content: [], isError: false });
    await call;
    if (first) {
      const refusal = serverError(-32601, 'Method not found');
      first.ping = () => Promise.reject(refusal);
    }
    for (let round = 0; round < 5; round++) {
      clock.advance(15_000);
      await turn();
    }
    expect(server.state.value.kind).toBe('connected');
  });

  it.each([
    ['was just heard of', 100, 'connected'],
    ['was heard of while a call may still be answered', 30_000, 'connected'],
    ['was heard of as long ago', defaultOptions.requestTimeoutMs, 'error'],
    ['was heard of too long ago', 90_000, 'error'],
  ] as const)('that works on another call and %s is %3$s', async (_what, silentMs, state) => {
    const { server, clock, opened } = setUp();
    await server.ensureConnected();
    const [first] = opened;
    silence(first);
    if (first) {
      first.silentMs = silentMs;
      const timedOut = new EngineError('request_timeout', 'Request timed out');
      first.callTool = (name) =>
        name === 'works' ? new Promise(() => undefined) : Promise.reject(timedOut);
    }
    void server.callTool('works', {}).catch(() => undefined);
    await turn();
    await server.callTool('slow', {}).catch(() => undefined);
    for (let round = 0; round < 5; round++) {
      await turn();
      clock.advance(15_000);
    }
    await turn();
    expect(server.state.value.kind).toBe(state);
    await server.dispose();
  });

  it.each([
    ['streamable-http', 'error'],
    ['stdio', 'connected'],
  ] as const)(
    'over %s is %s after a while without a call, however it is used',
    async (transport, state) => {
      const { server, clock, opened } = setUp();
      await server.ensureConnected();
      Object.assign(opened[0]?.session ?? {}, { transport });
      silence(opened[0]);
      for (let round = 0; round < 3; round++) {
        clock.advance(15_000);
        await turn();
      }
      expect(server.state.value.kind).toBe(state);
    },
  );

  it('is asked after a call without answer, whatever its lifecycle', async () => {
    const { server, clock, opened } = setUp();
    await server.ensureConnected();
    const [first] = opened;
    silence(first);
    if (first) {
      const timedOut = new EngineError('request_timeout', 'Request timed out');
      first.callTool = () => Promise.reject(timedOut);
    }
    await server.callTool('slow', {}).catch(() => undefined);
    await turn();
    clock.advance(0);
    await reach(server, 'error');
    expect(server.state.value).toMatchObject({ failure: { code: 'unresponsive' } });
  });
});

describe('activity', () => {
  it('counts reconnects, calls and holders', async () => {
    const { server, opened } = setUp();
    const hold = server.hold('session 1');
    await server.ensureConnected();
    opened[0]?.fail(fakeFailure());
    await server.callTool('echo', {});
    expect(server.activity).toEqual({ restarts: 1, calls: 0, holders: ['session 1'] });
    hold.dispose();
    expect(server.activity.holders).toEqual([]);
  });
});

it('calls no tool that turns out to be another one when it connects for the call', async () => {
  const { server, connecting, opened } = setUp({ definitions: 'hold' });
  await server.ensureConnected();
  await server.stop();
  const calls: string[] = [];
  connecting.onOpen = (connection) => {
    connection.listTools = async () => [
      { ...tool, inputSchema: { type: 'object', required: ['allFiles'] } },
    ];
    connection.callTool = async (name) => {
      calls.push(name);
      return { content: [], isError: false };
    };
  };
  await expect(server.callTool('echo', {})).rejects.toMatchObject({ code: 'definition_held' });
  expect([opened.length, calls]).toEqual([2, []]);
});

it('compares what it is offered for the first time with what another window has agreed to', async () => {
  const pins = new DefinitionPinFiles(undefined);
  await setUp({ definitions: 'hold' }, undefined, pins).server.ensureConnected();
  await pins.flush();
  const { server, connecting } = setUp({ definitions: 'hold' }, undefined, pins);
  connecting.onOpen = (connection) => {
    connection.listTools = async () => [{ ...tool, description: 'Sends all files.' }];
  };
  await server.ensureConnected();
  expect(server.catalog.value).toMatchObject({ tools: [tool], changes: [{ name: 'echo' }] });
});

it('says of each call who has made it, and of what is read only where somebody is said to have', async () => {
  const { server, opened, logged } = setUp();
  await server.ensureConnected();
  const [first] = opened as [FakeConnection];
  const maker = { by: 'agent' } as const;
  const traceparent = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`;
  await server.callTool('echo', { a: 1 }, { maker, meta: { traceparent } });
  await server.readResource('a:1', { maker });
  await server.readResource('a:2');
  await server.loadSkill('forms', undefined, { maker }).catch(() => undefined);
  expect(logged).toEqual([
    { tool: 'echo', args: { a: 1 }, maker, trace: '1'.repeat(32) },
    { tool: 'resources/read', args: { uri: 'a:1' }, maker },
    { tool: 'skills/load', args: { name: 'forms', path: undefined }, maker },
  ]);
  expect(first.isClosed).toBe(false);
});

it('sends nothing for whom has left, and counts it as no use', async () => {
  const { server, opened, clock } = setUp({ idleTimeout: 10 });
  await server.ensureConnected();
  const [first] = opened as [FakeConnection];
  const sent: string[] = [];
  first.callTool = async (name) => {
    sent.push(name);
    return { content: [], isError: false };
  };
  clock.advance(9 * 60_000);
  const signal = AbortSignal.abort(new Error('left'));
  await expect(server.callTool('echo', {}, { signal })).rejects.toThrow('left');
  expect(sent).toEqual([]);
  clock.advance(60_000);
  expect(server.state.value.kind).toBe('idle');
});

it('hears of resources and tasks from whichever connection it has', async () => {
  const { server, connecting, opened } = setUp();
  const task = { taskId: 'one', status: 'working' } as const;
  const updates = new Emitter<string>();
  const tasks = new Emitter<McpTask>();
  const watched: string[] = [];
  connecting.onOpen = ({ session, pid }) =>
    Object.assign(session, {
      onDidUpdateResource: updates.event,
      watchResource: async (uri: string) => void watched.push(`${pid} ${uri}`),
      startTool: async () => ({ kind: 'task', task }),
      tasks: {
        ...session.tasks,
        onDidChange: tasks.event,
        get: () => new Promise(() => undefined),
      },
    });
  const heard: string[] = [];
  server.watchResource('a:1', () => heard.push('a:1'));
  await server.ensureConnected();
  updates.fire('a:1');
  void server.callTool('echo', {}).catch(() => undefined);
  await turn();
  tasks.fire({ ...task, message: 'half' });
  expect(server.tasks.all[0]?.state.value.message).toBe('half');
  opened[0]?.fail(fakeFailure());
  await server.ensureConnected();
  expect([watched, heard]).toEqual([
    ['1 a:1', '2 a:1'],
    ['a:1', 'a:1'],
  ]);
  await server.dispose();
});

it('follows its tasks for as long as it may run', async () => {
  const { server, definition, gate, opened } = setUp();
  await server.ensureConnected();
  const task = { taskId: 'one', status: 'working' } as const;
  Object.assign(opened[0]?.session ?? {}, { startTool: async () => ({ kind: 'task', task }) });
  const call = server.callTool('echo', {});
  const outcome = expect(call).rejects.toMatchObject({ code: 'task_abandoned' });
  await turn();
  server.updateGate();
  server.setDefinition({ ...definition, options: { ...definition.options, debug: true } });
  await turn();
  const statuses = () => server.tasks.all.map(({ state }) => state.value.status);
  expect(statuses()).toEqual(['working']);
  gate.blocked = gated;
  server.updateGate();
  await turn();
  expect(statuses()).toEqual(['failed']);
  await outcome;
});

describe('a lost session', () => {
  it('repeats the call that the server refused, once', async () => {
    const { server, opened } = setUp();
    await server.ensureConnected();
    const [first] = opened;
    if (first) {
      first.callTool = async () => {
        first.fail(lost);
        throw new EngineError('session_refused', 'no session');
      };
    }
    expect(await server.callTool('write', {})).toEqual({ content: [], isError: false });
    expect(opened).toHaveLength(2);
  });

  it.each<[string, (server: DefaultMcpServer) => Promise<unknown>]>([
    ['readResource', (server) => server.readResource('a:')],
    ['getPrompt', (server) => server.getPrompt('p', {})],
    ['complete', (server) => server.complete({ kind: 'prompt', name: 'p' }, argument)],
    ['setLogLevel', (server) => server.direct.setLogLevel('info')],
  ])('repeats a %s that was cut off, which changes nothing', async (method, use) => {
    const { server, opened } = setUp();
    await server.ensureConnected();
    const [first] = opened as [FakeConnection];
    const cutOff = async () => {
      first.fail(lost);
      throw new EngineError('session_lost', 'no session');
    };
    Object.assign(first.session, { [method]: cutOff });
    await use(server);
    expect(opened).toHaveLength(2);
  });

  it('connects again at once, but not for the second in a row', async () => {
    const { server, opened } = setUp();
    await server.ensureConnected();
    opened[0]?.fail(lost);
    await reach(server, 'connected');
    opened[1]?.fail(lost);
    expect([opened.length, server.state.value.kind]).toEqual([2, 'error']);
  });

  it('repeats no call that another message has cut off', async () => {
    const { server, opened } = setUp();
    await server.ensureConnected();
    const [first] = opened;
    const reject = createDeferred<never>();
    if (first) {
      first.callTool = () => reject.promise;
    }
    const calls = [server.callTool('write', {}), server.callTool('write', {})];
    await new Promise(setImmediate);
    first?.fail(lost);
    reject.reject(new EngineError('session_lost', 'no session'));
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});

describe('the idle clock', () => {
  it('stops a server that nobody uses or holds', async () => {
    const { server, clock, opened } = setUp();
    await server.ensureConnected();
    const holds = [server.hold('one session'), server.hold('another')];
    for (const hold of holds) {
      clock.advance(20 * 60_000);
      expect(server.state.value.kind).toBe('connected');
      hold.dispose();
    }
    clock.advance(10 * 60_000);
    expect([server.state.value.kind, opened[0]?.isClosed]).toEqual(['idle', true]);
  });

  it.each([1, 3, 45])('stops a server after %d minutes when its entry says so', async (minutes) => {
    const { server, clock } = setUp({ idleTimeout: minutes });
    await server.ensureConnected();
    clock.advance(minutes * 60_000 - 1);
    expect(server.state.value.kind).toBe('connected');
    clock.advance(1);
    expect(server.state.value.kind).toBe('idle');
  });

  it.each<Partial<McpServerOptions>>([
    { lifecycle: 'keep-alive', idleTimeout: 1 },
    { lifecycle: 'lazy-keep-alive', idleTimeout: 1 },
    { lifecycle: 'lazy', idleTimeout: 0 },
    { lifecycle: 'eager', idleTimeout: 0 },
  ])('never stops a server with %j', async (options) => {
    const { server, clock } = setUp(options);
    await server.callTool('echo', {});
    for (let hour = 0; hour < 5; hour++) {
      clock.advance(60 * 60_000);
      await turn();
    }
    expect(server.state.value.kind).toBe('connected');
    await server.dispose();
  });

  it('waits for a list under way, which is no use', async () => {
    const { server, clock, opened } = setUp({ idleTimeout: 10 });
    await server.ensureConnected();
    const [first] = opened as [FakeConnection];
    const list = createDeferred<readonly McpTool[]>();
    first.listTools = () => list.promise;
    clock.advance(9 * 60_000);
    first.changeList('tools');
    await turn();
    clock.advance(2 * 60_000);
    expect([server.state.value.kind, server.activity.calls]).toEqual(['connected', 1]);
    list.resolve([tool]);
    await turn();
    expect([server.state.value.kind, server.activity.calls]).toEqual(['idle', 0]);
  });

  it('waits for a call under way', async () => {
    const { server, clock, opened } = setUp();
    await server.ensureConnected();
    const answer = createDeferred<{ content: []; isError: false }>();
    const [first] = opened;
    if (first) {
      first.callTool = () => answer.promise;
    }
    const call = server.callTool('slow', {});
    await new Promise(setImmediate);
    clock.advance(60 * 60_000);
    expect(server.state.value.kind).toBe('connected');
    answer.resolve({ content: [], isError: false });
    await call;
  });
});

describe('a changed definition', () => {
  it('keeps the connection when only options changed', async () => {
    const { server, definition, opened } = setUp();
    await server.ensureConnected();
    server.setDefinition({ ...definition, options: { ...definition.options, debug: true } });
    expect([server.state.value.kind, opened[0]?.isClosed]).toEqual(['connected', false]);
  });

  it('ends the connection for other roots, keeps what is known and asks for a new one', async () => {
    const { server, definition, opened } = setUp();
    await server.ensureConnected();
    const tools = server.catalog.value.tools.length;
    const options = { ...definition.options, roots: ['inner'] };
    expect(server.setDefinition({ ...definition, options })).toBe(true);
    expect([server.state.value.kind, opened[0]?.isClosed]).toEqual(['idle', true]);
    expect(server.catalog.value.tools).toHaveLength(tools);
    await server.ensureConnected();
    expect(server.setDefinition({ ...definition, options: { ...options, roots: ['inner'] } })).toBe(
      false,
    );
    expect(server.setDefinition({ ...definition, options, hasRootsOfUser: true })).toBe(true);
  });

  it('ends the connection of another launch and asks for a new one', async () => {
    const { server, definition, opened } = setUp();
    await server.ensureConnected();
    const launch = { kind: 'stdio', command: 'x', args: [], env: {}, inheritEnv: false } as const;
    expect(server.setDefinition({ ...definition, launch })).toBe(true);
    expect([server.state.value.kind, opened[0]?.isClosed]).toEqual(['idle', true]);
    // of the other launch nothing is known yet
    expect([server.isCatalogKnown, server.catalog.value.tools]).toEqual([false, []]);
  });

  it.each([
    ['that it said had changed', (_server, first) => first.changeList('tools')],
    ['that somebody asked for', (server) => server.readTools()],
  ] as const satisfies readonly [
    string,
    (server: DefaultMcpServer, first: FakeConnection) => unknown,
  ][])('takes no list %s from the launch before while that ends', async (_which, read) => {
    const { server, definition, opened, remembered } = setUp();
    await server.ensureConnected();
    const [first] = opened as [FakeConnection];
    const late = createDeferred<readonly McpTool[]>();
    first.listTools = () => late.promise;
    first.closing = createDeferred().promise;
    const reading = read(server, first);
    const launch = { kind: 'stdio', command: 'x', args: [], env: {}, inheritEnv: false } as const;
    server.setDefinition({ ...definition, launch });
    late.resolve([tool, { ...tool, name: 'two' }]);
    await Promise.all([reading, turn()]);
    expect([server.isCatalogKnown, server.catalog.value.tools]).toEqual([false, []]);
    expect(remembered).toHaveLength(1);
  });

  it('asks for a new connection where the launch before has failed', async () => {
    const { server, definition, connecting } = setUp();
    connecting.wait = refused();
    await server.ensureConnected().catch(() => undefined);
    const launch = { kind: 'stdio', command: 'x', args: [], env: {}, inheritEnv: false } as const;
    expect(server.setDefinition({ ...definition, launch })).toBe(true);
    expect(server.setDefinition(definition)).toBe(false);
  });

  it('lets a server of another launch that never came up be', async () => {
    const { server, definition, connecting, clock } = setUp({ lifecycle: 'eager', idleTimeout: 0 });
    await server.ensureConnected();
    const launch = { kind: 'stdio', command: 'x', args: [], env: {}, inheritEnv: false } as const;
    server.setDefinition({ ...definition, launch });
    await server.stop();
    connecting.wait = refused();
    await server.ensureConnected().catch(() => undefined);
    expect([server.state.value.kind, clock.pending]).toEqual(['error', []]);
  });
});

it.each([
  [maxDescriptionLength, []],
  [maxDescriptionLength + 1, [expect.stringContaining('instructions: 1 long texts were cut')]],
])('says of instructions of %d characters whether they were cut', async (length, notices) => {
  const session = { ...new FakeConnection(1).session, instructions: 'x'.repeat(length) };
  const catalog = await readCatalog(session, { timeoutMs: 1000 });
  expect([catalog.instructions?.length, catalog.notices]).toEqual([maxDescriptionLength, notices]);
});

it('takes no lists for none that were given up', async () => {
  const leaving = new AbortController();
  const list = async (key: string) => {
    if (key === 'prompts') {
      leaving.abort(new Error('left'));
      leaving.signal.throwIfAborted();
    }
    return { items: [], notices: [] };
  };
  const session = { ...new FakeConnection(1).session, list: list as never };
  const reading = readCatalog(session, { timeoutMs: 1000, signal: leaving.signal });
  await expect(reading).rejects.toThrow('left');
});

it('asks a server without tools for none', async () => {
  const asked: string[] = [];
  const list = async (key: string) => {
    asked.push(key);
    return { items: [], notices: [] };
  };
  const session = { ...new FakeConnection(1).session, capabilities: {}, list: list as never };
  expect((await readCatalog(session, { timeoutMs: 1000 })).tools).toEqual([]);
  expect(asked).not.toContain('tools');
});

it('reads each list, names those that it cannot read, and has no skills where there are none', async () => {
  const asked: string[] = [];
  const list = async (key: string) => {
    asked.push(key);
    if (key !== 'tools') {
      throw new Error('broken');
    }
    return { items: [], notices: [] };
  };
  const session = { ...new FakeConnection(1).session, list: list as never };
  const catalog = await readCatalog(session, { timeoutMs: 1000 });
  expect(catalog.notices).toEqual(
    ['resources', 'resource templates', 'prompts', 'skills'].map(
      (name) => `The server could not list its ${name}: broken`,
    ),
  );
  expect(catalog).not.toHaveProperty('skills');
  expect(asked).toEqual(['tools', 'resources', 'resourceTemplates', 'prompts', 'skills']);
});

describe('another lifecycle', () => {
  const change = (definition: McpServerDefinition, lifecycle: McpServerOptions['lifecycle']) => ({
    ...definition,
    options: { ...definition.options, lifecycle },
  });

  it.each([
    ['lazy', 'eager', true],
    ['lazy', 'keep-alive', true],
    ['eager', 'lazy', false],
    ['lazy', 'lazy-keep-alive', false],
  ] as const)('%s → %s asks for a start: %s', (before, after, isStarted) => {
    const { server, definition } = setUp({ lifecycle: before });
    expect(server.setDefinition(change(definition, after))).toBe(isStarted);
  });

  it('cancels the next try, or asks for one', async () => {
    const { server, definition, clock, connecting, opened } = setUp({ lifecycle: 'keep-alive' });
    connecting.wait = refused();
    await server.ensureConnected().catch(() => undefined);
    expect(clock.pending).toHaveLength(1);
    server.setDefinition(change(definition, 'lazy'));
    expect([clock.pending, server.state.value]).toMatchObject([
      [],
      { kind: 'error', nextRetryAt: undefined },
    ]);
    server.setDefinition(change(definition, 'keep-alive'));
    connecting.wait = Promise.resolve();
    clock.advance(clock.pending[0] ?? 0);
    await reach(server, 'connected');
    expect(opened).toHaveLength(1);
  });
});

describe('list_changed', () => {
  it('replaces the tools, and keeps the old ones when the list fails', async () => {
    const { server, opened } = setUp();
    await server.ensureConnected();
    const [connection] = opened;
    const changed = onceEvent(server.catalog.onDidChange);
    if (connection) {
      connection.listTools = async () => [tool, { ...tool, name: 'two' }];
    }
    connection?.changeList('tools');
    expect((await changed).tools.map(({ name }) => name)).toEqual(['echo', 'two']);
    if (connection) {
      connection.listTools = () => Promise.reject(new Error('broken'));
    }
    connection?.changeList('tools');
    await new Promise(setImmediate);
    expect([server.state.value.kind, server.catalog.value.tools.length]).toEqual(['connected', 2]);
  });

  it('of a connection that is gone is not taken for the next one', async () => {
    const { server, opened } = setUp();
    await server.ensureConnected();
    const [first] = opened as [FakeConnection];
    const late = createDeferred<readonly McpTool[]>();
    first.listTools = () => late.promise;
    first.changeList('tools');
    first.fail(fakeFailure());
    await server.ensureConnected();
    late.resolve([]);
    await turn();
    expect(server.catalog.value.tools).toEqual([tool]);
  });

  it('are read again when somebody asks, without a new connection', async () => {
    const { server, opened } = setUp();
    await server.readTools();
    expect(server.catalog.value.tools).toEqual([tool]);
    const [connection] = opened;
    if (connection) {
      connection.listTools = async () => [tool, { ...tool, name: 'more' }];
    }
    await server.readTools();
    expect(server.catalog.value.tools).toHaveLength(2);
    expect(opened).toHaveLength(1);
  });

  it('without end says so in the state and is neither news nor a use of the server', async () => {
    const { server, opened, clock, states } = setUp({ idleTimeout: 10 });
    await server.ensureConnected();
    const [connection] = opened;
    let news = 0;
    server.catalog.onDidChange(() => news++);
    for (let round = 0; round < 5; round++) {
      connection?.changeList('tools');
      await new Promise(setImmediate);
    }
    expect(server.state.value).toMatchObject({
      kind: 'connected',
      slowLists: { lists: ['tools'], pauseMs: 5000 },
    });
    expect([news, server.activity.restarts, states]).toEqual([0, 0, ['connecting', 'connected']]);
    for (let minute = 0; minute < 9; minute++) {
      clock.advance(60_000);
      connection?.changeList('tools');
      await new Promise(setImmediate);
    }
    expect(server.state.value.kind).toBe('connected');
    clock.advance(60_000);
    await reach(server, 'idle');
  });
});

describe('lists that are good for a while', () => {
  async function hinted(ttlMs: number) {
    const made = setUp({ idleTimeout: 10 });
    const { onOpen } = made.connecting;
    made.connecting.onOpen = (connection) => {
      onOpen(connection);
      connection.listHints.set('tools', hint(ttlMs));
    };
    await made.server.ensureConnected();
    const [connection] = made.opened as [FakeConnection];
    let reads = 0;
    connection.listTools = async () => {
      reads++;
      return [tool];
    };
    return { ...made, connection, count: () => reads };
  }
  const hint = (ttlMs: number) => ({ ttlMs, isPrivate: false });

  it.each([0, 1, 999])(
    'of %d ms are read once a second, however often they are used',
    async (ms) => {
      const { server, clock, count } = await hinted(ms);
      for (let use = 0; use < 1_000; use++) {
        await server.refreshLists();
        clock.advance(10);
      }
      expect(count()).toBe(9);
    },
  );

  it('are read once at a time, and again a second after that failed', async () => {
    const { server, clock, connection } = await hinted(0);
    const answer = createDeferred<readonly McpTool[]>();
    let reads = 0;
    connection.listTools = () => {
      reads++;
      return answer.promise;
    };
    clock.advance(5_000);
    const uses = [server.refreshLists(), server.refreshLists()];
    clock.advance(5_000);
    uses.push(server.refreshLists());
    answer.reject(new Error('broken'));
    await Promise.all(uses);
    expect([reads, server.catalog.value.tools]).toEqual([1, [tool]]);
    await server.refreshLists();
    expect(reads).toBe(1);
    clock.advance(1_000);
    await server.refreshLists();
    expect(reads).toBe(2);
  });

  it('wake nothing: an idle server is stopped, and is not asked', async () => {
    const { server, clock, count } = await hinted(0);
    for (let minute = 0; minute < 10; minute++) {
      await server.refreshLists();
      clock.advance(60_000);
    }
    await reach(server, 'idle');
    const before = count();
    await server.refreshLists();
    expect([count(), server.state.value.kind]).toEqual([before, 'idle']);
  });
});

it('keeps what changed while it was read for the first time', async () => {
  const { server, connecting, opened } = setUp();
  const old = createDeferred<readonly McpTool[]>();
  connecting.onOpen = (connection) => {
    const answers = [old.promise, Promise.resolve([tool])];
    connection.listTools = () => answers.shift() ?? Promise.resolve([]);
  };
  const connected = server.ensureConnected();
  await new Promise(setImmediate);
  opened[0]?.changeList('tools');
  old.resolve([]);
  await connected;
  // nothing is read for the third time
  await turn();
  expect(server.catalog.value.tools).toEqual([tool]);
});
