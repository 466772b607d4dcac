import { expect, it } from 'vitest';
import { Approvals } from '../../../../src/agent/policy/approvals.js';
import { modeViews } from '../../../../src/agent/policy/modeWords.js';
import { SessionMode } from '../../../../src/agent/policy/sessionMode.js';
import type { ToolIdentity } from '../../../../src/agent/policy/toolIdentity.js';
import { ValueEmitter } from '../../../../src/base/valueEmitter.js';
import type { FileChangeView } from '../../../../src/protocol/fileChanges.js';
import type { CallReason, RuleView } from '../../../../src/protocol/tools/approvalRules.js';
import type { ApprovalDecision } from '../../../../src/protocol/tools/approvals.js';
import { type AgentMode, agentModes, nextMode } from '../../../../src/protocol/tools/modes.js';

const line = (text: string, isReading: boolean): ToolIdentity => ({
  key: text,
  claims: [],
  effect: { kind: 'command', text },
  command: {
    line: text,
    places: new Map(),
    reading: isReading ? { programs: new Set(['pwd']), isPlainRepository: false } : undefined,
    stored: () => [],
    allow: {},
  },
});
const mcp = { mcp: { server: 's', tool: 't' } } as const;
const calls = {
  read: { key: 'read', claims: [], isReader: true, allowedBy: { kind: 'reads' } },
  outside: { key: 'out', claims: [], isReader: true, effect: { kind: 'outside', text: '/etc' } },
  reading: line('pwd', true),
  command: line('npm test', false),
  edit: { key: 'edit', claims: [], isEdit: true },
  unsaved: { key: 'edit', claims: [], isEdit: false },
  link: { key: 'l', claims: [], isEdit: false, effect: { kind: 'link', text: '/x' } },
  starts: { key: 's', claims: [], starts: 'git' },
  push: { ...line('git push', false), guarded: 'git push' },
  claimed: { key: 'c', claims: ['read-only'], isSaidToRead: true, ...mcp },
  writes: { key: 'w', claims: [], ...mcp },
  plan: { key: 'p', claims: [], plan: { title: 't', steps: ['s'], markdown: '' } },
  changed: { key: 'w', claims: [], change: '+ x', ...mcp },
  hidden: { ...line('git push', false), guarded: 'git\u200b push' },
  pattern: { key: 'w', claims: [], askedBy: { kind: 'pattern', pattern: 'w*' }, ...mcp },
} satisfies Record<string, ToolIdentity>;
type Call = keyof typeof calls;

/** `run`, `ask` or `refuse`. */
async function outcome(mode: AgentMode, call: Call, more = {}): Promise<string> {
  const approvals = new Approvals({
    identify: () => ({ key: 'x', claims: [] }),
    runsWithoutAsking: () => false,
    mode: new ValueEmitter(mode),
  });
  const identity = calls[call];
  const request = { toolCallId: 'c1', tool: 'x', args: {}, identity, ...more };
  const decision = approvals.check(request, undefined);
  if (approvals.open.length > 0) {
    approvals.dispose();
    return 'ask';
  }
  if ((await decision).outcome === 'allowed') {
    return 'run';
  }
  expect(await decision).toEqual({ outcome: 'planned', why: { kind: 'plan' } });
  return 'refuse';
}

it.each<readonly [Call, string, string, string, string]>([
  //          ask    edits  plan      freely
  ['read', 'run', 'run', 'run', 'run'],
  ['reading', 'run', 'run', 'run', 'run'],
  ['outside', 'ask', 'ask', 'ask', 'ask'],
  ['command', 'ask', 'ask', 'refuse', 'run'],
  ['edit', 'ask', 'run', 'refuse', 'run'],
  ['unsaved', 'ask', 'ask', 'refuse', 'run'],
  ['link', 'ask', 'ask', 'refuse', 'ask'],
  ['starts', 'ask', 'ask', 'refuse', 'ask'],
  ['push', 'ask', 'ask', 'refuse', 'ask'],
  ['claimed', 'ask', 'ask', 'ask', 'run'],
  ['writes', 'ask', 'ask', 'refuse', 'run'],
  ['plan', 'refuse', 'refuse', 'ask', 'refuse'],
  ['changed', 'ask', 'ask', 'refuse', 'ask'],
])('%s: %s, %s, %s, %s', async (call, ...wanted) => {
  const got = await Promise.all(agentModes.map((mode) => outcome(mode, call)));
  expect(got).toEqual(wanted);
});

it('asks about the calls of an app in every mode, and about no call that a plan refuses', async () => {
  const got = agentModes.map((mode) => outcome(mode, 'writes', { isByApp: true }));
  expect(await Promise.all(got)).toEqual(['ask', 'ask', 'refuse', 'ask']);
});

it.each<readonly [Call, 'model' | 'app', CallReason]>([
  ['outside', 'model', { kind: 'place' }],
  ['link', 'model', { kind: 'place' }],
  ['command', 'model', { kind: 'parts', missing: ['npm test'] }],
  ['starts', 'model', { kind: 'starts', by: 'git' }],
  ['push', 'model', { kind: 'guarded', text: 'git push' }],
  ['hidden', 'model', { kind: 'guarded', text: 'git\\u200b push' }],
  ['pattern', 'model', { kind: 'pattern', pattern: 'w*' }],
  ['writes', 'model', { kind: 'default' }],
  ['writes', 'app', { kind: 'app' }],
  ['changed', 'app', { kind: 'changed' }],
])('says why it asks about %s of the %s: %j', (call, by, why) => {
  const approvals = approvalsIn(new ValueEmitter<AgentMode>('ask'));
  const identity = calls[call];
  const request = { toolCallId: 'c1', tool: 'x', args: {}, identity, isByApp: by === 'app' };
  void approvals.check(request, undefined);
  expect(approvals.open[0]?.why).toEqual(why);
});

it.each<readonly [Call, AgentMode, unknown]>([
  ['read', 'ask', { kind: 'reads' }],
  ['reading', 'ask', { kind: 'reads' }],
  ['edit', 'acceptEdits', { kind: 'mode', mode: 'acceptEdits' }],
  ['writes', 'runFreely', { kind: 'mode', mode: 'runFreely' }],
])('says why %s runs in %s', async (call, mode, why) => {
  const approvals = approvalsIn(new ValueEmitter<AgentMode>(mode));
  const request = { toolCallId: 'c1', tool: 'x', args: {}, identity: calls[call] };
  expect(await approvals.check(request, undefined)).toEqual({ outcome: 'allowed', why });
});

const told: Partial<Record<ApprovalDecision, string>> = {
  startEdits: 'once',
  startAsk: 'once',
  session: 'conversation',
};

/** What becomes of a call by each answer; `open`: it takes none of that kind. */
it.each<readonly [Call, string, string]>([
  ['plan', 'startEdits startAsk', 'allowed'],
  ['plan', 'deny', 'denied'],
  ['plan', 'once session run folder everywhere', 'open'],
  ['writes', 'once session run folder everywhere', 'allowed'],
  ['writes', 'deny', 'denied'],
  ['writes', 'startEdits startAsk', 'open'],
])('%s takes the answers %s: %s', async (call, answers, wanted) => {
  for (const answer of answers.split(' ') as ApprovalDecision[]) {
    const approvals = approvalsIn(new ValueEmitter<AgentMode>(call === 'plan' ? 'plan' : 'ask'));
    const request = { toolCallId: 'c1', tool: 'x', args: {}, identity: calls[call] };
    const decision = approvals.check(request, undefined);
    approvals.decide(approvals.open[0]?.id ?? '', answer, '{"a":1}', false, '');
    const isOpen = approvals.open.length > 0;
    approvals.dispose();
    expect(isOpen ? 'open' : (await decision).outcome).toBe(wanted);
    if (wanted === 'allowed') {
      expect((await decision).why).toMatchObject({ answer: told[answer] ?? answer });
    }
    // what was typed goes with a call that runs
    expect((await decision).args).toEqual(wanted === 'allowed' ? { a: 1 } : undefined);
  }
});

it('runs a plan that was started before its call came, in the mode that it ends in', async () => {
  const mode = new ValueEmitter<AgentMode>('plan');
  const approvals = approvalsIn(mode);
  const call = { toolCallId: 'c1', tool: 'x', args: {}, identity: calls.plan };
  const other = { ...call, toolCallId: 'c2' };
  approvals.announce([call, other]);
  approvals.decide(approvals.open[0]?.id ?? '', 'startEdits');
  mode.set('acceptEdits');
  expect((await approvals.check(call, undefined)).outcome).toBe('allowed');
  // nobody answered that one
  expect((await approvals.check(other, undefined)).outcome).toBe('planned');
  expect((await approvals.check(call, undefined)).outcome).toBe('planned');
});

it('lets the edits of a run be made once that is the answer to one, until the run is over', async () => {
  const approvals = approvalsIn(new ValueEmitter<AgentMode>('ask'));
  const ask = (toolCallId: string, call: Call) =>
    approvals.check({ toolCallId, tool: 'x', args: {}, identity: calls[call] }, undefined);
  const answer = (text: ApprovalDecision) => approvals.decide(approvals.open[0]?.id ?? '', text);
  const command = ask('c1', 'command');
  const edit = ask('c2', 'edit');
  answer('run');
  expect(await command).toMatchObject({ why: { kind: 'user', answer: 'run' } });
  expect(approvals.open).toHaveLength(1);
  const other = ask('c3', 'edit');
  answer('run');
  expect(await edit).toMatchObject({ outcome: 'allowed', why: { kind: 'user', answer: 'run' } });
  expect(await other).toMatchObject({ outcome: 'allowed', why: { kind: 'mode' } });
  expect((await ask('c4', 'edit')).outcome).toBe('allowed');
  void ask('c5', 'unsaved');
  expect(approvals.open.map(({ toolCallId }) => toolCallId)).toEqual(['c5']);
  for (const end of [() => approvals.endRun(), () => approvals.cancelAll()]) {
    end();
    const after = ask('c6', 'edit');
    expect(approvals.open.at(-1)?.toolCallId).toBe('c6');
    answer('deny');
    approvals.cancelAll();
    await after;
  }
});

it.each<readonly [Call, 'session' | 'folder', string | undefined, number]>([
  ['link', 'session', undefined, 1],
  ['link', 'session', '{"a":1}', 0],
  ['link', 'folder', '{"a":1}', 1],
  ['command', 'session', '{"a":1}', 0],
  ['command', 'folder', '{"a":1}', 0],
  ['command', 'folder', undefined, 1],
  ['edit', 'session', '{"a":1}', 1],
  ['push', 'session', undefined, 0],
  ['starts', 'session', undefined, 0],
])('makes of the answer to %s, %s with %s, %i rules', async (call, place, args, count) => {
  const approvals = approvalsIn(new ValueEmitter<AgentMode>('ask'));
  const rule: RuleView = {
    id: 'stored',
    scope: 'folder',
    subject: { kind: 'builtIn', tool: 'x' },
    since: '2026-11-22T10:00:00.000Z',
  };
  const { command, ...known }: ToolIdentity = calls[call];
  const identity: ToolIdentity = {
    ...known,
    allow: { folder: () => rule },
    ...(command && { command: { ...command, allow: { folder: () => [rule] } } }),
  };
  const decision = approvals.check({ toolCallId: 'c', tool: 'x', args: {}, identity }, undefined);
  const isGuarded = ['push', 'starts'].includes(call);
  expect(approvals.open[0]?.places).toEqual(isGuarded ? [] : ['folder']);
  approvals.decide(approvals.open[0]?.id ?? '', place, args);
  const { why } = await decision;
  const answer = place === 'session' ? 'conversation' : place;
  const rules = Array.from({ length: count }, () => expect.objectContaining({ scope: answer }));
  expect(why).toEqual({ kind: 'user', answer, rules: count > 0 ? rules : undefined });
});

const approvalsIn = (mode: ValueEmitter<AgentMode>) =>
  new Approvals({
    identify: () => ({ key: 'x', claims: [] }),
    runsWithoutAsking: () => false,
    mode,
  });

it.each(['npm *', 'npm test', 's/t', 't', 'x'])(
  'asks in every mode about what the setting means: %s',
  async (one) => {
    const mode = new ValueEmitter<AgentMode>('runFreely');
    const approvals = new Approvals({
      identify: () => ({ key: 'x', claims: [] }),
      runsWithoutAsking: () => false,
      mode,
      alwaysAsk: () => ['other', one],
    });
    const identity = /^(?:s\/)?t$/.test(one) ? calls.writes : line('ls && npm test', false);
    void approvals.check({ toolCallId: 'c1', tool: 'x', args: {}, identity }, undefined);
    expect(approvals.open[0]?.why).toEqual({ kind: 'guarded', text: one, isPattern: true });
    // and makes no rule, whatever a page says
    approvals.decide(approvals.open[0]?.id ?? '', 'session');
    expect(approvals.rules.all).toEqual([]);
  },
);

it('still asks about a file that the setting means when the answer to another edit is for the conversation', async () => {
  const approvals = new Approvals({
    identify: () => ({ key: 'x', claims: [] }),
    runsWithoutAsking: () => false,
    mode: new ValueEmitter<AgentMode>('ask'),
    alwaysAsk: () => ['*.sql'],
  });
  const ask = (toolCallId: string, path: string) => {
    const identity = { ...calls.edit, preview: { view: { path } as FileChangeView } };
    return approvals.check({ toolCallId, tool: 'edit', args: {}, identity }, undefined);
  };
  const plain = ask('c1', 'a.ts');
  const other = ask('c2', 'b.ts');
  void ask('c3', 'drop.sql');
  approvals.decide(approvals.open[0]?.id ?? '', 'session');
  expect(await plain).toMatchObject({ outcome: 'allowed' });
  expect(await other).toMatchObject({ outcome: 'allowed', why: { kind: 'rule' } });
  expect(approvals.open.map(({ toolCallId }) => toolCallId)).toEqual(['c3']);
});

it('answers open questions when the mode changes: what it frees runs, what it forbids does not', async () => {
  const mode = new ValueEmitter<AgentMode>('ask');
  const approvals = approvalsIn(mode);
  const ask = (toolCallId: string, call: Call) =>
    approvals.check({ toolCallId, tool: 'x', args: {}, identity: calls[call] }, undefined);
  const edit = ask('c1', 'edit');
  const command = ask('c2', 'command');
  mode.set('acceptEdits');
  expect(await edit).toMatchObject({ outcome: 'allowed', why: { kind: 'mode' } });
  expect(approvals.open.map(({ toolCallId }) => toolCallId)).toEqual(['c2']);
  mode.set('plan');
  expect(await command).toEqual({ outcome: 'planned', why: { kind: 'plan' } });
  expect(approvals.open).toEqual([]);
});

it('lets no rule of the user run anything in Plan', async () => {
  const mode = new ValueEmitter<AgentMode>('ask');
  const approvals = approvalsIn(mode);
  const ask = (toolCallId: string, identity: ToolIdentity) =>
    approvals.check({ toolCallId, tool: 'x', args: {}, identity }, undefined);
  const { command, edit, writes, claimed } = calls;
  for (const identity of [command, edit, writes, claimed]) {
    const decision = ask(identity.key, identity);
    approvals.decide(approvals.open[0]?.id ?? '', 'session');
    expect((await decision).outcome).toBe('allowed');
    // control: the rule stands for the next one
    expect((await ask(identity.key, identity)).outcome).toBe('allowed');
  }
  mode.set('plan');
  for (const identity of [command, edit, writes]) {
    expect((await ask(identity.key, identity)).outcome).toBe('planned');
  }
  const allowedBy = { kind: 'setting' } as const;
  expect((await ask('w', { ...writes, allowedBy })).outcome).toBe('planned');
  void ask('c', { ...claimed, allowedBy });
  expect(approvals.open.map(({ toolCallId }) => toolCallId)).toEqual(['c']);
});

it('runs nothing in Plan that was allowed before and had not begun', async () => {
  const mode = new ValueEmitter<AgentMode>('ask');
  const approvals = approvalsIn(mode);
  const call = (toolCallId: string) => ({
    toolCallId,
    tool: 'x',
    args: {},
    identity: calls.command,
  });
  approvals.announce([call('c1'), call('c2'), call('c3')]);
  approvals.decide(approvals.open[1]?.id ?? '', 'once');
  mode.set('runFreely');
  mode.set('plan');
  for (const id of ['c1', 'c2', 'c3']) {
    expect((await approvals.check(call(id), undefined)).outcome).toBe('planned');
  }
});

it('asks about what Run Freely freed and the next mode does not', () => {
  const mode = new ValueEmitter<AgentMode>('ask');
  const approvals = approvalsIn(mode);
  const call = { toolCallId: 'c1', tool: 'x', args: {}, identity: calls.command };
  approvals.announce([call]);
  mode.set('runFreely');
  expect(approvals.open).toEqual([]);
  mode.set('ask');
  void approvals.check(call, undefined);
  expect(approvals.open.map(({ toolCallId }) => toolCallId)).toEqual(['c1']);
});

it('goes on from mode to mode, and never to the one in which everything runs', () => {
  expect(agentModes.map(nextMode)).toEqual(['acceptEdits', 'plan', 'ask', 'ask']);
});

it('names each mode, says what it does and shows it, unlike the others', () => {
  const views = modeViews();
  expect(views.map(({ mode }) => mode)).toEqual(agentModes);
  for (const part of ['name', 'text', 'icon'] as const) {
    expect(new Set(views.map((one) => one[part] || 'nothing').concat('nothing')).size).toBe(5);
  }
});

it('keeps to what the user chose, and to the setting where they have not', () => {
  const byDefault = new ValueEmitter<AgentMode>('ask');
  const mode = new SessionMode({ byDefault, isTrusted: true });
  const seen: AgentMode[] = [];
  mode.onDidChange((one) => seen.push(one));
  byDefault.set('acceptEdits');
  expect(mode.choose('acceptEdits')).toBe(false);
  byDefault.set('runFreely');
  expect(mode.value).toBe('acceptEdits');
  expect(mode.choose('plan')).toBe(true);
  expect(seen).toEqual(['acceptEdits', 'plan']);
  const restricted = new SessionMode({ byDefault, isTrusted: false, chosen: 'runFreely' });
  expect(restricted.value).toBe('ask');
});
