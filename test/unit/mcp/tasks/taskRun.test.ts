import { expect, it } from 'vitest';
import { HumanError } from '../../../../src/base/errors.js';
import { ConnectionFailedError } from '../../../../src/mcp/connection/connectionFailure.js';
import type { McpSession, McpTaskReport } from '../../../../src/mcp/connection/session/engine.js';
import type { McpToolResult } from '../../../../src/mcp/mcpTypes.js';
import type { TaskLink } from '../../../../src/mcp/tasks/taskInputs.js';
import { TaskRun } from '../../../../src/mcp/tasks/taskRun.js';
import type { McpTask } from '../../../../src/mcp/taskTypes.js';
import { FakeClock } from '../../../helpers/fakes/fakeClock.js';
import { FakeConnection } from '../../../helpers/fakes/fakeConnection.js';
import { fakeFailure } from '../../../helpers/fakes/fakeMcp.js';

const working: McpTask = { taskId: 't', status: 'working' };
const dayMs = 24 * 60 * 60_000;
const unreachable = new ConnectionFailedError(
  fakeFailure({ code: 'unreachable', message: 'Gone.' }),
);

/** A run whose every question is answered by `answer`. */
function follow(
  answer: () => Promise<McpTaskReport>,
  task: McpTask = working,
  outcome = async (): Promise<McpToolResult> => ({ content: [], isError: false }),
) {
  const clock = new FakeClock();
  const cancels: string[] = [];
  const { session } = new FakeConnection(1);
  const tasks = {
    ...session.tasks,
    get: answer,
    result: outcome,
    cancel: async (id: string) => cancels.push(id) > 0,
  };
  const link: TaskLink = {
    serverId: 'global#x',
    clock,
    request: (send) => send({ ...session, tasks } as unknown as McpSession, { timeoutMs: 1000 }),
    log: () => undefined,
  };
  const run = new TaskRun(link, { task, tool: 'dig' });
  const result = run.result.then(
    () => 'result',
    (error: HumanError) => error.code,
  );
  return { clock, run, result, cancels };
}

/** Lets everything happen that needs no time. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) {
    await Promise.resolve();
  }
}

/** Milliseconds until the next question; the limit of a day apart. */
function nextPoll(clock: FakeClock): number | undefined {
  return clock.pending.find((ms) => ms < dayMs / 2);
}

it.each([
  [undefined, [500, 1500, 2250]],
  [30_000, [500, 30_000, 30_000]],
  [0, [100, 100, 100]],
  [10 ** 9, [500, 60_000, 60_000]],
])('asks at the pace that the server wants, within bounds: %s', async (pollIntervalMs, pauses) => {
  const task = { ...working, ...(pollIntervalMs !== undefined && { pollIntervalMs }) };
  const { clock, run } = follow(async () => task, task);
  const seen: (number | undefined)[] = [];
  for (const _ of pauses) {
    await settle();
    const pause = nextPoll(clock);
    seen.push(pause);
    clock.advance(pause ?? 0);
  }
  expect(seen).toEqual(pauses);
  run.abandon();
});

it('asks at once when the server says by itself that something happened', async () => {
  let asked = 0;
  const { run } = follow(async () => {
    asked++;
    return { ...working, pollIntervalMs: 60_000 };
  });
  await settle();
  run.receive({ ...working, message: 'half' });
  expect(run.state.value).toEqual({ status: 'working', message: 'half' });
  await settle();
  expect(asked).toBe(1);
  run.abandon();
});

it('keeps its pace while a server that waits for an answer refuses to be asked for the result', async () => {
  let asked = 0;
  const { run } = follow(
    async () => {
      asked++;
      // without a pause it would ask for ever
      return { ...working, status: asked < 5 ? 'input_required' : 'cancelled' };
    },
    { ...working, status: 'input_required' },
    () => Promise.reject(unreachable),
  );
  for (let turn = 0; turn < 20; turn++) {
    await settle();
  }
  expect(asked).toBe(0);
  run.abandon();
});

it('asks an unreachable server for ten minutes, ever more slowly', async () => {
  const { clock, run, result } = follow(() => Promise.reject(unreachable));
  const startedAt = clock.now();
  let pauses = 0;
  for (await settle(); run.state.value.status === 'working'; await settle()) {
    pauses++;
    clock.advance(nextPoll(clock) ?? 0);
  }
  expect(await result).toBe('task_unreachable');
  expect(Math.floor((clock.now() - startedAt) / 60_000)).toBe(10);
  expect(pauses).toBeLessThan(25);
});

it('does not go on asking when the server may not run any more', async () => {
  const blocked = new HumanError('trust_required', 'It waits for your consent.');
  const { clock, run, result } = follow(() => Promise.reject(blocked));
  await settle();
  clock.advance(nextPoll(clock) ?? 0);
  expect(await result).toBe('trust_required');
  expect(run.state.value).toEqual({ status: 'failed', message: 'It waits for your consent.' });
});

it('cancels a task after a day', async () => {
  const { clock, result, cancels } = follow(async () => working);
  await settle();
  clock.advance(dayMs);
  expect(await result).toBe('task_cancelled');
  expect(cancels).toEqual(['t']);
});

it('keeps the state of a task that has ended', async () => {
  const { run, result } = follow(async () => working);
  await settle();
  await run.cancel();
  expect(await result).toBe('task_cancelled');
  run.receive({ ...working, message: 'late' });
  run.receiveProgress({ progress: 1 });
  expect(run.state.value).toEqual({ status: 'cancelled' });
});
