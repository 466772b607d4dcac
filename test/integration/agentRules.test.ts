/** Why calls run and ask, and rules that are made and taken back from cards, with the real Pi and a scripted model. */
import { afterEach, expect, it, vi } from 'vitest';
import { ApprovalStore, toolRule } from '../../src/agent/policy/approvalStore.js';
import { listRules } from '../../src/agent/policy/listRules.js';
import { RuleUses } from '../../src/agent/policy/rules/ruleUses.js';
import { CommandRuleStore } from '../../src/agent/policy/shell/commandRuleStore.js';
import { defaultToolPolicy } from '../../src/agent/policy/toolPolicy.js';
import type { JsonObject } from '../../src/base/json.js';
import { nullLogger } from '../../src/platform/ports.js';
import { CallableServer } from '../helpers/fakes/fakeAgentMcp.js';
import { useAgentHarness } from '../helpers/fakes/useAgentHarness.js';

const harnessWith = useAgentHarness();

const inputSchema = { type: 'object', properties: { message: { type: 'string' } } };
const demo = () =>
  new CallableServer('demo', [{ name: 'echo', inputSchema }], (name) =>
    Promise.resolve({ content: [{ type: 'text', text: name }], isError: false }),
  );

const place = {
  directory: undefined,
  watcher: { watch: () => ({ dispose: () => undefined }) },
  logger: nullLogger,
};

async function harness(settings: JsonObject = {}) {
  const approvals = new ApprovalStore(place);
  const h = await harnessWith({
    servers: () => [demo()],
    tools: { ...defaultToolPolicy, approvals },
    settings,
  });
  const ask = async (decision: 'once' | 'session' | 'folder' | 'everywhere' | 'deny') => {
    await h.panel.prompt('echo hello');
    const { state } = await h.untilAsked();
    await h.answer(decision);
    return state.approvals[0]?.why;
  };
  const run = async () => {
    await h.say('echo hello');
  };
  const last = () => h.tools().at(-1);
  const rules = () => {
    const found = h.panel.shown?.rules;
    if (!found) {
      throw new Error('no conversation');
    }
    return found;
  };
  return { h, approvals, ask, run, last, rules };
}

it('says why it asked and what the user answered, also after a reload', async () => {
  const { h, ask, run, last } = await harness();
  expect(await ask('deny')).toEqual({ kind: 'default' });
  expect(last()?.why).toEqual({
    asked: { kind: 'default' },
    ran: { kind: 'user', answer: 'deny' },
  });
  await ask('once');
  expect(last()?.why?.ran).toEqual({ kind: 'user', answer: 'once' });
  await ask('everywhere');
  const rule = {
    scope: 'everywhere',
    subject: { kind: 'tool', server: 'demo', tool: 'echo' },
  };
  expect(last()?.why?.ran).toMatchObject({ kind: 'user', answer: 'everywhere', rules: [rule] });
  await run();
  expect(last()?.why).toMatchObject({ ran: { kind: 'rule', rule } });
  const shown = h.tools().map(({ why }) => why);
  await h.reload();
  expect(h.tools().map(({ why }) => why)).toEqual(shown);
});

it('names the pattern of the setting, the setting itself and the mode', async () => {
  const asking = await harness({ approveTools: ['other', 'demo*'] });
  expect(await asking.ask('once')).toEqual({ kind: 'pattern', pattern: 'demo*' });
  await asking.h.dispose();
  const quiet = await harness({ approveTools: false });
  await quiet.run();
  expect(quiet.last()?.why).toEqual({ ran: { kind: 'setting' } });
  await quiet.h.dispose();
  const free = await harness();
  free.h.defaultMode.set('runFreely');
  await free.run();
  expect(free.last()?.why).toEqual({ ran: { kind: 'mode', mode: 'runFreely' } });
});

it('takes a rule away from the card of a call that it let run, and brings it back', async () => {
  const { h, ask, run, last, rules, approvals } = await harness();
  await ask('everywhere');
  await run();
  const removed = await rules().removeRule(last()?.id ?? '');
  expect(removed).toMatchObject({ change: 'removed', rules: [{ scope: 'everywhere' }] });
  expect(approvals.all).toEqual([]);
  await ask('once');
  expect(await rules().undo(removed.undo)).toMatchObject({ change: 'restored' });
  await run();
  expect(last()?.why?.ran?.kind).toBe('rule');
  // what was taken back once is not there a second time
  await expect(rules().undo(removed.undo)).rejects.toThrow('not there any more');
  await h.panel.stop();
});

it('allows calls like one that ran, narrowest place first, from the next call on', async () => {
  const { ask, run, last, rules } = await harness();
  await ask('once');
  const id = last()?.id ?? '';
  expect(await rules().scopesOf(id)).toEqual(['conversation', 'folder', 'everywhere']);
  const made = await rules().allowLike(id, 'conversation');
  expect(made).toMatchObject({ change: 'allowed', rules: [{ scope: 'conversation' }] });
  await run();
  expect(last()?.why?.ran).toMatchObject({ kind: 'rule', rule: { scope: 'conversation' } });
  await rules().undo(made.undo);
  expect(await ask('once')).toEqual({ kind: 'default' });
  await expect(rules().removeRule(last()?.id ?? '')).rejects.toThrow('not there any more');
});

/** By the way of the folder, no program is known to be one that only reads. */
const throughFolder = () => vi.stubEnv('PATH', `.:${process.env.PATH}`);
afterEach(() => vi.unstubAllEnvs());

it('lets a chain run once each of its commands is allowed, and asks about what is not understood', async () => {
  throughFolder();
  const commands = new CommandRuleStore(place);
  const h = await harnessWith({ tools: { ...defaultToolPolicy, commands } });
  const call = (command: string) => h.panel.prompt(`call bash ${JSON.stringify({ command })}`);
  const question = async () => (await h.untilAsked()).state.approvals[0];
  await call('basename a && basename b');
  const first = await question();
  expect(first).toMatchObject({
    why: { kind: 'parts', missing: ['basename a', 'basename b'] },
    commands: {
      parts: [{ text: 'basename a' }, { text: 'basename b' }],
      offer: ['basename a', 'basename b'],
    },
    places: ['folder', 'everywhere'],
  });
  h.panel.decide(first?.id ?? '', 'session');
  await h.untilDone();
  await call('basename b; basename c');
  const second = await question();
  expect(second?.why).toEqual({ kind: 'parts', missing: ['basename c'] });
  h.panel.decide(second?.id ?? '', 'folder', undefined, true);
  await h.untilDone();
  expect(commands.rules).toMatchObject([
    { scope: 'folder', subject: { kind: 'command', words: ['basename'], isPrefix: true } },
  ]);
  await call('basename a | basename c d');
  await h.untilDone();
  expect(h.tools().at(-1)).toMatchObject({ status: 'done', why: { ran: { kind: 'commands' } } });
  await call('basename `basename a`');
  const last = await question();
  expect(last).toMatchObject({ why: { kind: 'unclear' }, commands: { parts: [] }, places: [] });
  h.panel.decide(last?.id ?? '', 'deny');
  await h.untilDone();
});

it('lists the rules of conversations and of folders, with when each let a call run, and takes them away', async () => {
  throughFolder();
  const commands = new CommandRuleStore(place);
  const approvals = new ApprovalStore(place);
  const ids = () =>
    new Set([...approvals.all.map(toolRule), ...commands.rules].map(({ id }) => id));
  const uses = new RuleUses(place, ids);
  const h = await harnessWith({
    servers: () => [demo()],
    tools: { ...defaultToolPolicy, approvals, commands, uses },
  });
  const features = { approvals, commands, uses };
  const listed = () => listRules(features, h.panel.allowedInConversations);
  const allow = async (text: string, decision: 'session' | 'folder' | 'everywhere') => {
    await h.panel.prompt(text);
    await h.answer(decision);
  };
  const run = async (text: string) => {
    await h.say(text);
  };
  const shell = (command: string) => `call bash ${JSON.stringify({ command })}`;
  await allow('echo hello', 'everywhere');
  await allow(shell('basename a'), 'session');
  await allow(shell('basename b'), 'folder');
  expect(listed()).toMatchObject([
    { subject: { words: ['basename', 'a'] }, place: { kind: 'conversation', title: 'echo hello' } },
    { subject: { kind: 'tool', tool: 'echo' }, place: { kind: 'everywhere' }, scope: 'global' },
    { subject: { words: ['basename', 'b'] }, place: { kind: 'folder', uri: h.folders[0]?.uri } },
  ]);
  // what was asked about let no later call run yet
  expect(listed().filter(({ usedAt }) => usedAt)).toEqual([]);
  await run(shell('basename a; basename b'));
  await run('echo again');
  expect(listed().map(({ usedAt }) => Number.isFinite(Date.parse(usedAt ?? '')))).toEqual([
    true,
    true,
    true,
  ]);
  const undo = await listed()[0]?.remove();
  await listed()[1]?.remove();
  await listed()[0]?.remove();
  expect(listed()).toEqual([]);
  await h.panel.prompt(shell('basename a'));
  const [question] = (await h.untilAsked()).state.approvals;
  expect(question?.why).toEqual({ kind: 'parts', missing: ['basename a'] });
  await h.answer('deny');
  await undo?.();
  expect(listed()).toMatchObject([
    { subject: { words: ['basename', 'a'] }, usedAt: expect.any(String) },
  ]);
});
