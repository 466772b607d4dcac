/**
 * What a window keeps of the machine's memory: anonymous pages of its extension host, without us, with us, with the agent
 * open after an answer, and with ten servers. Each in a window of its own.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { it } from 'vitest';
import type { Workbench, WorkbenchOptions } from '../../helpers/e2e/workbench.js';
import { repository } from '../../workbench/paths.mjs';
import { figureBeside, figureOf, sequentially } from '../connections/figures.js';
import { inWindow, isShort, record } from './window.js';

const benchServer = join(repository, 'test/bench/servers/benchServer.mjs');
const serverCount = 10;
const settleMs = 8_000;
const testMs = 900_000;
const connectMs = 90_000;
const rounds = Array.from({ length: isShort ? 1 : 3 }, (_, index) => index);
const settings = { 'piMcp.agent.conversationFiles': 'pi' };
const window: WorkbenchOptions = { withSample: false, files: { 'a.txt': 'a' }, settings };

it('keeps memory', { timeout: testMs }, async () => {
  const inRounds = (options: WorkbenchOptions, use: (window: Workbench) => Promise<void>) =>
    sequentially(rounds, () => memoryAfter(options, use));
  const without = await inRounds({ ...window, withExtension: false }, async () => {});
  const idle = await inRounds(window, async () => {});
  const agent = await inRounds(window, openAgent);
  const connected = await inRounds(window, connectServers);
  const baseline = 'a window without us';
  const beside = (name: string, values: readonly number[]) =>
    figureBeside({ name, unit: 'MB', baseline }, values, without);
  record('memory', [
    figureOf({ name: 'memory of an extension host without us', unit: 'MB' }, without),
    beside('memory with us, without servers', idle),
    beside('memory with the agent open, after an answer', agent),
    beside(`memory with ${serverCount} servers connected over stdio`, connected),
  ]);
});

async function openAgent({ shell, agent }: Workbench): Promise<void> {
  await shell.trustWorkspace();
  await shell.closeModalEditor();
  await agent.show();
  await agent.frame.locator('.model-picker').waitFor();
  await agent.composer.fill('hello');
  await agent.composer.press('Enter');
  await agent.frame.locator('.assistant[aria-busy=false]').waitFor();
}

async function connectServers({ agentDir, servers, shell }: Workbench): Promise<void> {
  const entry = { command: 'node', args: [benchServer, '--tools=10'], lifecycle: 'eager' };
  const names = Array.from({ length: serverCount }, (_, index) => `server${index}`);
  const mcpServers = Object.fromEntries(names.map((name) => [name, entry]));
  writeFileSync(join(agentDir, 'mcp.json'), JSON.stringify({ mcpServers }));
  // without servers nothing of us watches files of the user until somebody looks
  await servers.show();
  await shell.connectedItem(serverCount, serverCount).waitFor({ timeout: connectMs });
}

/** Megabytes that the host has for itself once it has come to rest: the middle of five readings. */
function memoryAfter(options: WorkbenchOptions, use: (window: Workbench) => Promise<void>) {
  return inWindow(options, async (opened) => {
    await use(opened);
    await delay(settleMs);
    const pid = opened.extensionHost();
    const readings: number[] = [];
    for (let index = 0; index < 5; index++) {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      readings.push(Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024);
      await delay(500);
    }
    return readings.sort((a, b) => a - b)[2] ?? Number.NaN;
  });
}
