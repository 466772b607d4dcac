import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ApprovalStore, toolRule } from '../../../../../src/agent/policy/approvalStore.js';
import { listRules } from '../../../../../src/agent/policy/listRules.js';
import { callApproval } from '../../../../../src/agent/policy/rules/callApproval.js';
import { RuleBook } from '../../../../../src/agent/policy/rules/ruleBook.js';
import { RuleUses } from '../../../../../src/agent/policy/rules/ruleUses.js';
import { SessionRules } from '../../../../../src/agent/policy/rules/sessionRules.js';
import { CommandRuleStore } from '../../../../../src/agent/policy/shell/commandRuleStore.js';
import { nullLogger } from '../../../../../src/platform/ports.js';
import type { CallReason, RuleView } from '../../../../../src/protocol/tools/approvalRules.js';

const since = '2026-11-22T10:00:00.000Z';
const pin = { fingerprint: 'f', definition: {} };
const place = (directory?: string) => ({
  directory,
  watcher: { watch: () => ({ dispose: () => undefined }) },
  logger: nullLogger,
});

/** What the stores make of these files. */
async function openStores(files: Readonly<Record<string, unknown>> = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'stored-rules-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(directory, name), JSON.stringify(content));
  }
  const approvals = new ApprovalStore(place(directory));
  const commands = new CommandRuleStore(place(directory));
  const uses = new RuleUses(place(directory), () => new Set());
  await Promise.all([approvals.start(), commands.start(), uses.start()]);
  return { approvals, commands, uses };
}

const command = { folderUri: 'file:///a', words: ['ls'], isPrefix: true, allowedAt: since };
const { folderUri: _a, ...everywhere } = command;
const tool = { folderUri: 'file:///a', scope: 'folder', server: 's', tool: 't', pin } as const;

it.each([
  [command, 1],
  [everywhere, 1],
  [{ ...command, isPrefix: false, words: ['ls', 'a'] }, 1],
  [{ ...command, folderUri: 1 }, 0],
  [{ ...command, words: [] }, 0],
  [{ ...command, words: 'ls' }, 0],
  [{ ...command, words: ['ls', 1] }, 0],
  [{ ...command, isPrefix: 'true' }, 0],
  [{ ...command, allowedAt: 1 }, 0],
])('reads a command that is allowed from the file, and nothing else: %j', async (one, count) => {
  const { commands } = await openStores({ 'command-rules.json': [one] });
  expect(commands.rules).toHaveLength(count);
});

it.each([
  [{ ...tool, allowedAt: since }, 1],
  [{ ...tool, allowedAt: since, launch: 'l', scope: 'global' }, 1],
  [{ ...tool, allowedAt: since, launch: 1 }, 0],
  [{ ...tool, allowedAt: since, scope: 'x' }, 0],
  [{ ...tool, allowedAt: since, pin: {} }, 0],
  [{ ...tool, allowedAt: since, server: 1 }, 0],
  [{ ...tool, allowedAt: since, tool: 1 }, 0],
  [tool, 0],
])('reads a tool that is allowed from the file, and nothing else: %j', async (one, count) => {
  const { approvals } = await openStores({ 'tool-approvals.json': [one] });
  expect(approvals.all).toHaveLength(count);
});

it('keeps commands of each folder and of everywhere apart, and takes back what was taken away', async () => {
  const { commands } = await openStores();
  const ls = { words: ['ls'], isPrefix: true };
  for (const folder of ['file:///a', undefined, 'file:///b']) {
    await commands.allow(folder, ls);
  }
  await commands.allow('file:///a', { words: ['ls'], isPrefix: false });
  await commands.allow('file:///a', { words: ['l', 's'], isPrefix: true });
  const shown = (rules: readonly RuleView[]) =>
    rules.map(({ id, scope }) => `${scope} ${id.replace('command:', '')}`);
  const ofA = [
    'folder ["file:///a",true,["ls"]]',
    'folder ["file:///a",false,["ls"]]',
    'folder ["file:///a",true,["l","s"]]',
  ];
  const ofAll = 'everywhere [null,true,["ls"]]';
  expect(shown(commands.rulesIn('file:///a'))).toEqual([...ofA, ofAll]);
  expect(shown(commands.rulesIn('file:///c'))).toEqual([ofAll]);
  expect(shown(commands.rulesIn(undefined))).toEqual([ofAll]);
  expect(commands.rules).toHaveLength(5);
  expect(commands.rulesIn(undefined)[0]?.subject).toEqual({ kind: 'command', ...ls });
  expect(await commands.removeRule('command:other')).toBeUndefined();
  expect(commands.rules).toHaveLength(5);
  const restore = await commands.removeRule(commands.rulesIn(undefined)[0]?.id ?? '');
  expect(shown(commands.rulesIn('file:///a'))).toEqual(ofA);
  await restore?.();
  expect(shown(commands.rulesIn(undefined))).toEqual([ofAll]);
});

it('keeps tools of each folder, server and kind of server apart', async () => {
  const { approvals } = await openStores();
  const key = { folderUri: undefined, scope: 'global', server: 's', tool: 't' } as const;
  await approvals.allow(key, pin, 'launch');
  expect(approvals.find({ ...key, folderUri: 'file:///a' })).toMatchObject({ launch: 'launch' });
  await approvals.allow({ ...key, folderUri: 'file:///a' }, pin, 'other');
  expect(approvals.find({ ...key, folderUri: 'file:///a' })).toMatchObject({ launch: 'other' });
  for (const other of [{ scope: 'folder' }, { server: 'x' }, { tool: 'x' }] as const) {
    expect(approvals.find({ ...key, ...other })).toBeUndefined();
  }
  const rules = approvals.all.map(toolRule);
  expect(rules.map(({ scope, subject }) => [scope, subject])).toEqual([
    ['everywhere', { kind: 'tool', server: 's', tool: 't' }],
    ['folder', { kind: 'tool', server: 's', tool: 't' }],
  ]);
  expect(await approvals.removeRule('tool:other')).toBeUndefined();
  const restore = await approvals.removeRule(rules[1]?.id ?? '');
  expect(approvals.all).toHaveLength(1);
  await restore?.();
  expect(approvals.all).toHaveLength(2);
});

it('lists rules of conversations first, each with its place and last use, and takes each away', async () => {
  const file = [{ ...tool, allowedAt: since }];
  const features = await openStores({
    'tool-approvals.json': file,
    'command-rules.json': [everywhere],
    'rule-uses.json': { 'command:[null,true,["ls"]]': since, ignored: 1 },
  });
  const session = new SessionRules('x-');
  const made = session.add('k', { kind: 'builtIn', tool: 'write' });
  session.markUsed(made.id);
  const list = () => listRules(features, [{ title: 'Hello', rules: session }]);
  expect(list()).toMatchObject([
    { place: { kind: 'conversation', title: 'Hello' }, usedAt: expect.any(String), id: 'x-rule-1' },
    { place: { kind: 'folder', uri: 'file:///a' }, scope: 'folder', since, usedAt: undefined },
    { place: { kind: 'everywhere' }, scope: undefined, since, usedAt: since },
  ]);
  const restores = [];
  for (const rule of list()) {
    restores.push(await rule.remove());
  }
  expect(list()).toEqual([]);
  for (const restore of restores) {
    await restore?.();
  }
  expect(list()).toHaveLength(3);
});

it('takes rules away wherever each is kept, and brings them back in any order, once', async () => {
  const { commands } = await openStores();
  await commands.allow(undefined, { words: ['ls'], isPrefix: true });
  const session = new SessionRules('x-');
  const own = session.add('k', { kind: 'builtIn', tool: 'write' });
  expect(session.add('k', { kind: 'builtIn', tool: 'edit' })).toBe(own);
  const other = session.add('l', { kind: 'builtIn', tool: 'edit' });
  const book = new RuleBook(session, [{ removeRule: async () => undefined }, commands]);
  const rules = [own, ...commands.rules];
  const removed = await book.remove([...rules, { ...own, id: 'gone' }]);
  expect(removed).toMatchObject({ change: 'removed', rules });
  expect([session.all, commands.rules]).toEqual([[other], []]);
  await expect(book.remove(rules)).rejects.toThrow('not there any more');
  const restored = await book.undo(removed.undo);
  expect(restored).toMatchObject({ change: 'restored', rules });
  expect([session.all, commands.rules.length]).toEqual([[other, own], 1]);
  await expect(book.undo(removed.undo)).rejects.toThrow('not there any more');
  expect(await book.undo(restored.undo)).toMatchObject({ change: 'removed', rules });
});

it('keeps the last fifty changes that can be taken back', async () => {
  const session = new SessionRules('x-');
  const book = new RuleBook(session, []);
  const rules = Array.from({ length: 51 }, (_, at) =>
    session.add(`${at}`, { kind: 'builtIn', tool: 'write' }),
  );
  const [first, second] = rules.map((rule) => book.made([rule]));
  expect(second).toMatchObject({ change: 'allowed', rules: [rules[1]] });
  await expect(book.undo(first?.undo ?? '')).rejects.toThrow('not there any more');
  expect(await book.undo(second?.undo ?? '')).toMatchObject({ change: 'removed' });
  expect(session.all).toEqual(rules.toSpliced(1, 1));
});

const rule: RuleView = {
  id: 'r',
  scope: 'folder',
  subject: { kind: 'tool', server: 's', tool: 't' },
  since,
};
const builtIn: RuleView = { ...rule, subject: { kind: 'builtIn', tool: 'write' } };

it.each<readonly [CallReason | undefined, unknown]>([
  [undefined, undefined],
  [
    { kind: 'rule', rule },
    { kind: 'rule', rule: `folder: s/t, ${since}` },
  ],
  [
    { kind: 'rule', rule: builtIn },
    { kind: 'rule', rule: `folder: builtIn, ${since}` },
  ],
  [
    { kind: 'user', answer: 'once' },
    { kind: 'user', rule: 'once' },
  ],
  [
    { kind: 'user', answer: 'folder', rules: [rule, builtIn] },
    { kind: 'user', rule: `folder; folder: s/t, ${since}; folder: builtIn, ${since}` },
  ],
  [
    { kind: 'mode', mode: 'runFreely' },
    { kind: 'mode', rule: 'runFreely' },
  ],
  [{ kind: 'setting' }, { kind: 'setting', rule: 'approveTools' }],
  [{ kind: 'harmless' }, { kind: 'harmless' }],
])('tells the log of calls why one ran: %j', (why, told) => {
  expect(callApproval(why)).toEqual(told);
});
