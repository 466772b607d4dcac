/** From a change outside to its row. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'vitest';
import { trustEverything } from '../../helpers/e2e/steps.js';
import type { Workbench } from '../../helpers/e2e/workbench.js';
import { repository } from '../../workbench/paths.mjs';
import { figureOf, sequentially } from '../connections/figures.js';
import { inWindow, isShort, painted, record } from './window.js';

const benchServer = join(repository, 'test/bench/servers/benchServer.mjs');
const rounds = isShort ? 8 : 15;
const each = Array.from({ length: rounds }, (_, index) => index);
const row = (words: string) => ({ selector: '.sidebar [role=treeitem]', words });

it('follows changes', async () => {
  const files = {
    '.mcp.json': config({ steady: { command: 'node', args: [benchServer], lifecycle: 'eager' } }),
  };
  await inWindow({ withSample: false, files }, async (window) => {
    await trustEverything(window);
    await window.servers.show();
    await window.servers.waitForServer('steady', 'Connected');
    const saved = await sequentially(each, (index) => fromSave(window, index));
    const ended = await sequentially(each.slice(0, 5), () => fromEnd(window));
    record('changes', [
      figureOf({ name: 'save of .mcp.json to its row', unit: 'ms' }, saved),
      figureOf({ name: 'end of a process to its row', unit: 'ms' }, ended),
    ]);
  });
});

/** Another editor saves a name that nobody has: the disabled entry is painted without a connection. */
async function fromSave({ page, workspaceDir }: Workbench, index: number): Promise<number> {
  const path = join(workspaceDir, '.mcp.json');
  const { mcpServers } = JSON.parse(readFileSync(path, 'utf8'));
  const name = `added${index}`;
  const shown = painted(page, row(`${name},`));
  const start = Date.now();
  writeFileSync(
    path,
    config({ steady: mcpServers.steady, [name]: { command: 'node', disabled: true } }),
  );
  return (await shown) - start;
}

async function fromEnd({ page, servers, extensionHost }: Workbench): Promise<number> {
  await servers.waitForServer('steady', 'Connected');
  const pid = childOf(extensionHost());
  const gone = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const look = () => {
          const label = document
            .querySelector('.sidebar [role=treeitem][aria-label^="steady,"]')
            ?.getAttribute('aria-label');
          const time = performance.timeOrigin + performance.now();
          const isConnected = label?.includes('Connected') ?? false;
          requestAnimationFrame(isConnected ? look : () => resolve(time));
        };
        look();
      }),
  );
  const start = Date.now();
  process.kill(pid, 'SIGKILL');
  return (await gone) - start;
}

/** Process of the bench server that the extension host runs. */
function childOf(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  const found = children.find((child) =>
    readFileSync(`/proc/${child}/cmdline`, 'utf8').includes(benchServer),
  );
  if (found === undefined) {
    throw new Error('The server does not run');
  }
  return Number(found);
}

function config(mcpServers: object): string {
  return `${JSON.stringify({ mcpServers }, undefined, 2)}\n`;
}
