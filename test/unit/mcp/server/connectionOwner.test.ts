/** One connection at a time, and when there is another one. What a server makes of it: `mcpServer.test.ts`. */
import { describe, expect, it } from 'vitest';
import { EngineError } from '../../../../src/mcp/connection/session/engine.js';
import { StartSlots } from '../../../../src/mcp/connection/startSlots.js';
import type { McpServerState } from '../../../../src/mcp/mcpTypes.js';
import {
  ConnectionOwner,
  type ConnectionOwnerOptions,
  type ConnectOptions,
} from '../../../../src/mcp/server/connectionOwner.js';
import { createDeferred } from '../../../helpers/fakes/deferred.js';
import { FakeClock } from '../../../helpers/fakes/fakeClock.js';
import { FakeConnection } from '../../../helpers/fakes/fakeConnection.js';
import { fakeFailure } from '../../../helpers/fakes/fakeMcp.js';

/** Lets an attempt come as far as it can. */
const settle = () => new Promise(setImmediate);

function setUp(change: Partial<ConnectionOwnerOptions> = {}) {
  const clock = new FakeClock();
  const opened: FakeConnection[] = [];
  const starts: ConnectOptions[] = [];
  const server = {
    /** Before a connection is open. */
    onStart: async (_signal: AbortSignal): Promise<void> => undefined,
    /** While it is made ready. */
    onReady: async (): Promise<void> => undefined,
    isRetryWanted: true,
  };
  const owner = new ConnectionOwner({
    slots: new StartSlots(1),
    clock,
    connect: async (signal, options) => {
      starts.push(options);
      await server.onStart(signal);
      const connection = new FakeConnection(opened.length + 1);
      opened.push(connection);
      return connection;
    },
    prepare: () => server.onReady(),
    isRetryWanted: () => server.isRetryWanted,
    ...change,
  });
  const states: McpServerState[] = [];
  owner.state.onDidChange((state) => states.push(state));
  const connect = async () => (await owner.ensure()) as FakeConnection;
  /** Tries again as soon as it would by itself. @returns the milliseconds until then, of the one thing that is waited for. */
  const retry = async () => {
    const [waitMs = Number.NaN, ...others] = clock.pending;
    expect(others).toEqual([]);
    clock.advance(waitMs);
    await settle();
    return waitMs;
  };
  return { owner, clock, opened, starts, server, states, connect, retry };
}

const down = () => Promise.reject(new Error('down'));
const lost = fakeFailure({ code: 'session_lost' });

it('says of a connection what and since when it is', async () => {
  const { owner, clock, server, connect, states } = setUp();
  const startedAt = clock.now();
  server.onStart = async () => clock.advance(700);
  await connect();
  expect(owner.state.value).toEqual({
    kind: 'connected',
    transport: 'stdio',
    since: startedAt + 700,
    connectMs: 700,
    pid: 1,
  });
  expect(states.map(({ kind }) => kind)).toEqual(['connecting', 'connecting', 'connected']);
});

it('says once for each thing that a start waits for since when that is', async () => {
  const { owner, clock, server, starts, connect, states } = setUp();
  const start = createDeferred();
  server.onStart = () => start.promise;
  const connected = connect();
  await settle();
  const [options] = starts as [ConnectOptions];
  for (const note of ['waiting', 'waiting', 'fetching'] as const) {
    clock.advance(100);
    options.onDidChangeNote(note);
  }
  const at = clock.elapsed();
  start.resolve();
  await connected;
  expect(states.slice(0, -1)).toEqual([
    { kind: 'connecting' },
    { kind: 'connecting', note: 'waiting', since: at - 200 },
    { kind: 'connecting', note: 'fetching', since: at },
    { kind: 'connecting', note: 'listing', since: at },
  ]);
  expect(owner.current).toBeDefined();
});

it('gives the slot back when a start is up, and when it fails', async () => {
  const slots = new StartSlots(1);
  const { server, starts, owner, connect } = setUp({ slots });
  const take = async () => {
    await starts.at(-1)?.slot.take(new AbortController().signal);
  };
  server.onStart = async () => {
    await take();
    throw new Error('down');
  };
  await expect(owner.ensure()).rejects.toThrow('down');
  server.onStart = take;
  await connect();
  const next = slots.request();
  await next.take(AbortSignal.timeout(1000));
  next.release();
});

it('starts nothing for whom has left before', async () => {
  const { owner, starts } = setUp();
  await expect(owner.ensure(AbortSignal.abort(new Error('left')))).rejects.toThrow('left');
  expect([starts, owner.state.value]).toEqual([[], { kind: 'idle' }]);
});

it('starts nothing while it may not run', async () => {
  const { owner, starts, connect } = setUp();
  owner.setBlocked({ kind: 'disabled', by: 'server' });
  for (const start of [() => owner.ensure(), () => owner.ensureForCall(), () => owner.restart()]) {
    await expect(start()).rejects.toMatchObject({ code: 'disabled' });
  }
  expect([starts.length, owner.isBlocked]).toEqual([0, true]);
  owner.setBlocked(undefined);
  expect(await connect()).toBe(owner.current);
});

describe('a start that is not wanted any more', () => {
  it.each<[string, (owner: ConnectionOwner) => unknown, string]>([
    ['is stopped', (owner) => owner.stop(), 'stopped'],
    ['may not run', (owner) => owner.setBlocked({ kind: 'disabled', by: 'server' }), 'disabled'],
    ['goes away', (owner) => owner.dispose(), 'stopped'],
  ])('of a server that %s is told, waited for, and no failure', async (_what, end, code) => {
    const { owner, clock, server, opened, states } = setUp();
    const start = createDeferred();
    const signals: AbortSignal[] = [];
    server.onStart = (signal) => {
      signals.push(signal);
      return start.promise;
    };
    const refused = expect(owner.ensure()).rejects.toMatchObject({ code });
    await settle();
    end(owner);
    let isOver = false;
    const over = owner.settled().then(() => {
      isOver = true;
    });
    await settle();
    expect([signals[0]?.aborted, isOver, owner.isActive]).toEqual([true, false, false]);
    start.resolve();
    await Promise.all([over, refused]);
    // it came nevertheless
    expect([opened[0]?.isClosed, owner.current, clock.pending]).toEqual([true, undefined, []]);
    expect(states.map(({ kind }) => kind)).not.toContain('error');
  });

  it.each([
    ['comes nevertheless', 'onStart', 'resolve'],
    ['is ready nevertheless', 'onReady', 'resolve'],
    ['fails', 'onStart', 'reject'],
  ] as const)('and %s leaves who waits for it to the one in its place', async (_what, at, end) => {
    const { owner, server, opened, starts, states, clock } = setUp();
    const start = createDeferred();
    server[at] = () => start.promise;
    const waiting = owner.ensure();
    await settle();
    void owner.stop();
    server[at] = async () => undefined;
    const next = owner.ensure();
    await settle();
    expect([starts.length, owner.state.value.kind, owner.isActive]).toEqual([
      1,
      'connecting',
      true,
    ]);
    start[end]();
    expect([await waiting, await next]).toEqual([opened.at(-1), opened.at(-1)]);
    expect([starts.length, owner.state.value.kind, clock.pending]).toEqual([2, 'connected', []]);
    expect(states.map(({ kind }) => kind)).not.toContain('error');
  });

  it('is no failure where it was cancelled from elsewhere', async () => {
    const { owner, clock, server } = setUp();
    server.onStart = () => Promise.reject(new DOMException('The definition changed', 'AbortError'));
    await expect(owner.ensure()).rejects.toMatchObject({ code: 'stopped' });
    expect([owner.state.value, clock.pending, owner.isActive]).toEqual([
      { kind: 'idle' },
      [],
      false,
    ]);
  });
});

describe('a server that fails', () => {
  it('is tried again ever more slowly, and as at first once somebody has stopped it', async () => {
    const { owner, server, retry } = setUp();
    server.onStart = down;
    await expect(owner.ensure()).rejects.toThrow('down');
    expect([await retry(), await retry(), await retry()]).toEqual([1500, 3000, 6000]);
    expect(owner.isActive).toBe(true);
    await owner.stop();
    expect([owner.isActive, owner.state.value]).toEqual([false, { kind: 'idle' }]);
    await expect(owner.ensure()).rejects.toThrow('down');
    expect([await retry(), await retry()]).toEqual([1500, 3000]);
  });

  it('is tried again after the time that it has named', async () => {
    const { owner, clock, connect, retry } = setUp();
    const connection = await connect();
    connection.fail(fakeFailure({ retryAfterMs: 7000 }));
    const failure = fakeFailure({ retryAfterMs: 7000 });
    const nextRetryAt = clock.now() + 7000;
    expect(owner.state.value).toEqual({ kind: 'error', failure, nextRetryAt });
    expect(await retry()).toBe(7000);
    expect(owner.state.value.kind).toBe('connected');
  });

  it.each([
    [4999, 3000],
    [5000, 1500],
  ])('after %d ms of a connection is tried again after %d', async (livedMs, waitMs) => {
    const { clock, server, owner, opened, retry } = setUp();
    server.onStart = down;
    await expect(owner.ensure()).rejects.toThrow('down');
    server.onStart = async () => undefined;
    await retry();
    clock.advance(livedMs);
    opened[0]?.fail(fakeFailure());
    expect(await retry()).toBe(waitMs);
  });

  it.each(['session_lost', 'stream_silent'] as const)(
    'with %s is connected again at once, and not for the second time in a row',
    async (code) => {
      const { owner, clock, opened, connect } = setUp();
      const failure = fakeFailure({ code });
      await connect();
      opened[0]?.fail(failure);
      expect([owner.state.value.kind, clock.pending]).toEqual(['connecting', []]);
      await settle();
      opened[1]?.fail(failure);
      expect([owner.state.value.kind, clock.pending]).toEqual(['error', [3000]]);
      await owner.restart();
      opened[2]?.fail(failure);
      await settle();
      clock.advance(5000);
      opened[3]?.fail(failure);
      await settle();
      expect([owner.state.value.kind, opened.length]).toEqual(['connected', 5]);
    },
  );

  it.each([
    ['unauthorized', { kind: 'needs_auth' }],
    ['exited', { kind: 'error', nextRetryAt: undefined }],
  ] as const)('with %s says so, and what it is', async (code, state) => {
    const { owner, clock, server, connect } = setUp();
    server.isRetryWanted = false;
    (await connect()).fail(fakeFailure({ code }));
    expect(owner.state.value).toEqual({ ...state, failure: fakeFailure({ code }) });
    expect([clock.pending, owner.isActive]).toEqual([[], false]);
  });

  it('is tried again, or not, when that has become another question', async () => {
    const { owner, clock, server, connect, states } = setUp();
    owner.reviewRetry();
    (await connect()).fail(fakeFailure());
    const { length } = states;
    owner.reviewRetry();
    expect([states.length, clock.pending]).toEqual([length, [1500]]);
    server.isRetryWanted = false;
    owner.reviewRetry();
    expect([states.at(-1), clock.pending]).toEqual([{ kind: 'error', failure: fakeFailure() }, []]);
    server.isRetryWanted = true;
    owner.reviewRetry();
    expect(states.at(-1)).toMatchObject({ nextRetryAt: clock.now() + 1500 });
  });

  it('is not tried twice at the same time, whatever the question becomes', async () => {
    const { owner, clock, server, connect, opened, retry } = setUp();
    (await connect()).fail(fakeFailure());
    const start = createDeferred();
    server.onStart = () => start.promise;
    await retry();
    owner.reviewRetry();
    expect([owner.state.value.kind, clock.pending]).toEqual(['connecting', []]);
    start.resolve();
    await owner.ensure();
    expect(opened).toHaveLength(2);
  });

  it('leaves no try behind that somebody was sooner than', async () => {
    const { clock, opened, connect } = setUp();
    (await connect()).fail(fakeFailure());
    await connect();
    expect([clock.pending, opened.length]).toEqual([[], 2]);
  });

  it('is closed, since what it has started may still run, before there is another one', async () => {
    const { owner, opened, connect } = setUp();
    const connection = await connect();
    const closing = createDeferred();
    connection.closing = closing.promise;
    owner.drop(connection, fakeFailure());
    const next = connect();
    await settle();
    expect([connection.isClosed, opened.length]).toEqual([true, 1]);
    closing.resolve();
    expect(await next).toBe(opened[1]);
  });

  it('is stopped once what it has started is gone', async () => {
    const { owner, connect } = setUp();
    const connection = await connect();
    const closing = createDeferred();
    connection.closing = closing.promise;
    let isOver = false;
    const stopped = owner.stop().then(() => {
      isOver = true;
    });
    await settle();
    expect([isOver, owner.state.value]).toEqual([false, { kind: 'idle' }]);
    closing.resolve();
    await stopped;
  });

  it('is the one that ended, not one that has taken its place', async () => {
    const { owner, connect } = setUp();
    const connection = await connect();
    await owner.restart();
    const { current } = owner;
    owner.noteSlowLists(connection, { lists: ['tools'], pauseMs: 5000 });
    owner.drop(connection, lost);
    expect([owner.current, owner.state.value]).toEqual([
      current,
      expect.not.objectContaining({ slowLists: expect.anything() }),
    ]);
  });
});

describe('a call', () => {
  /** The next start ends in vain after so long. */
  async function failAfter(
    { owner, clock, server }: ReturnType<typeof setUp>,
    ms: number,
    error = new Error('down'),
  ) {
    server.isRetryWanted = false;
    server.onStart = async () => {
      clock.advance(ms);
      throw error;
    };
    await expect(owner.ensure()).rejects.toThrow();
    server.onStart = async () => undefined;
  }
  const refused = new EngineError('http_status', 'Sign in.', { httpStatus: 401 });

  it.each<[string, number, Error | undefined, number]>([
    ['at once after a start that failed soon', 2999, undefined, 0],
    ['after as long as a start took in vain', 3000, undefined, 3000],
    ['after a minute at the latest', 100_000, undefined, 60_000],
    ['at once after a start that needs a sign-in', 30_000, refused, 0],
  ])('starts a server %s', async (_when, lastedMs, error, pauseMs) => {
    const parts = setUp();
    await failAfter(parts, lastedMs, error);
    if (pauseMs > 0) {
      parts.clock.advance(pauseMs - 1);
      await expect(parts.owner.ensureForCall()).rejects.toMatchObject({
        message: 'The connection failed: down',
        remedy: expect.stringContaining('again in 1 s'),
      });
      expect(parts.starts).toHaveLength(1);
      parts.clock.advance(1);
    }
    await parts.owner.ensureForCall();
    expect(parts.opened).toHaveLength(1);
  });

  it('is not held up by a start in vain where somebody has stopped the server, or starts it', async () => {
    const parts = setUp();
    await failAfter(parts, 30_000);
    await parts.owner.stop();
    await parts.owner.ensureForCall();
    await parts.owner.stop();
    await failAfter(parts, 30_000);
    const started = parts.owner.restart();
    expect(await parts.owner.ensureForCall()).toBe(await started);
    expect(parts.opened).toHaveLength(2);
  });
});

it('puts a start that somebody waits for before those in the background', async () => {
  const slots = new StartSlots(1);
  const entered: string[] = [];
  const hold = slots.request();
  await hold.take(new AbortController().signal);
  const of = (name: string) =>
    new ConnectionOwner({
      slots,
      clock: new FakeClock(),
      connect: async (signal, { slot }) => {
        await slot.take(signal);
        entered.push(name);
        return new FakeConnection(1);
      },
      prepare: async () => undefined,
      isRetryWanted: () => false,
    });
  const [first, second] = [of('first'), of('second')];
  const starts = [first.ensure(undefined, true), second.ensure()];
  await settle();
  expect(entered).toEqual(['second']);
  hold.release();
  await Promise.all(starts);
  expect(entered).toEqual(['second', 'first']);
});

it('does nothing once it is gone', async () => {
  const { owner, connect, opened, starts, clock } = setUp();
  const connection = await connect();
  await owner.dispose();
  owner.drop(connection, lost);
  await expect(owner.ensure()).rejects.toMatchObject({ code: 'stopped' });
  await expect(owner.restart()).rejects.toMatchObject({ code: 'stopped' });
  expect([opened.length, starts.length, clock.pending, connection.isClosed]).toEqual([
    1,
    1,
    [],
    true,
  ]);
});
