/** Large things in sight: a page of 100 servers, a server of 1,000 tools. */
import { join } from 'node:path';
import { it } from 'vitest';
import type { Workbench } from '../../helpers/e2e/workbench.js';
import { repository } from '../../workbench/paths.mjs';
import { figureOf, sequentially } from '../connections/figures.js';
import { inWindow, isShort, painted, record } from './window.js';

const benchServer = join(repository, 'test/bench/servers/benchServer.mjs');
const rounds = isShort ? 4 : 7;
const serverCount = 100;
const toolCount = 1_000;
const each = Array.from({ length: rounds }, (_, index) => index);

it('shows much', async () => {
  const idle = Array.from({ length: serverCount - 1 }, (_, index) => [
    `server${index}`,
    { command: 'node', args: [benchServer], disabled: true },
  ]);
  const large = {
    command: 'node',
    args: [benchServer, `--tools=${toolCount}`],
    lifecycle: 'eager',
  };
  const mcpServers = { aLarge: large, ...Object.fromEntries(idle) };
  const agentFiles = { 'mcp.json': JSON.stringify({ mcpServers }) };
  await inWindow({ withSample: false, agentFiles }, async (window) => {
    await window.servers.show();
    await window.servers.waitForServer('aLarge', 'Connected');
    const pages = await sequentially(each, () => openConfiguration(window));
    await window.servers.expand(window.servers.row('aLarge'));
    const expansions = await sequentially(each, () => expandTools(window));
    record('pages', [
      figureOf({ name: `open the configuration of ${serverCount} servers`, unit: 'ms' }, pages),
      figureOf({ name: `expand the ${toolCount} tools of a server`, unit: 'ms' }, expansions),
    ]);
  });
});

async function openConfiguration({ shell, config, editor }: Workbench): Promise<number> {
  await editor.closeAll();
  await config.title.waitFor({ state: 'detached' });
  const start = Date.now();
  await shell.runCommand('Pi MCP: Configure Servers');
  await config.server(`server${serverCount - 2}`).waitFor({ state: 'attached' });
  return Date.now() - start;
}

async function expandTools({ servers, page }: Workbench): Promise<number> {
  const group = servers.group('aLarge', 'Tools');
  await group.locator('.monaco-tl-twistie').waitFor();
  const shown = painted(page, { selector: '.sidebar [role=treeitem]', words: 'tool_1' });
  const start = Date.now();
  await group.locator('.monaco-tl-twistie').click();
  const at = await shown;
  await group.locator('.monaco-tl-twistie').click();
  await servers.rows.filter({ hasText: 'tool_1' }).first().waitFor({ state: 'detached' });
  return at - start;
}
