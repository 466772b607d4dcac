import { expect, it } from 'vitest';
import { EngineError } from '../../../../../src/mcp/connection/session/engine.js';
import { HealthCheck } from '../../../../../src/mcp/server/watches/healthCheck.js';
import { FakeClock } from '../../../../helpers/fakes/fakeClock.js';
import { FakeConnection } from '../../../../helpers/fakes/fakeConnection.js';

function setUp() {
  const clock = new FakeClock();
  const connection = new FakeConnection(1);
  let pings = 0;
  connection.ping = async () => {
    pings++;
  };
  const dead: string[] = [];
  const health = new HealthCheck({
    clock,
    isWanted: () => true,
    isAtWork: () => false,
    onDead: (_connection, { message }) => dead.push(message),
  });
  health.watch(connection);
  /** Lets the next ping go out. @returns milliseconds that it was waited for. */
  const nextPing = async () => {
    const [pause = 0] = clock.pending;
    const before = pings;
    clock.advance(pause);
    await expect.poll(() => [pings, clock.pending.length]).toEqual([before + 1, 1]);
    return pause;
  };
  return { clock, connection, health, dead, nextPing };
}

it('asks less and less often while nobody uses the server, and as at first once somebody does', async () => {
  const { clock, health, nextPing } = setUp();
  const pauses: number[] = [];
  for (let ping = 0; ping < 7; ping++) {
    pauses.push(await nextPing());
  }
  expect(pauses).toEqual([15_000, 30_000, 60_000, 120_000, 240_000, 300_000, 300_000]);
  health.touch();
  expect(clock.pending).toEqual([15_000]);
  expect([await nextPing(), await nextPing()]).toEqual([15_000, 30_000]);
});

it('spreads the pings of servers that began together', () => {
  const { clock, connection, health } = setUp();
  const pauses = [0, 0.25, 0.999_999].map((random) => {
    health.watch(undefined);
    clock.random = () => random;
    health.watch(connection);
    return Math.round(clock.pending[0] ?? 0);
  });
  expect(pauses).toEqual([12_000, 13_500, 18_000]);
});

it('does not put the next ping off by use', () => {
  const { clock, health } = setUp();
  clock.advance(10_000);
  health.touch();
  expect(clock.pending).toEqual([5000]);
});

it('asks at once a second time, whoever uses the server while it is asked or after a lost answer', async () => {
  const { clock, connection, health, nextPing } = setUp();
  await nextPing();
  const answers: ((error: Error) => void)[] = [];
  connection.ping = () => new Promise((_, reject) => answers.push(reject));
  clock.advance(30_000);
  health.touch();
  expect([answers.length, clock.pending]).toEqual([1, []]);
  answers[0]?.(new EngineError('request_timeout', 'lost'));
  await expect.poll(() => clock.pending).toEqual([0]);
  health.touch();
  expect(clock.pending).toEqual([0]);
});

it('finds a hung server by two lost answers in a row, however long the pause was', async () => {
  const { clock, connection, dead, nextPing } = setUp();
  await nextPing();
  await nextPing();
  connection.ping = () => Promise.reject(new EngineError('request_timeout', 'lost'));
  clock.advance(60_000);
  await expect.poll(() => clock.pending).toEqual([0]);
  clock.advance(0);
  await expect.poll(() => dead).toEqual(['The server runs but answered no ping for 10 s.']);
  expect(clock.pending).toEqual([]);
});

it('asks once at a time, and gives up without a second look where a sign-in is needed', async () => {
  const { connection, health, dead, clock } = setUp();
  const answers: ((error: Error) => void)[] = [];
  connection.ping = () => new Promise((_, reject) => answers.push(reject));
  const asked = [health.checkNow(), health.checkNow()];
  expect(answers).toHaveLength(1);
  answers[0]?.(new EngineError('http_status', 'Sign in.', { httpStatus: 401 }));
  await Promise.all(asked);
  expect([dead, clock.pending]).toEqual([[expect.any(String)], []]);
});
