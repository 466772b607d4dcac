/** How often a fix of twelve calls asks its user, with the real Pi, real commands and a real repository. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { AgentMode } from '../../src/protocol/tools/modes.js';
import type { AgentHarness } from '../helpers/fakes/agentHarness.js';
import { CallableServer } from '../helpers/fakes/fakeAgentMcp.js';
import { useAgentHarness } from '../helpers/fakes/useAgentHarness.js';

const openHarness = useAgentHarness();

const command = (line: string) => ({ name: 'bash', args: { command: line } });
const read = (path: string) => ({ name: 'read', args: { path } });
const edit = (path: string, oldText: string, newText: string) => ({
  name: 'edit',
  args: { path, edits: [{ oldText, newText }] },
});

/** @param from the price that the folder has now */
function fix(from: number) {
  return [
    command('grep -rn price src'),
    command('git status'),
    command('git diff'),
    { name: 'ls', args: { path: 'src' } },
    read('src/cart.js'),
    read('src/tax.js'),
    command('npm test'),
    edit('src/cart.js', `price = ${from}`, `price = ${from + 1}`),
    edit('src/tax.js', `rate = ${from}`, `rate = ${from + 1}`),
    { name: 'write', args: { path: `src/new${from}.js`, content: 'export {};\n' } },
    { name: 'shop__get_order', args: {} },
    { name: 'shop__set_order', args: {} },
  ];
}

async function open(): Promise<AgentHarness> {
  const answer = () =>
    Promise.resolve({ content: [{ type: 'text', text: 'order 17' }], isError: false });
  const tools = [
    { name: 'get_order', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
    { name: 'set_order', inputSchema: { type: 'object' } },
  ] as const;
  const h = await openHarness({ servers: () => [new CallableServer('shop', tools, answer)] });
  const root = h.folders[0]?.fsPath ?? '';
  mkdirSync(join(root, 'src'));
  const files = {
    'package.json': JSON.stringify({ scripts: { test: 'exit 0' } }),
    'src/cart.js': 'export const price = 1;\n',
    'src/tax.js': 'export const rate = 1;\n',
  };
  for (const [path, text] of Object.entries(files)) {
    writeFileSync(join(root, path), text);
  }
  execFileSync('git', ['init', '--quiet'], { cwd: root });
  return h;
}

/** Answers each question by the widest button of its card. @returns what was asked about, in order */
async function questionsOf(h: AgentHarness, from: number): Promise<readonly string[]> {
  const asked: string[] = [];
  const answered = new Set<string>();
  const store = h.panel.onDidChangeState(({ approvals }) => {
    for (const { id, tool, isEdit } of approvals) {
      if (!answered.has(id)) {
        answered.add(id);
        asked.push(tool);
        h.panel.decide(id, isEdit ? 'run' : 'session');
      }
    }
  });
  await h.say(`steps ${JSON.stringify(fix(from))}`);
  store.dispose();
  return asked;
}

it.each<readonly [AgentMode, readonly string[], readonly string[]]>([
  ['ask', ['bash', 'edit', 'shop__get_order', 'shop__set_order'], ['edit']],
  ['acceptEdits', ['bash', 'shop__get_order', 'shop__set_order'], []],
  ['runFreely', [], []],
])('asks in %s about %j, and with what was allowed then about %j', async (mode, first, later) => {
  const h = await open();
  await h.panel.setMode(mode);
  expect(await questionsOf(h, 1)).toEqual(first);
  expect(h.tools().map(({ status }) => status)).toEqual(Array(12).fill('done'));
  expect(await questionsOf(h, 2)).toEqual(later);
  expect(h.tools().filter(({ status }) => status === 'done')).toHaveLength(24);
});
