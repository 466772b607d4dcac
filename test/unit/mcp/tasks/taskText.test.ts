import { expect, it } from 'vitest';
import {
  parseInputs,
  parseTask,
  taskDialectOf,
} from '../../../../src/mcp/connection/session/taskDialect.js';
import { taskProgress } from '../../../../src/mcp/tasks/taskText.js';

it.each([
  [{ status: 'working' }, 'working'],
  [{ status: 'working', message: 'Reading' }, 'Reading'],
  [{ status: 'working', progress: { progress: 2, total: 5, message: 'pages' } }, 'pages · 2/5'],
  [{ status: 'working', message: 'Reading', progress: { progress: 2 } }, 'Reading · 2'],
  [{ status: 'input_required' }, 'waits for an answer'],
  [{ status: 'working', isUnreachable: true }, 'The server does not answer; it is asked again.'],
] as const)('says how a task is: %j', (state, text) => {
  expect(taskProgress(state)).toBe(text);
});

it.each([
  [{ taskId: 'a', status: 'working', ttl: null, pollInterval: 5 }, { pollIntervalMs: 5 }],
  [
    { taskId: 'a', status: 'working', ttlMs: 9, pollIntervalMs: 5 },
    { pollIntervalMs: 5, ttlMs: 9 },
  ],
  [{ taskId: 'a', status: 'working', pollInterval: -1, statusMessage: 3 }, {}],
  [{ taskId: 'a', status: 'working', statusMessage: ' x\n' }, { message: 'x' }],
])('reads a task of either generation: %j', (value, expected) => {
  expect(parseTask(value)).toEqual({ taskId: 'a', status: 'working', ...expected });
});

it.each([
  undefined,
  null,
  {},
  { taskId: '', status: 'working' },
  { taskId: 'a', status: 'dancing' },
  { taskId: 'x'.repeat(5000), status: 'working' },
])('takes %j for no task', (value) => {
  expect(parseTask(value)).toBeUndefined();
});

it('bounds what a server says about a task', () => {
  const task = parseTask({ taskId: 'a', status: 'working', statusMessage: '😀'.repeat(100_000) });
  expect([...(task?.message ?? '')]).toHaveLength(500);
  const requests = Object.fromEntries(
    Array.from({ length: 1000 }, (_, index) => [`q${index}`, { method: 'roots/list' }]),
  );
  expect(parseInputs(requests)).toHaveLength(20);
  expect(parseInputs({ a: null, b: { method: 3 } })).toEqual([]);
});

it.each([
  [{}, false, undefined],
  [{ tasks: {} }, false, undefined],
  [{ tasks: { requests: { tools: { call: {} } } } }, false, 'core'],
  [{ tasks: { requests: { tools: { call: {} } } } }, true, undefined],
  [{ extensions: { 'io.modelcontextprotocol/tasks': {} } }, true, 'extension'],
  [{ extensions: { 'io.modelcontextprotocol/tasks': null } }, true, undefined],
])(
  'knows from %j (newer: %s) that tasks are spoken of as %s',
  (capabilities, isModern, dialect) => {
    expect(taskDialectOf(capabilities, isModern)).toBe(dialect);
  },
);
