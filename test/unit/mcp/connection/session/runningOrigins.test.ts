import { expect, it } from 'vitest';
import { RunningOrigins } from '../../../../../src/mcp/connection/session/runningOrigins.js';
import type { RequestOrigin } from '../../../../../src/mcp/originTypes.js';

const originOf = (client: object): RequestOrigin => ({
  client,
  answers: () => false,
  ask: async () => ({}),
  tell: () => undefined,
});

it('knows whose something is while one client alone has something running', () => {
  const origins = new RunningOrigins();
  expect([origins.sole, origins.cause]).toEqual([undefined, { kind: 'nobody' }]);
  const client = {};
  const [first, second] = [originOf(client), originOf(client)];
  origins.begin(first);
  origins.begin(second);
  // the last one is asked
  expect(origins.sole).toBe(second);
  expect(origins.cause).toEqual({ kind: 'client', client });
  const other = originOf({});
  origins.begin(other);
  expect([origins.sole, origins.cause]).toEqual([undefined, { kind: 'unknown' }]);
  expect([origins.end(first), origins.end(second)]).toEqual([true, true]);
  expect(origins.sole).toBe(other);
});

it('takes the user of the window for one more', () => {
  const origins = new RunningOrigins();
  const own = originOf({});
  origins.begin(undefined);
  expect([origins.sole, origins.cause]).toEqual([undefined, { kind: 'client', client: undefined }]);
  origins.begin(own);
  expect([origins.sole, origins.cause]).toEqual([undefined, { kind: 'unknown' }]);
});

it('does not know whose a late message is once there were several', () => {
  const origins = new RunningOrigins();
  const [one, two] = [originOf({}), originOf({})];
  origins.begin(one);
  origins.end(one);
  expect(origins.cause).toEqual({ kind: 'client', client: one.client });
  origins.begin(two);
  origins.end(two);
  expect(origins.cause).toEqual({ kind: 'unknown' });
});

it('ends for a request only once nothing of it runs', () => {
  const origins = new RunningOrigins();
  const one = originOf({});
  origins.begin(one);
  origins.begin(one);
  expect([origins.end(one), origins.end(one)]).toEqual([false, true]);
});
