/** Servers of the user in a window whose folder declares nothing. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useWorkbench } from '../../helpers/e2e/useWorkbench.js';
import { startWorkbench } from '../../helpers/e2e/workbench.js';
import { repository } from '../../workbench/paths.mjs';

const misbehave = (...args: readonly string[]) => ({
  command: 'node',
  args: [join(repository, 'test/fixtures/servers/misbehave.mjs'), ...args],
  lifecycle: 'eager',
  startupTimeoutMs: 600_000,
});

const own = (lifecycle: string) => ({
  command: 'node',
  args: [join(repository, 'node_modules/@modelcontextprotocol/server-memory/dist/index.js')],
  lifecycle,
});

const eager = { lifecycle: 'eager' };

/** Each in its own row, whatever becomes of the others. */
const manyFates = {
  own: own('eager'),
  slow: misbehave('--hang-initialize'),
  list: misbehave('--hang-list'),
  noisy: misbehave('--announce-again'),
  both: { command: 'node', url: 'http://127.0.0.1:9/mcp' },
  neither: {},
  nothing: null,
  wrongType: { command: 'node', args: 'not a list' },
  missing: { command: 'no-such-executable-anywhere', ...eager },
  unreachable: { url: 'http://127.0.0.1:9/mcp', ...eager },
  dies: { command: 'node', args: ['-e', 'console.error("no good"); process.exit(3)'], ...eager },
  hangs: {
    command: 'node',
    args: ['-e', 'setInterval(() => undefined, 1000)'],
    startupTimeoutMs: 3000,
    ...eager,
  },
};
const fates = [
  ['own', 'Connected'],
  ['noisy', 'lists read rarely'],
  ['list', 'Loading tools, \\d+ s'],
  ['slow', 'Starting, \\d+ s'],
  ['both', 'Both command and URL'],
  ['neither', 'No command or URL'],
  ['nothing', ''],
  ['wrongType', ''],
  ['missing', 'Command not found'],
  ['unreachable', 'Cannot connect'],
  ['dies', 'Exit code \\d+'],
  ['hangs', 'No answer in \\d+ s'],
] as const;

const server = JSON.stringify({ mcpServers: { own: own('lazy') } });
const options = {
  withSample: false,
  agentFiles: { 'mcp.json': server },
  size: { width: 1280, height: 1000 },
};

it('are in the status bar as soon as a folder that declared nothing gets its first file', async () => {
  const workbench = await startWorkbench(options);
  const { page, shell, workspaceDir } = workbench;
  try {
    await shell.activityItem('Pi MCP').waitFor();
    // the slowest comes first, and what has no room is not drawn
    await page.setViewportSize({ width: 1280, height: 3000 });
    await shell.runCommand('Developer: Show Running Extensions');
    const rows = page.locator('.runtime-extensions-editor .extension');
    await rows.filter({ hasText: 'Pi MCP' }).locator('.activation-time').waitFor();
    expect(await shell.statusItem('MCP').count()).toBe(0);
    writeFileSync(join(workspaceDir, '.mcp.json'), server);
    await shell.statusItem('MCP').waitFor();
  } catch (error) {
    await workbench.savePicture('failed-first-file');
    throw error;
  } finally {
    await workbench.stop();
  }
});

declare global {
  var rowsPainted: readonly (readonly string[])[] | undefined;
}

/** Notes what the tree shows in each frame from its first row on, in every window that is opened after this. */
async function notePaintedRows(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const painted: string[][] = [];
    globalThis.rowsPainted = painted;
    const note = () => {
      const rows = [
        ...document.querySelectorAll('.sidebar .tree-explorer-viewlet-tree-view [role=treeitem]'),
      ];
      if (rows.length > 0 || painted.length > 0) {
        const names = rows.map((row) => row.getAttribute('aria-label') ?? '');
        if (names.join() !== painted.at(-1)?.join()) {
          painted.push(names);
        }
      }
      requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
  });
}

/** What was shown after one another. */
async function paintedRows(page: Page): Promise<readonly (readonly string[])[]> {
  return (await page.evaluate(() => globalThis.rowsPainted)) ?? [];
}

describe('in the window of a folder that declares nothing', () => {
  const workbench = useWorkbench(options);

  it('wait for the first look when they are lazy, and have their rows at once in the next window', async () => {
    const { page, servers, shell } = workbench;
    expect(workbench.serverProcesses()).toEqual([]);
    await servers.show();
    await servers.waitForServer('own', 'Connected');
    await workbench.screenshot('own-server');
    await notePaintedRows(page);
    // VS Code asks for the rows below a folder last: a busy machine has read the file by then, now and then
    await expect
      .poll(
        async () => {
          await workbench.open();
          await servers.show();
          await servers.waitForServer('own', 'Not running');
          await shell.statusItem('MCP 0/1').waitFor();
          return await paintedRows(page);
        },
        { timeout: 80_000 },
      )
      .toContainEqual(['User, not read yet', 'own, not read yet', 'sample, not read yet']);
    const painted = await paintedRows(page);
    const whole = painted.findIndex((rows) => rows.length === 3);
    const early = painted.slice(0, whole).flat();
    expect(early.filter((row) => !row.endsWith(', not read yet'))).toEqual([]);
    expect(painted.slice(whole).filter((rows) => rows.length < 3)).toEqual([]);
    expect(painted.at(-1)?.join()).toMatch(/^User, 1 server,own, Not running, 9 tools/);
  });

  it('start with the window when they are eager, and say what they wait for and what is wrong with them', async () => {
    const { config, servers, shell } = workbench;
    const ownFile = join(workbench.agentDir, 'mcp.json');
    const text = JSON.stringify({ mcpServers: manyFates });
    writeFileSync(ownFile, text);
    await workbench.open();
    await expect.poll(() => workbench.serverProcesses().length).toBe(1);
    // the one that works and the noisy one
    await shell.connectedItem(2, 12).waitFor();
    // the palette does not learn of commands while it is open
    await shell.activityItem('Pi MCP').waitFor();
    await shell.runCommand('Pi MCP: Configure Servers');
    await config.server('own').waitFor();
    await servers.show();
    for (const [name, words] of fates) {
      await servers.waitForServer(name, words);
    }
    expect(readFileSync(ownFile, 'utf8')).toBe(text);
    await workbench.screenshot('many-fates');
  });
});
