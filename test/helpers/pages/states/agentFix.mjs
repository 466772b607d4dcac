// @ts-check
/** A fix of twelve calls, as a model makes it: looking around, a failing test, edits, a tool of a server. */
import { diffOf, readyState } from './parts.mjs';

const reads = { ran: { kind: 'reads' } };
const asked = { asked: { kind: 'default' }, ran: { kind: 'user', answer: 'once' } };
const output = (/** @type {number} */ lines) =>
  Array.from({ length: lines }, (_item, at) => `src/cart.ts:${at + 10}: total(items) + tax`).join(
    '\n',
  );

/** @param {string} id @param {object} more */
const call = (id, more) => ({
  id,
  kind: 'tool',
  args: '{}',
  status: 'done',
  spent: { ms: 820, tokens: 312 },
  result: [],
  ...more,
});
/** @param {string} id @param {string} line @param {number} lines @param {object} [more] */
const command = (id, line, lines, more = {}) =>
  call(id, {
    tool: 'bash',
    args: JSON.stringify({ command: line }, undefined, 2),
    words: { kind: 'command', command: line },
    why: reads,
    result: [{ kind: 'text', text: output(lines) }],
    ...more,
  });
/** @param {string} id @param {string} path */
const read = (id, path) =>
  call(id, {
    tool: 'read',
    args: JSON.stringify({ path }, undefined, 2),
    words: { kind: 'read', path },
    why: reads,
    result: [{ kind: 'text', text: output(40) }],
  });
/** @param {string} id @param {string} tool @param {string} kind @param {string} path @param {number} lines */
const edit = (id, tool, kind, path, lines) =>
  call(id, {
    tool,
    args: '',
    why: asked,
    change: {
      path,
      kind,
      added: lines,
      removed: kind === 'edit' ? 2 : 0,
      hunks: [
        diffOf(
          Array.from(
            { length: lines },
            (_item, at) => `+${at + 10} const value${at} = ${at};`,
          ).join('\n'),
        ),
      ],
      omitted: 0,
      notes: [],
      callId: id,
    },
  });
/** @param {string} id @param {string} tool @param {object} more */
const server = (id, tool, more) =>
  call(id, {
    tool: `shop__${tool}`,
    mcp: { server: 'shop', tool },
    args: '{\n  "order": 17\n}',
    words: { kind: 'values', values: [{ name: 'order', text: '17' }] },
    why: asked,
    ...more,
  });
/** @param {string} id @param {string} text */
const say = (id, text) => ({ id, kind: 'assistant', text, isStreaming: false });

const failed = `${output(14)}\n\nExpected 119, got 138\n\nCommand exited with code 1`;

export const fixSnapshot = {
  conversation: 'fix',
  state: { ...readyState, cards: undefined },
  earlier: 0,
  transcript: [
    { id: 'u1', kind: 'user', text: 'The total is wrong when an order has tax. Mend it.' },
    command('c1', 'grep -rn "tax" src', 6),
    command('c2', 'git status', 12),
    command('c3', 'git diff', 10),
    read('c4', 'src/cart.ts'),
    read('c5', 'src/price.ts'),
    say('a1', 'The tax is added twice. First the tests.'),
    command('c6', 'npm test', 0, {
      why: asked,
      status: 'failed',
      result: [{ kind: 'text', text: failed }],
    }),
    edit('c7', 'edit', 'edit', 'src/cart.ts', 9),
    edit('c8', 'edit', 'edit', 'src/price.ts', 7),
    edit('c9', 'write', 'create', 'test/tax.test.ts', 24),
    server('c10', 'get_order', { result: [{ kind: 'text', text: '{"order":17}' }] }),
    server('c11', 'update_order', { result: [{ kind: 'text', text: 'updated' }] }),
    command('c12', 'npm test', 20, { why: asked }),
    {
      ...say(
        'a2',
        'The tax was added in `total` and again in `price`. It is added once now, and a test says so.',
      ),
      run: {
        files: 3,
        commands: 5,
        calls: 2,
        ms: 45_000,
        waitedMs: 27_000,
        sent: 31_000,
        received: 2_100,
        cost: 0.12,
      },
    },
  ],
};
