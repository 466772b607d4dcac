import { expect, it } from 'vitest';
import { Approvals } from '../../../../src/agent/policy/approvals.js';
import { Pins } from '../../../../src/agent/policy/callSubject.js';
import { readReason } from '../../../../src/agent/policy/rules/readReason.js';
import type { ToolIdentity } from '../../../../src/agent/policy/toolIdentity.js';
import { ValueEmitter } from '../../../../src/base/valueEmitter.js';
import type { FileChangeView } from '../../../../src/protocol/fileChanges.js';
import type { RuleView } from '../../../../src/protocol/tools/approvalRules.js';
import type { AgentMode } from '../../../../src/protocol/tools/modes.js';

function create(
  options: {
    mode?: AgentMode;
    alwaysAsk?: readonly string[];
    onUse?: (ruleId: string) => void;
  } = {},
) {
  return new Approvals({
    identify: (tool) =>
      tool.startsWith('demo__')
        ? { key: tool, mcp: { server: 'demo', tool: tool.slice(6) }, claims: ['read-only'] }
        : { key: tool, claims: [] },
    runsWithoutAsking: (tool) => tool === 'read' || tool === 'demo__read',
    mode: new ValueEmitter<AgentMode>(options.mode ?? 'ask'),
    alwaysAsk: () => options.alwaysAsk ?? [],
    onUse: options.onUse,
    idPrefix: '',
  });
}

function request(tool: string, toolCallId = 'c1') {
  return { toolCallId, tool, args: { path: 'a' } };
}

it('asks for everything but built-in tools that read; a claim changes nothing', async () => {
  const approvals = create();
  await expect(approvals.check(request('read'), undefined)).resolves.toMatchObject({
    outcome: 'allowed',
  });
  void approvals.check(request('demo__read'), undefined);
  void approvals.check(request('bash', 'c2'), undefined);
  expect(approvals.open).toEqual([
    {
      id: 'approval-1',
      toolCallId: 'c1',
      tool: 'demo__read',
      mcp: { server: 'demo', tool: 'read' },
      why: { kind: 'default' },
      args: '{\n  "path": "a"\n}',
      words: { kind: 'values', values: [{ name: 'path', text: 'a' }] },
      claims: ['read-only'],
      places: [],
    },
    expect.objectContaining({ id: 'approval-2', toolCallId: 'c2', tool: 'bash', claims: [] }),
  ]);
});

it('settles several open approvals one by one, in any order', async () => {
  const approvals = create();
  const first = approvals.check(request('bash', 'c1'), undefined);
  const second = approvals.check(request('edit', 'c2'), undefined);
  approvals.decide('approval-2', 'deny');
  await expect(second).resolves.toMatchObject({ outcome: 'denied' });
  expect(approvals.open.map(({ toolCallId }) => toolCallId)).toEqual(['c1']);
  approvals.decide('approval-2', 'once');
  approvals.decide('approval-1', 'once');
  await expect(first).resolves.toMatchObject({ outcome: 'allowed' });
  expect(approvals.open).toEqual([]);
});

it('asks again after "once", not after "for this session", and only for that tool', async () => {
  const approvals = create();
  const first = approvals.check(request('bash'), undefined);
  approvals.decide('approval-1', 'once');
  await first;
  const second = approvals.check(request('bash'), undefined);
  approvals.decide('approval-2', 'session');
  await expect(second).resolves.toMatchObject({ outcome: 'allowed' });
  await expect(approvals.check(request('bash'), undefined)).resolves.toMatchObject({
    outcome: 'allowed',
  });
  void approvals.check(request('edit'), undefined);
  expect(approvals.open).toHaveLength(1);
});

it('cancels on abort, on request and on disposal', async () => {
  const approvals = create();
  const controller = new AbortController();
  const aborted = approvals.check(request('bash', 'c1'), controller.signal);
  const cancelled = approvals.check(request('bash', 'c2'), undefined);
  controller.abort();
  await expect(aborted).resolves.toMatchObject({ outcome: 'cancelled' });
  expect(approvals.open).toHaveLength(1);
  approvals.cancelAll();
  await expect(cancelled).resolves.toMatchObject({ outcome: 'cancelled' });
  await expect(approvals.check(request('read'), controller.signal)).resolves.toMatchObject({
    outcome: 'cancelled',
  });
  const last = approvals.check(request('bash', 'c3'), undefined);
  approvals.dispose();
  await expect(last).resolves.toMatchObject({ outcome: 'cancelled' });
  await expect(approvals.check(request('read'), undefined)).resolves.toMatchObject({
    outcome: 'cancelled',
  });
});

it('asks nothing while the user has chosen so', async () => {
  await expect(
    create({ mode: 'runFreely' }).check(request('bash'), undefined),
  ).resolves.toMatchObject({
    outcome: 'allowed',
  });
});

it('asks for announced calls at once and hands each answer to its call', async () => {
  const approvals = create();
  approvals.announce([request('bash', 'c1'), request('read', 'c2'), request('demo__a', 'c3')]);
  expect(approvals.open.map(({ toolCallId }) => toolCallId)).toEqual(['c1', 'c3']);
  approvals.decide('approval-2', 'deny');
  approvals.decide('approval-1', 'once');
  await expect(approvals.check(request('bash', 'c1'), undefined)).resolves.toMatchObject({
    outcome: 'allowed',
  });
  await expect(approvals.check(request('demo__a', 'c3'), undefined)).resolves.toMatchObject({
    outcome: 'denied',
  });
});

it('asks again when an announced call comes with other arguments or another tool', () => {
  const approvals = create();
  approvals.announce([request('bash', 'c1'), request('edit', 'c2')]);
  approvals.decide('approval-1', 'once');
  void approvals.check({ ...request('bash', 'c1'), args: { path: 'b' } }, undefined);
  void approvals.check(request('write', 'c2'), undefined);
  expect(approvals.open.map(({ tool, args }) => [tool, JSON.parse(args)])).toEqual([
    ['bash', { path: 'b' }],
    ['write', { path: 'a' }],
  ]);
});

it('withdraws the question for an announced call that has failed before it ran', () => {
  const approvals = create();
  approvals.announce([request('bash', 'c1'), request('edit', 'c2')]);
  approvals.forget('c1');
  expect(approvals.open.map(({ toolCallId }) => toolCallId)).toEqual(['c2']);
  void approvals.check(request('bash', 'c1'), undefined);
  expect(approvals.open.map(({ toolCallId }) => toolCallId)).toEqual(['c2', 'c1']);
});

it('runs a call with the arguments that the user made of it', async () => {
  const approvals = create();
  const first = approvals.check(request('bash'), undefined);
  expect(() => approvals.decide('approval-1', 'once', '[1]')).toThrow('not a JSON object');
  approvals.decide('approval-1', 'once', '{"path":"b"}');
  await expect(first).resolves.toMatchObject({ outcome: 'allowed', args: { path: 'b' } });
  const second = approvals.check(request('bash'), undefined);
  approvals.decide('approval-2', 'once', '{ "path": "a" }');
  expect(await second).toMatchObject({ outcome: 'allowed', args: undefined });
});

it('shows characters that hide or turn text, and takes them back as they were', async () => {
  const approvals = create();
  const args = {
    path: 'safe\u202e\u2066txt.exe\u200b',
    note: 'é 漢字 😀\nline',
    blank: '\u2800\u3164\u115f\uffa0\u00a0\u009b\ufe0f',
  };
  const check = approvals.check({ toolCallId: 'c1', tool: 'bash', args }, undefined);
  const shown = approvals.open[0]?.args ?? '';
  expect(shown).toContain('safe\\u202e\\u2066txt.exe\\u200b');
  expect(shown).toContain('é 漢字 😀\\nline');
  expect(shown).toContain('\\u2800\\u3164\\u115f\\uffa0\\u00a0\\u009b\\ufe0f');
  approvals.decide('approval-1', 'once', shown);
  expect(await check).toMatchObject({ outcome: 'allowed', args: undefined });
});

it('asks no more for an announced call that was denied, whatever it has become', async () => {
  const approvals = create();
  approvals.announce([request('bash', 'c1'), request('edit', 'c2')]);
  approvals.decide('approval-1', 'deny');
  const changed = { ...request('bash', 'c1'), identity: { key: 'other', claims: [] } };
  await expect(approvals.check(changed, undefined)).resolves.toMatchObject({ outcome: 'denied' });
});

it('shows all that is known of a call, without characters that hide', () => {
  const approvals = create();
  const view = { path: 'a', kind: 'edit' } as FileChangeView;
  const identity: ToolIdentity = {
    key: 'k',
    claims: ['c'],
    args: { own: 1 },
    change: '+ x',
    effect: { kind: 'outside', text: '/a\u200b' },
    isEdit: true,
    preview: { view, texts: { before: undefined, after: 'x' } },
    allow: { everywhere: () => stored },
  };
  let changes = 0;
  approvals.onDidChange(() => changes++);
  void approvals.check({ ...request('write'), isByApp: true, identity }, undefined);
  expect(approvals.open).toEqual([
    {
      id: 'approval-1',
      toolCallId: 'c1',
      tool: 'write',
      isByApp: true,
      why: { kind: 'changed' },
      claims: ['c'],
      args: '{\n  "own": 1\n}',
      change: '+ x',
      effect: { kind: 'outside', text: '/a\\u200b' },
      isEdit: true,
      fileChange: view,
      places: ['everywhere'],
    },
  ]);
  expect(approvals.previewOf('approval-1')).toBe(identity.preview);
  expect(approvals.previewOf('approval-2')).toBeUndefined();
  approvals.decide('approval-1', 'deny');
  approvals.decide('approval-1', 'deny');
  expect(changes).toBe(2);
});

it('gives what was approved for a call to that call, once', () => {
  const pins = new Pins<string>();
  pins.set('a', 'x');
  pins.set('b', 'y');
  expect([pins.get('a'), pins.get('c')]).toEqual(['x', undefined]);
  expect(pins.take('a')).toBe('x');
  expect(() => pins.take('a')).toThrow('not approved');
  pins.delete('b');
  expect(() => pins.take('b')).toThrow('not approved');
});

it('shows arguments whole, however long they are', () => {
  const approvals = create();
  const text = 'x'.repeat(500_000);
  void approvals.check({ toolCallId: 'c1', tool: 'bash', args: { text } }, undefined);
  expect(approvals.open[0]?.args).toContain(text);
});

const stored: RuleView = {
  id: 'stored',
  scope: 'folder',
  subject: { kind: 'command', words: ['git', 'status'], isPrefix: false },
  since: '2026-11-22T10:00:00.000Z',
};
const ofLine = (line: string): ToolIdentity => ({
  key: `bash ${line}`,
  claims: [],
  command: { line, places: new Map([['a', 'file']]), stored: () => [stored], allow: {} },
});

it('says which commands of a line no rule allows, and lets it run once there is one for each', async () => {
  const uses: string[] = [];
  const approvals = create({ onUse: (id) => uses.push(id) });
  const call = (line: string) => ({ ...request('bash'), identity: ofLine(line) });
  void approvals.check(call('git status && cat a && rm a'), undefined);
  const [{ id = '', why = undefined, commands = undefined } = {}] = approvals.open;
  expect(why).toEqual({ kind: 'parts', missing: ['cat a', 'rm a'] });
  expect(commands).toEqual({
    parts: [{ text: 'git status', rule: stored }, { text: 'cat a' }, { text: 'rm a' }],
    offer: ['cat a', 'rm a'],
    wide: ['cat *', 'rm a'],
  });
  approvals.decide(id, 'once');
  // as narrow as they are offered, unless the wider one is chosen
  const rules = approvals.allow('bash', ofLine('cat a'), 'session');
  expect(rules.map(({ subject }) => subject)).toEqual([
    { kind: 'command', words: ['cat', 'a'], isPrefix: false },
  ]);
  void approvals.check(call('head a'), undefined);
  approvals.decide(approvals.open[0]?.id ?? '', 'session');
  expect(approvals.rules.all.at(-1)?.subject).toMatchObject({ words: ['head', 'a'] });
  const wide = approvals.allow('bash', ofLine('ls a'), 'session', true);
  expect(wide.map(({ subject }) => subject)).toEqual([
    { kind: 'command', words: ['ls'], isPrefix: true },
  ]);
  await expect(approvals.check(call('git status && cat a'), undefined)).resolves.toMatchObject({
    outcome: 'allowed',
    why: { kind: 'commands', rules: [{ id: 'stored' }, { id: rules[0]?.id }] },
  });
  // each is told where it is kept
  expect(uses).toEqual(['stored']);
  expect(approvals.rules.usedAt('stored')).toBeUndefined();
  expect(approvals.rules.usedAt(rules[0]?.id ?? '')).toMatch(/^\d{4}-/);
});

const rule = { ...stored, subject: { kind: 'builtIn', tool: 'bash' } } as const;

it.each<readonly [unknown, unknown?]>([
  [{ kind: 'yolo' }],
  [{ kind: 'plan' }],
  [{ kind: 'mode', mode: 'acceptEdits' }],
  [{ kind: 'mode', mode: 'x' }, null],
  [{ kind: 'guarded', text: 'rm -r a' }],
  [{ kind: 'guarded', text: 'rm *', isPattern: true }],
  [{ kind: 'place' }],
  [{ kind: 'rule', rule }],
  [{ kind: 'rule', rule: stored }],
  [{ kind: 'rule', rule: { ...rule, subject: { kind: 'tool', server: 's', tool: 't' } } }],
  [{ kind: 'rule', rule: { ...rule, subject: { kind: 'call', tool: 't', text: 'x' } } }],
  [{ kind: 'commands', rules: [rule] }],
  [{ kind: 'parts', missing: ['a'] }],
  [{ kind: 'pattern', pattern: 'a*' }],
  [{ kind: 'starts', by: 'hooks' }],
  [{ kind: 'user', answer: 'folder', rules: [rule] }],
  [{ kind: 'user', answer: 'once' }],
  [
    { kind: 'user', answer: 'deny', rules: [{ ...rule, scope: 'x' }] },
    { kind: 'user', answer: 'deny' },
  ],
  [
    { kind: 'commands', rules: [rule, { ...rule, id: 1 }, 'x'] },
    { kind: 'commands', rules: [rule] },
  ],
  [
    { kind: 'parts', missing: ['a', 1] },
    { kind: 'parts', missing: ['a'] },
  ],
  [{ kind: 'parts' }, { kind: 'parts', missing: [] }],
  ...[
    'yolo',
    {},
    { kind: 'x' },
    { kind: 'rule' },
    { kind: 'rule', rule: { ...rule, since: 1 } },
    { kind: 'rule', rule: { ...rule, subject: { kind: 'tool', tool: 't' } } },
    { kind: 'rule', rule: { ...rule, subject: { kind: 'call', tool: 't' } } },
    { kind: 'rule', rule: { ...rule, subject: { kind: 'x', tool: 't' } } },
    { kind: 'rule', rule: { ...rule, subject: { kind: 'builtIn' } } },
    { kind: 'pattern', pattern: 1 },
    { kind: 'starts', by: 'x' },
    { kind: 'user', answer: 'x' },
    { kind: 'user', answer: 'x', rules: [rule] },
  ].map((value) => [value, null] as const),
])(
  'reads %j from the file of a conversation, and what it does not know as nothing',
  (value, read) => {
    expect(readReason(value) ?? null).toEqual(read === undefined ? value : read);
  },
);
