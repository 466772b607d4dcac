import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Emitter, onceEvent } from '../../../src/base/event.js';
import type { LogLevel } from '../../../src/platform/ports.js';
import {
  callForResult,
  callForText,
  failureOf,
  requestOptions,
  TestConnections,
} from '../../fixtures/connections.js';

let connections: TestConnections;

beforeEach(() => {
  connections = new TestConnections();
});

afterEach(async () => {
  await connections.closeAll();
  expect(await connections.processes()).toEqual([]);
});

describe('stderr', () => {
  it('of a chatty server never blocks it', async () => {
    const connection = await connections.openMisbehaving('--chatty-stderr');
    expect(await callForText(connection, 'stderr', { bytes: 2_000_000 })).toBe('said');
    const { stderrTail } = connection.describeError(undefined);
    expect(stderrTail.length).toBeLessThanOrEqual(40);
  });

  it('goes to the log without secrets', async () => {
    const launch = connections.misbehaving('--exit-early');
    const failure = await connections.failToOpen({ ...launch, secrets: ['DATABASE_URL'] });
    expect(failure.stderrTail).toContain('error: ***REDACTED*** is not set');
    expect(connections.log.join('\n')).not.toContain('DATABASE_URL');
    expect(connections.log.join('\n')).toContain('[stderr] reading settings');
  });
});

describe('text on stdout', () => {
  it('before the first message is reported and skipped', async () => {
    const connection = await connections.openMisbehaving('--banner');
    expect(await callForText(connection, 'echo', { message: 'hi' })).toBe('hi');
    expect(connections.log.join('\n')).toContain('Welcome to Misbehave v1');
  });

  it('in front of a message without newline does not cost the message', async () => {
    const connection = await connections.openMisbehaving('--glued');
    expect(await callForText(connection, 'echo', { message: 'hi' })).toBe('hi');
  });

  it('that is not JSON-RPC is skipped in the middle of a call', async () => {
    const connection = await connections.openMisbehaving();
    expect(await callForText(connection, 'text_mid_call')).toBe('fine');
  });
});

describe('a line with an id and nothing else', () => {
  it('is no answer: the call waits for its own', async () => {
    const connection = await connections.openMisbehaving();
    expect(await callForText(connection, 'id_only')).toBe('answered');
    expect(connections.log.join('\n')).toContain('not an MCP message');
  });
});

describe('an incomplete answer to initialize', () => {
  it('is named as such over stdio', async () => {
    const failure = await connections.failToOpen(connections.misbehaving('--initialize-missing'));
    expect(failure).toMatchObject({
      code: 'bad_handshake',
      message: expect.stringContaining('serverInfo'),
    });
    expect(failure.message).not.toMatch(/[{}[\]]/);
  });
});

describe('a message over the bound', () => {
  it('fails its own request, keeps the connection and does not stall the event loop', async () => {
    const connection = await connections.openMisbehaving();
    const { value: failure, turns } = await countTurns(() =>
      failureOf(
        connection,
        callForText(connection, 'huge', { bytes: 100 * 1024 * 1024 }, { timeoutMs: 60_000 }),
      ),
    );
    expect(failure.code).toBe('server_error');
    expect(failure.message).toContain('The server sent more than 32 MB at once.');
    // a pipe holds 64 KiB, so a loop that is never held up comes round far more often
    expect(turns).toBeGreaterThan(200);
    expect(await callForText(connection, 'echo', { message: 'alive' })).toBe('alive');
  });

  it('does not exist below the bound: 20 MB arrive', async () => {
    const connection = await connections.openMisbehaving();
    const text = await callForText(connection, 'huge', { bytes: 20 * 1024 * 1024 });
    expect(String(text)).toHaveLength(20 * 1024 * 1024);
  });
});

describe('lists', () => {
  it('lose only their malformed tools', async () => {
    const connection = await connections.openMisbehaving('--malformed-tool');
    const { items, notices } = await connection.session.list('tools', requestOptions);
    expect(items.map((tool) => tool.name)).toContain('echo');
    expect(items.map((tool) => tool.name)).not.toContain('bad_schema_type');
    expect(notices).toHaveLength(3);
  });

  it('are read to the last page', async () => {
    const connection = await connections.openMisbehaving('--pages=5');
    const { items, notices } = await connection.session.list('tools', requestOptions);
    expect(items.map((tool) => tool.name)).toEqual([0, 1, 2, 3, 4].map((n) => `tool_${n}`));
    expect(notices).toEqual([]);
  });

  it('without end are cut and keep what was read', async () => {
    const connection = await connections.openMisbehaving('--endless-pages');
    const { items, notices } = await connection.session.list('tools', requestOptions);
    expect(items).toHaveLength(200);
    expect(notices).toEqual([
      'tools/list: reading stopped after 200 pages; the list is incomplete.',
    ]);
  });

  it('of thousands of tools with output schemas arrive whole', async () => {
    const connection = await connections.openMisbehaving('--many-tools=5000');
    const { items, notices } = await connection.session.list('tools', requestOptions);
    expect(items.filter((tool) => tool.outputSchema).length).toBe(5000);
    expect(notices).toEqual([]);
  });

  it('with duplicate names keep the first of each', async () => {
    const connection = await connections.openMisbehaving('--duplicate-names');
    const { items, notices } = await connection.session.list('tools', requestOptions);
    expect(items.filter((tool) => tool.name === 'echo')).toEqual([
      { name: 'echo', inputSchema: { type: 'object' } },
    ]);
    expect(notices).toEqual(['tools/list lists "echo" more than once; the first one is used.']);
  });

  it('that are slow arrive', async () => {
    const connection = await connections.openMisbehaving('--slow-list=300');
    const { items } = await connection.session.list('tools', requestOptions);
    expect(items.length).toBeGreaterThan(0);
  });

  it('that never come time out and leave the connection usable', async () => {
    const connection = await connections.openMisbehaving('--hang-list');
    const failure = await failureOf(
      connection,
      connection.session.list('tools', { timeoutMs: 200 }),
    );
    expect(failure.code).toBe('request_timeout');
    expect(await callForText(connection, 'echo', { message: 'alive' })).toBe('alive');
  });

  it('that fail say why', async () => {
    const connection = await connections.openMisbehaving('--list-error');
    const failure = await failureOf(connection, connection.session.list('tools', requestOptions));
    expect(failure.message).toBe('The server reported an error: the list is on fire');
  });

  it('of a server without tools are empty', async () => {
    const connection = await connections.openMisbehaving('--no-tools');
    expect(await connection.session.list('tools', requestOptions)).toEqual({
      items: [],
      notices: [],
    });
  });
});

describe('output schemas', () => {
  it('that cannot be compiled cost neither the list nor the call', async () => {
    const connection = await connections.openMisbehaving('--bad-output-schema');
    const { items } = await connection.session.list('tools', requestOptions);
    expect(items.map((tool) => tool.name)).toContain('broken_output');
    const result = await callForResult(connection.session, 'broken_output', {}, requestOptions);
    expect(result.structuredContent).toEqual({ a: 1 });
    expect(connections.log.join('\n')).toContain(
      'result of "broken_output" was not checked against its output schema',
    );
  });

  it('that a result does not match are reported and the result is kept', async () => {
    const connection = await connections.openMisbehaving('--bad-output-schema');
    await connection.session.list('tools', requestOptions);
    const result = await callForResult(connection.session, 'structured', {}, requestOptions);
    expect(result.structuredContent).toEqual({ sum: 'three' });
    expect(connections.log.join('\n')).toContain('does not match its output schema');
  });
});

describe('results', () => {
  it('keep blocks of unknown types and lose what is no block', async () => {
    const connection = await connections.openMisbehaving();
    const result = await callForResult(connection.session, 'unknown_block', {}, requestOptions);
    expect(result.content).toEqual([
      { type: 'text', text: 'before' },
      { type: 'hologram', depth: 3 },
      { type: 'text', text: 'after' },
    ]);
    expect(connections.log.join('\n')).toContain('5 parts; only 3 are used');
  });

  it.each(['null_result', 'bad_error'])('that are no results fail their call: %s', async (tool) => {
    const connection = await connections.openMisbehaving();
    const failure = await failureOf(connection, callForText(connection, tool));
    expect(failure.code).toBe('server_error');
  });

  it.each([
    ['double', 'first'],
    ['wrong_id', 'right'],
  ])('that nobody waits for are ignored: %s', async (tool, expected) => {
    const connection = await connections.openMisbehaving();
    expect(await callForText(connection, tool)).toBe(expected);
    expect(await callForText(connection, 'echo', { message: 'alive' })).toBe('alive');
  });
});

describe('calls', () => {
  it('that hang time out, tell the server and leave the connection usable', async () => {
    const connection = await connections.openMisbehaving();
    const call = callForText(connection, 'hang', {}, { timeoutMs: 200 });
    expect(await failureOf(connection, call)).toMatchObject({ code: 'request_timeout' });
    expect(JSON.parse(String(await callForText(connection, 'cancelled')))).toHaveLength(1);
  });

  it('that are answered too late have no effect on later ones', async () => {
    const connection = await connections.openMisbehaving();
    const call = callForText(connection, 'late', { ms: 400 }, { timeoutMs: 100 });
    expect(await failureOf(connection, call)).toMatchObject({ code: 'request_timeout' });
    // longer than the late answer takes
    expect(await callForText(connection, 'late', { ms: 500 })).toBe('late');
    expect(await callForText(connection, 'echo', { message: 'alive' })).toBe('alive');
  });

  it('that are cancelled reject with the reason and tell the server once', async () => {
    const connection = await connections.openMisbehaving();
    const cancellation = new AbortController();
    const { signal } = cancellation;
    await callForText(connection, 'echo', { message: 1 }, { timeoutMs: 5000, signal });
    const call = callForText(connection, 'hang', {}, { timeoutMs: 5000, signal });
    const reason = new Error('stop');
    cancellation.abort(reason);
    await expect(call).rejects.toBe(reason);
    // the finished echo is not cancelled after the fact
    expect(JSON.parse(String(await callForText(connection, 'cancelled')))).toHaveLength(1);
  });

  it('with progress outlive their time-out, up to the hard limit', async () => {
    const connection = await connections.openMisbehaving();
    const steps: number[] = [];
    const run = (maxTotalMs?: number) =>
      callForResult(
        connection.session,
        'progress',
        { steps: 8, intervalMs: 200 },
        {
          timeoutMs: 1_000,
          onProgress: ({ progress }) => void steps.push(progress),
          ...(maxTotalMs === undefined ? {} : { maxTotalMs }),
        },
      );
    expect((await run()).content).toEqual([{ type: 'text', text: 'done' }]);
    // progress that comes together with the answer may be overtaken by it
    expect(steps.slice(0, 7)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(await failureOf(connection, run(300))).toMatchObject({ code: 'request_timeout' });
    expect(JSON.parse(String(await callForText(connection, 'cancelled')))).toHaveLength(1);
  });
});

describe('messages from the server', () => {
  it('in a flood delay no answer and lose no last list change', async () => {
    const connection = await connections.openMisbehaving();
    const changed = onceEvent(connection.session.onDidChangeList);
    expect(await callForText(connection, 'flood', { count: 200_000 })).toBe('flooded');
    expect(await changed).toBe('tools');
    expect(await callForText(connection, 'echo', { message: 'alive' })).toBe('alive');
  });

  it('that ask for what we do not offer are refused, and pings answered', async () => {
    const connection = await connections.openMisbehaving();
    expect(JSON.parse(String(await callForText(connection, 'ask_roots')))).toMatchObject({
      code: -32601,
    });
    expect(await callForText(connection, 'ping_client')).toBe('{}');
  });

  it('of the logging kind are asked for by the level of the log, also when that changes', async () => {
    const changes = new Emitter<void>();
    const logger = {
      level: 'warn' as LogLevel,
      onDidChangeLevel: changes.event,
      log: () => undefined,
    };
    const connection = await connections.open(connections.misbehaving(), { logger });
    expect(await callForText(connection, 'levels')).toBe('["warning"]');
    logger.level = 'trace';
    changes.fire();
    changes.fire();
    expect(await callForText(connection, 'levels')).toBe('["warning","debug"]');
  });

  it('of the logging kind are all asked for, and shown, when the entry is debugged', async () => {
    let isDebugged = true;
    const connection = await connections.open(connections.misbehaving(), {
      isDebugged: () => isDebugged,
    });
    await callForText(connection, 'log', { level: 'debug', data: 'every detail' });
    expect(connections.log).toContain('info db: every detail');
    isDebugged = false;
    connection.updateLogLevel();
    expect(await callForText(connection, 'levels')).toBe('["debug","info"]');
  });

  it('of the logging kind may come unasked from a server that knows no levels', async () => {
    const connection = await connections.openMisbehaving('--refuse-level');
    await callForText(connection, 'log', { level: 'error', data: 'all the same' });
    expect(connections.log).toContain('error db: all the same');
  });

  it('of the logging kind arrive with their level', async () => {
    const connection = await connections.openMisbehaving();
    const logged = onceEvent(connection.session.onDidLog);
    const sent = { level: 'critical', logger: 'db', data: { disk: 'full' } };
    await callForText(connection, 'log', { level: sent.level, data: sent.data });
    const message = 'db: {"disk":"full"}';
    expect(await logged).toEqual({
      level: 'error',
      message,
      sent,
      cause: { kind: 'client', client: undefined },
    });
  });
});

/** How often the event loop came round while `work` ran. */
async function countTurns<T>(
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly turns: number }> {
  let turns = 0;
  let isDone = false;
  const turn = () => {
    turns++;
    if (!isDone) {
      setImmediate(turn);
    }
  };
  turn();
  try {
    const value = await work();
    return { value, turns };
  } finally {
    isDone = true;
  }
}
