/** Modes of a conversation with the real Pi: what runs, what asks, what the model is told, what outlives a window. */
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { AgentHarness } from '../helpers/fakes/agentHarness.js';
import { useAgentHarness } from '../helpers/fakes/useAgentHarness.js';

const openHarness = useAgentHarness();
const write = (path: string) => `call write ${JSON.stringify({ path, content: 'text' })}`;
const told = (h: AgentHarness) => JSON.stringify(h.demo.requests.at(-1));

it('writes files without a question in Accept Edits, asks about commands, and says the mode', async () => {
  const h = await openHarness();
  await h.panel.setMode('acceptEdits');
  await h.say(write('a.txt'));
  expect(existsSync(h.path('a.txt'))).toBe(true);
  expect(h.tools()[0]?.why).toEqual({ ran: { kind: 'mode', mode: 'acceptEdits' } });
  expect(h.panel.snapshot().transcript).toContainEqual(
    expect.objectContaining({ kind: 'notice', level: 'info', text: 'Mode: Accept Edits' }),
  );
  await h.panel.prompt('run touch made');
  const { state } = await h.untilAsked();
  // a looser mode answers the question that is open
  await h.panel.setMode('runFreely');
  await h.untilDone();
  expect(existsSync(h.path('made'))).toBe(true);
  expect(state.mode).toBe('acceptEdits');
});

it('refuses in Plan without a question, and tells the model why', async () => {
  const h = await openHarness();
  await h.panel.setMode('plan');
  await h.say(write('a.txt'));
  expect(existsSync(h.path('a.txt'))).toBe(false);
  expect(h.tools()[0]).toMatchObject({ status: 'denied', why: { ran: { kind: 'plan' } } });
  expect(told(h)).toContain('Plan mode: not run. Only reading is allowed.');
});

const plan = { title: 'Add a.txt', steps: ['write a.txt', 'look'], markdown: 'With **care**.' };
const present = `call present_plan ${JSON.stringify(plan)}`;

it.each([
  ['startEdits', 'acceptEdits'],
  ['startAsk', 'ask'],
] as const)(
  'starts a plan in the same run when the user does, and not before: %s',
  async (decision, mode) => {
    const h = await openHarness();
    await h.panel.setMode('plan');
    await h.panel.prompt(present);
    const { state } = await h.untilAsked();
    const [card] = state.approvals;
    expect(card?.plan).toEqual(plan);
    // what allows other calls starts no plan
    for (const other of ['once', 'run', 'session', 'folder', 'everywhere'] as const) {
      h.panel.decide(card?.id ?? '', other);
    }
    expect(h.panel.snapshot().state).toMatchObject({ mode: 'plan', approvals: [{ id: card?.id }] });
    await h.answer(decision, JSON.stringify({ ...plan, steps: ['mine'] }));
    expect(told(h)).toContain('Approved. Carry it out.');
    const after = h.panel.snapshot().state;
    expect(after.mode).toBe(mode);
    expect(after.todo?.steps).toEqual([{ text: 'mine', state: 'open' }]);
  },
);

it('goes on planning with the words of the user, and ends a plan with Stop', async () => {
  const h = await openHarness();
  await h.panel.setMode('plan');
  await h.panel.prompt(present);
  await h.answer('deny', undefined, false, 'think of tests');
  expect(told(h)).toContain('go on planning. They say: think of tests');
  await h.panel.prompt(present);
  await h.untilAsked();
  await h.panel.stop();
  expect(h.panel.snapshot().state).toMatchObject({ mode: 'plan', approvals: [] });
});

it('withdraws a plan that waits when the user chooses another mode, and offers the tool no more', async () => {
  const h = await openHarness();
  await h.panel.setMode('plan');
  await h.panel.prompt(present);
  await h.untilAsked();
  expect(h.offered()).toContain('present_plan');
  await h.panel.setMode('ask');
  await h.untilDone();
  expect(told(h)).toContain('present_plan is for Plan mode alone');
  expect(h.panel.snapshot().state.todo).toBeUndefined();
  await h.say('hello');
  expect(h.offered()).toContain('todo');
  expect(h.offered()).not.toContain('present_plan');
});

it('takes a mode that cannot be kept, and logs why', async () => {
  const h = await openHarness();
  await h.say('hello');
  const path = join(h.root, 'workspace', 'conversations.json');
  await rm(path, { force: true });
  await mkdir(join(path, 'in the way'), { recursive: true });
  await h.panel.setMode('plan');
  await expect.poll(() => h.logged.join()).toContain('conversations.json');
  expect(h.panel.snapshot().state.mode).toBe('plan');
});

it('comes back from a reload in Plan, with no plan that waits and nothing started', async () => {
  const h = await openHarness();
  await h.panel.setMode('plan');
  await h.panel.prompt(present);
  await h.untilAsked();
  const { state, transcript } = await h.reload();
  expect(state).toMatchObject({ mode: 'plan', approvals: [] });
  expect(state.todo).toBeUndefined();
  expect(transcript.at(-1)).toMatchObject({
    kind: 'notice',
    text: 'The window was closed before Pi had finished.',
  });
});

it('tells the model the limits of a plan', async () => {
  const h = await openHarness();
  await h.panel.setMode('plan');
  await h.say(`call present_plan ${JSON.stringify({ ...plan, steps: [] })}`);
  expect(told(h)).toContain('This is no plan that can be shown');
});

it('tells the model what the user says to a denial', async () => {
  const h = await openHarness();
  await h.panel.prompt('run touch made');
  await h.answer('deny', undefined, false, 'use the script');
  expect(told(h)).toContain('The user denied this: use the script');
  expect(h.tools()[0]?.why?.ran).toMatchObject({ answer: 'deny', words: 'use the script' });
});

it.each([
  ['one', 'run touch made'],
  [
    'several',
    `steps [[${['made', 'more'].map((name) => JSON.stringify({ name: 'bash', args: { command: `touch ${name}` } })).join()}]]`,
  ],
])(
  'refuses what waits for an answer when the user chooses Plan meanwhile: %s',
  async (_count, text) => {
    const h = await openHarness();
    await h.panel.prompt(text);
    const { state } = await h.untilAsked(text.startsWith('steps') ? 2 : 1);
    await h.panel.setMode('plan');
    await h.untilDone();
    // a press that came too late
    for (const { id } of state.approvals) {
      h.panel.decide(id, 'once');
    }
    expect(h.tools().map(({ status }) => status)).toEqual(state.approvals.map(() => 'denied'));
    expect(told(h)).toContain('Plan mode: not run.');
    expect([existsSync(h.path('made')), existsSync(h.path('more'))]).toEqual([false, false]);
  },
);

it('judges each call of a run by the mode in which it begins', async () => {
  const h = await openHarness();
  const steps = ['a', 'b', 'c', 'd'].map((name) => ({
    name: 'write',
    args: { path: `${name}.txt`, content: 'text' },
  }));
  const modes = ['acceptEdits', 'plan', 'acceptEdits', 'ask'] as const;
  h.demo.script.refuse = async () => {
    const mode = modes[h.demo.requests.length - 1];
    await (mode && h.panel.setMode(mode));
    return undefined;
  };
  await h.panel.prompt(`steps ${JSON.stringify(steps)}`);
  await h.untilAsked();
  expect(h.tools().map(({ status }) => status)).toEqual([
    'done',
    'denied',
    'done',
    'awaiting_approval',
  ]);
  const written = steps.map(({ args }) => existsSync(h.path(args.path)));
  expect(written).toEqual([true, false, true, false]);
});

it('allows the edits of a run with one answer, and asks again in the next one', async () => {
  const h = await openHarness();
  await h.panel.prompt(write('a.txt'));
  const { state } = await h.untilAsked();
  expect(state.approvals[0]?.isEdit).toBe(true);
  await h.answer('run');
  await h.panel.prompt(write('b.txt'));
  await h.untilAsked();
  expect(existsSync(h.path('b.txt'))).toBe(false);
});

it('brings a mode back after a reload, but never Run Freely', async () => {
  const h = await openHarness();
  await h.say('hello');
  await h.panel.setMode('plan');
  expect((await h.reload()).state.mode).toBe('plan');
  await h.panel.setMode('runFreely');
  expect((await h.reload()).state.mode).toBe('ask');
});

it('has no mode in Restricted Mode', async () => {
  const h = await openHarness({ mode: 'runFreely', isTrusted: false });
  const { state } = await h.panel.ensureSession();
  expect([state.mode, state.modes]).toEqual(['ask', []]);
  await expect(h.panel.setMode('runFreely')).rejects.toThrow('Restricted Mode');
});
