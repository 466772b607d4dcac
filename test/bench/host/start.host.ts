/** What a window costs to open: activation, first rows, connections. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ours } from '../../helpers/e2e/hostMonitor.js';
import { connectSample, sampleServers } from '../../helpers/e2e/steps.js';
import type { Workbench } from '../../helpers/e2e/workbench.js';
import { type Figure, figureBeside, figureOf } from '../connections/figures.js';

import { firstPaints, inWindow, isShort, noteFirstPaints, record } from './window.js';

const starts = isShort ? 4 : 7;
const peers = { empty: 'pi-mcp-bench.empty', least: 'pi-mcp-bench.least' };
/** What a user might notice is longer; milliseconds. */
const aims = { activation: 30, ownCpu: 450, stall: 120 };
const connected = `${sampleServers.length} of ${sampleServers.length} connected`;

/** What `activations.cjs` wrote of an extension. */
interface Activation {
  readonly name: string;
  readonly ms: number;
  readonly cpuMs: number;
}

interface Start {
  /** By extension. */
  readonly activations: ReadonlyMap<string, Activation>;
  /** Milliseconds since the extension host was ready. */
  readonly treeMs: number;
  readonly connectedMs: number;
  /** Since the address was opened. */
  readonly windowToTreeMs: number;
  readonly windowMs: number;
  /** Processor time of our code until everything was connected and the window had come to rest. */
  readonly ownCpuMs: number;
  /** Of the processor. */
  readonly longestStallMs: number;
}

it('opens windows', async ({ onTestFinished }) => {
  const dir = mkdtempSync(join(tmpdir(), 'pi-mcp-activations-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const file = join(dir, 'activations.jsonl');
  const env = { PI_MCP_ACTIVATIONS_FILE: file };
  const size = { width: 1400, height: 2400 };
  const measured = await inWindow({ size, env }, async (window) => {
    startAllWithTheWindow(window);
    await connectSample(window);
    timeActivations(window);
    await showServersAtOnce(window);
    await noteFirstPaints(window.page, {
      window: { selector: '.statusbar-item' },
      tree: { selector: '.sidebar [role=treeitem]', words: `${sampleServers[0]},` },
      connected: { selector: '.statusbar [aria-label]', words: connected },
    });
    const all: Start[] = [];
    for (let start = 0; start < starts; start++) {
      rmSync(file, { force: true });
      all.push(await measureStart(window, file));
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

/** From the next window on. */
function timeActivations({ agentDir }: Workbench): void {
  const timing = JSON.stringify(join(import.meta.dirname, 'activations.cjs'));
  const installed = join(agentDir, '../extensions');
  for (const name of [ours, ...Object.values(peers)]) {
    const dir = readdirSync(installed).find((one) => one.startsWith(`${name}-`)) ?? name;
    const path = join(installed, dir, 'package.json');
    const manifest: { main: string } = JSON.parse(readFileSync(path, 'utf8'));
    const load = `() => require('${manifest.main}')`;
    writeFileSync(
      join(installed, dir, 'timed.cjs'),
      `module.exports = require(${timing}).timeActivation('${name}', ${load});\n`,
    );
    writeFileSync(path, JSON.stringify({ ...manifest, main: './timed.cjs' }));
  }
  // else VS Code goes by what it remembers of the manifests
  const now = new Date();
  utimesSync(join(installed, 'extensions.json'), now, now);
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

async function measureStart(window: Workbench, activationsFile: string): Promise<Start> {
  const before = window.monitor.periods().length;
  const opened = Date.now();
  await window.open();
  const paints = await firstPaints(window.page, ['window', 'tree', 'connected']);
  const { window: windowAt = 0, tree = 0, connected: connectedAt = 0 } = paints;
  const ready = window.monitor.readyTimes().at(-1) ?? 0;
  // the period in which it came to rest
  await expect.poll(() => window.monitor.periods().length).toBeGreaterThan(before + 2);
  const periods = window.monitor.periods().slice(before);
  const ownCpuMs = periods.reduce((sum, { cpuMs }) => sum + (cpuMs[ours] ?? 0), 0);
  // two periods are ten seconds
  const stalls = periods.slice(0, 2).flatMap((period) => period.stalls);
  return {
    activations: readActivations(activationsFile),
    treeMs: tree - ready,
    connectedMs: connectedAt - ready,
    windowToTreeMs: tree - opened,
    windowMs: windowAt - opened,
    ownCpuMs,
    longestStallMs: Math.max(0, ...stalls.map(({ cpuMs }) => cpuMs[ours] ?? 0)),
  };
}

function readActivations(file: string): ReadonlyMap<string, Activation> {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const all = lines.map((line): Activation => JSON.parse(line));
  return new Map(all.map((activation) => [activation.name, activation]));
}

function figuresOf(all: readonly Start[]): readonly Figure[] {
  const activation = (name: string) => all.map((start) => start.activations.get(name)?.ms ?? NaN);
  const cpu = (name: string) => all.map((start) => start.activations.get(name)?.cpuMs ?? NaN);
  const column = (key: Exclude<keyof Start, 'activations'>) => all.map((start) => start[key]);
  const beside = (name: string, baseline: string, values: typeof activation, peer: string) =>
    figureBeside({ name, unit: 'ms', baseline }, values(ours), values(peer));
  return [
    figureOf({ name: 'load and activate', unit: 'ms', target: aims.activation }, activation(ours)),
    beside('load and activate', 'an extension that does nothing', activation, peers.empty),
    beside('load and activate', 'an extension with an empty view', activation, peers.least),
    figureOf({ name: 'processor time to load and activate', unit: 'ms' }, cpu(ours)),
    figureOf(
      { name: 'processor time of our code at start', unit: 'ms', target: aims.ownCpu },
      column('ownCpuMs'),
    ),
    figureOf(
      {
        name: 'longest stall by our code in the first ten seconds',
        unit: 'ms',
        target: aims.stall,
      },
      column('longestStallMs'),
    ),
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
