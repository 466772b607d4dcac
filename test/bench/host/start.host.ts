/** What a window costs to open: activation, first rows, connections. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ours } from '../../helpers/e2e/hostMonitor.js';
import { connectSample, sampleServers } from '../../helpers/e2e/steps.js';
import type { Workbench } from '../../helpers/e2e/workbench.js';
import { type Figure, figureBeside, figureOf } from '../connections/figures.js';
import { firstPaints, inWindow, isShort, noteFirstPaints, record } from './window.js';

const starts = isShort ? 4 : 7;
const peers = { empty: 'Empty', git: 'Git' };
const connected = `${sampleServers.length} of ${sampleServers.length} connected`;

interface Start {
  /** Milliseconds that VS Code says that each extension took to activate, by display name. */
  readonly activations: ReadonlyMap<string, number>;
  /** Milliseconds since the extension host was ready. */
  readonly treeMs: number;
  readonly connectedMs: number;
  /** Since the address was opened. */
  readonly windowToTreeMs: number;
  readonly windowMs: number;
  /** Processor time of our code until everything was connected and the window had come to rest. */
  readonly ownCpuMs: number;
}

it('opens windows', async () => {
  const measured = await inWindow({ size: { width: 1400, height: 2400 } }, async (window) => {
    startAllWithTheWindow(window);
    await connectSample(window);
    await showServersAtOnce(window);
    await noteFirstPaints(window.page, {
      window: { selector: '.statusbar-item' },
      tree: { selector: '.sidebar [role=treeitem]', words: `${sampleServers[0]},` },
      connected: { selector: '.statusbar [aria-label]', words: connected },
    });
    const all: Start[] = [];
    for (let start = 0; start < starts; start++) {
      all.push(await measureStart(window));
    }
    return all;
  });
  record('start', figuresOf(measured));
});

function startAllWithTheWindow({ workspaceDir }: Workbench): void {
  const path = join(workspaceDir, '.mcp.json');
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replaceAll(/"(?=command|url)/g, '"lifecycle": "eager", "'),
  );
}

/** VS Code forgets too often with which view a window ended: each new one shows the servers as soon as it can. */
async function showServersAtOnce({ page }: Workbench): Promise<void> {
  await page.addInitScript(() => {
    const click = () => {
      const tab = document.querySelector<HTMLElement>('.activitybar [aria-label^="Pi MCP"]');
      if (tab) {
        tab.click();
      } else {
        requestAnimationFrame(click);
      }
    };
    if (window === window.top) {
      requestAnimationFrame(click);
    }
  });
}

async function measureStart(window: Workbench): Promise<Start> {
  const before = window.monitor.periods().length;
  const opened = Date.now();
  await window.open();
  const paints = await firstPaints(window.page, ['window', 'tree', 'connected']);
  const { window: windowAt = 0, tree = 0, connected: connectedAt = 0 } = paints;
  const ready = window.monitor.readyTimes().at(-1) ?? 0;
  const activations = await readActivations(window);
  // the period in which it came to rest
  await expect.poll(() => window.monitor.periods().length).toBeGreaterThan(before + 2);
  const ownCpuMs = window.monitor
    .periods()
    .slice(before)
    .reduce((sum, { cpuMs }) => sum + (cpuMs[ours] ?? 0), 0);
  return {
    activations,
    treeMs: tree - ready,
    connectedMs: connectedAt - ready,
    windowToTreeMs: tree - opened,
    windowMs: windowAt - opened,
    ownCpuMs,
  };
}

/** What VS Code's own list of running extensions says. */
async function readActivations({ shell, page }: Workbench): Promise<ReadonlyMap<string, number>> {
  await shell.runCommand('Developer: Show Running Extensions');
  const rows = page.locator('.runtime-extensions-editor .extension');
  await rows.filter({ hasText: 'Pi MCP' }).locator('.activation-time').first().waitFor();
  const texts = await rows.evaluateAll((elements) =>
    elements.map((element) => [
      element.querySelector('.name')?.textContent ?? '',
      element.querySelector('.activation-time')?.textContent ?? '',
    ]),
  );
  return new Map(
    texts.flatMap(([name = '', time = '']) => {
      const ms = /(\d+)\s*ms/.exec(time)?.[1];
      return ms === undefined ? [] : [[name, Number(ms)] as const];
    }),
  );
}

function figuresOf(all: readonly Start[]): readonly Figure[] {
  const activation = (name: string) =>
    all.map(({ activations }) => activations.get(name) ?? Number.NaN);
  const [own, empty, git] = [activation('Pi MCP'), activation(peers.empty), activation(peers.git)];
  const column = (key: Exclude<keyof Start, 'activations'>) => all.map((start) => start[key]);
  return [
    { ...figureOf({ name: 'activation', unit: 'ms' }, own) },
    { ...figureOf({ name: 'activation of an extension that does nothing', unit: 'ms' }, empty) },
    figureBeside({ name: 'activation', unit: 'ms', baseline: 'Git of VS Code' }, own, git),
    figureOf({ name: 'processor time of our code at start', unit: 'ms' }, column('ownCpuMs')),
    figureOf(
      { name: 'extension host ready to first row of the tree', unit: 'ms' },
      column('treeMs'),
    ),
    figureOf(
      { name: 'extension host ready to all servers connected', unit: 'ms' },
      column('connectedMs'),
    ),
    figureBeside(
      {
        name: 'address opened to first row of the tree',
        unit: 'ms',
        baseline: 'to the first item of the status bar',
      },
      column('windowToTreeMs'),
      column('windowMs'),
    ),
  ];
}
