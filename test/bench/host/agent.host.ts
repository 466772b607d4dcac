/** The agent: from its command to a usable composer, from Enter to the first word, and a long conversation. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import type { Workbench } from '../../helpers/e2e/workbench.js';
import { figureBeside, figureOf, sequentially } from '../connections/figures.js';
import { inWindow, isShort, painted, record } from './window.js';

const each = Array.from({ length: isShort ? 3 : 5 }, (_, index) => index);
const turnCounts = { short: 10, long: 1_000 } as const;
const settings = { 'piMcp.agent.conversationFiles': 'pi' };

it('opens the agent and answers', async () => {
  await inWindow({ withSample: false, files: { 'a.txt': 'a' }, settings }, async (window) => {
    await window.shell.trustWorkspace();
    await window.shell.closeModalEditor();
    const opened = await sequentially(each, () => openAgent(window));
    const least = await sequentially(each, () => openLeastPage(window));
    const asked = await sequentially([...each, each.length], (round) => ask(window, round));
    const [first, ...others] = asked;
    record('agent', [
      figureBeside(
        {
          name: 'command to a composer that takes keys',
          unit: 'ms',
          baseline: 'page of a text field',
        },
        opened.map(({ composerMs }) => composerMs),
        least,
      ),
      figureOf(
        { name: 'command to a composer with a model', unit: 'ms' },
        opened.map(({ modelMs }) => modelMs),
      ),
      figureOf(
        { name: 'first Enter of a window to the first word, without the model', unit: 'ms' },
        first ? [first.toModelMs + first.toPaintMs] : [],
      ),
      figureOf(
        { name: 'Enter to the first word, without the model', unit: 'ms' },
        others.map(({ toModelMs, toPaintMs }) => toModelMs + toPaintMs),
      ),
      figureOf(
        { name: 'of it Enter to the request', unit: 'ms' },
        others.map(({ toModelMs }) => toModelMs),
      ),
    ]);
  });
});

it('opens long conversations', async () => {
  await inWindow({ withSample: false, files: { 'a.txt': 'a' }, settings }, async (window) => {
    writeConversation(window, 'short');
    writeConversation(window, 'long');
    await window.shell.trustWorkspace();
    await window.shell.closeModalEditor();
    await window.agent.show();
    await window.agent.frame.locator('.model-picker').waitFor();
    const rounds = await sequentially(each, async () => ({
      short: await openConversation(window, 'short'),
      long: await openConversation(window, 'long'),
    }));
    record('conversations', [
      figureBeside(
        {
          name: `open a conversation of ${turnCounts.long} turns`,
          unit: 'ms',
          baseline: `one of ${turnCounts.short} turns`,
        },
        rounds.map(({ long }) => long),
        rounds.map(({ short }) => short),
      ),
    ]);
  });
});

/** In a window that has just been opened. */
async function openAgent(window: Workbench) {
  const { page, agent } = window;
  await window.open();
  // a window remembers that the view was in sight
  if (await page.locator('.part.auxiliarybar').isVisible()) {
    await agent.composer.waitFor();
    await agent.hide();
    await window.open();
  }
  const start = await choose(window, 'Pi MCP: Open Pi Agent');
  await agent.composer.waitFor();
  await agent.composer.fill('a');
  const composerMs = Date.now() - start;
  await agent.frame.locator('.model-picker').waitFor();
  const modelMs = Date.now() - start;
  await agent.composer.fill('');
  await page.keyboard.press('Escape');
  return { composerMs, modelMs };
}

/** The same with a page that has nothing to load. */
async function openLeastPage(window: Workbench): Promise<number> {
  const { page } = window;
  await window.open();
  const start = await choose(window, 'Open the Least Page');
  const field = page
    .frameLocator('iframe.webview.ready[src*="extensionId=pi-mcp-bench.page"]')
    .frameLocator('#active-frame')
    .locator('#least');
  await field.waitFor();
  await field.fill('a');
  const ms = Date.now() - start;
  await page.keyboard.press('Control+W');
  return ms;
}

/** Picks a command of the palette. @returns when, on the wall clock */
async function choose({ page, shell }: Workbench, title: string): Promise<number> {
  let start = 0;
  await shell.tryAgain(async () => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('F1');
    const input = shell.quickInput.locator('input[type=text]');
    await input.waitFor({ timeout: 5_000 });
    await input.fill(`>${title}`);
    const entry = shell.quickPick(title).first();
    await entry.waitFor({ timeout: 5_000 });
    start = Date.now();
    await entry.click({ timeout: 5_000 });
  });
  return start;
}

/** The model answers at once: what is between the request and the first word is ours. */
async function ask({ agent, modelScript }: Workbench, round: number) {
  if (round === 0) {
    await agent.show();
    await agent.frame.locator('.model-picker').waitFor();
  }
  let receivedAt = 0;
  modelScript.refuse = () => {
    receivedAt = receivedAt || Date.now();
    return undefined;
  };
  const answers = await agent.frame.locator('.assistant').count();
  const paragraphs = await agent.frame.locator('.assistant p').filter({ hasText: 'I' }).count();
  await agent.composer.fill(`hello ${round}`);
  const sight = { selector: '.assistant p', words: 'I', count: paragraphs + 1 };
  const shown = painted(agent.frame, sight);
  const start = Date.now();
  await agent.composer.press('Enter');
  const at = await shown;
  await agent.frame.locator('.assistant[aria-busy=false]').nth(answers).waitFor();
  expect(receivedAt).toBeGreaterThanOrEqual(start);
  return { toModelMs: receivedAt - start, toPaintMs: at - receivedAt };
}

async function openConversation(
  { agent, shell, page }: Workbench,
  kind: keyof typeof turnCounts,
): Promise<number> {
  await shell.runCommand('Pi MCP: New Conversation');
  await agent.frame.getByText('Ask Pi about your code').waitFor();
  await shell.runCommand('Pi MCP: Show Conversations');
  const entry = shell.quickPick(titleOf(kind)).first();
  await entry.waitFor();
  const last = `Ready ${turnCounts[kind] - 1} of ${kind}.`;
  const shown = painted(agent.frame, { selector: '.assistant p', words: last });
  const start = Date.now();
  await entry.click();
  const ms = (await shown) - start;
  await page.keyboard.press('Escape');
  return ms;
}

const titleOf = (kind: keyof typeof turnCounts) => `First question of ${kind}`;

/** As Pi in a terminal stores it: each turn has a question, a call, its result and an answer. */
function writeConversation(
  { agentDir, workspaceDir }: Workbench,
  kind: keyof typeof turnCounts,
): void {
  const folder = `--${workspaceDir.replace(/^\//, '').replaceAll('/', '-')}--`;
  const id = `0199a000-0000-7000-8000-${kind === 'long' ? '000000000001' : '000000000002'}`;
  const began = Date.now() - 3_600_000;
  const at = (index: number) => new Date(began + index * 100).toISOString();
  const lines: object[] = [
    { type: 'session', version: 3, id, timestamp: at(0), cwd: workspaceDir },
  ];
  let parentId: string | null = null;
  for (const message of Array.from({ length: turnCounts[kind] }, (_, turn) =>
    turnOf(kind, turn),
  ).flat()) {
    const entryId = (lines.length + 0x10000000).toString(16);
    const timestamp = at(lines.length);
    const stamped = { ...message, timestamp: Date.parse(timestamp) };
    lines.push({ type: 'message', id: entryId, parentId, timestamp, message: stamped });
    parentId = entryId;
  }
  const path = join(agentDir, 'sessions', folder, `${at(0).replace(/[:.]/g, '-')}_${id}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

function turnOf(kind: keyof typeof turnCounts, turn: number): readonly object[] {
  const text = (words: string) => [{ type: 'text', text: words }];
  const id = `call-${turn}`;
  const usage = {
    input: 10,
    output: 10,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 20,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  };
  const answer = {
    role: 'assistant',
    api: 'openai-completions',
    provider: 'demo',
    model: 'demo-1',
    usage,
  };
  const question = turn === 0 ? titleOf(kind) : `Question ${turn}`;
  const call = { type: 'toolCall', id, name: 'read', arguments: { path: 'a.txt' } };
  return [
    { role: 'user', content: text(question) },
    { ...answer, content: [call], stopReason: 'toolUse' },
    { role: 'toolResult', toolCallId: id, toolName: 'read', isError: false, content: text('a') },
    { ...answer, content: text(`Ready ${turn} of ${kind}.`), stopReason: 'stop' },
  ];
}
