/** Several windows, each a process of its own, over the same storage: what one does never hurts another. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { misbehaveScript } from '../../fixtures/connections.js';
import { findProcesses, processMarker, waitForProcesses } from '../../fixtures/processes.js';
import { useScript } from '../../helpers/script.js';
import { until } from '../../helpers/until.js';

interface News {
  readonly name: string;
  readonly kind: string;
  readonly pid?: number;
  readonly tools?: number;
}

const host = useScript('test/fixtures/servers/coreHost.ts');
let root: string;
let marker: string;
let windows: WindowProcess[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'windows-'));
  await Promise.all(['home', 'work', 'storage'].map((name) => mkdir(join(root, name))));
  marker = processMarker();
  windows = [];
});

afterEach(async () => {
  await Promise.all(windows.map((window) => window.close()));
  expect(await findProcesses(marker)).toEqual([]);
  await rm(root, { recursive: true });
});

class WindowProcess {
  private readonly news: News[] = [];
  private wake: () => void = () => undefined;
  private read = 0;

  constructor(private readonly child: ChildProcessWithoutNullStreams) {
    createInterface({ input: child.stdout }).on('line', (line) => {
      this.news.push(JSON.parse(line));
      this.wake();
    });
  }

  tell(word: string): void {
    this.child.stdin.write(`${word}\n`);
  }

  /** The next news of that kind; what came before it is passed over. */
  async hear(kind: string): Promise<News> {
    for (;;) {
      const item = this.news[this.read++];
      if (item?.kind === kind) {
        return item;
      }
      if (!item) {
        this.read--;
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
      }
    }
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }

  async close(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const exited = once(this.child, 'exit');
      this.tell('close');
      await exited;
    }
  }
}

function openWindow(): WindowProcess {
  const child = spawn(process.execPath, [host.path, root], { stdio: 'pipe' });
  child.stderr.pipe(process.stderr);
  const window = new WindowProcess(child);
  windows.push(window);
  return window;
}

/** Resolves once a server is on record. */
async function waitForLedger(): Promise<void> {
  const folder = join(root, 'storage', 'processes');
  const names = () => readdir(folder).catch((): string[] => []);
  await until(async () => (await names()).some((name) => name.endsWith('.json')));
}

async function configure(...faults: readonly string[]): Promise<void> {
  const one = { command: 'node', args: [misbehaveScript, '--ignore-eof', ...faults, marker] };
  await writeFile(join(root, 'work', '.mcp.json'), JSON.stringify({ mcpServers: { one } }));
}

it('each have a server of their own, and consent given in one counts in the other', async () => {
  await configure();
  const [first, second] = [openWindow(), openWindow()];
  await Promise.all([first.hear('started'), second.hear('started')]);
  first.tell('trust');
  const [own, other] = await Promise.all([first.hear('connected'), second.hear('connected')]);
  expect(new Set([own.pid, other.pid]).size).toBe(2);
  second.tell('revoke');
  await Promise.all([first.hear('trust_required'), second.hear('trust_required')]);
  await waitForProcesses(marker, 0);
});

it('sweep what a killed one left behind, not what a living one runs', async () => {
  await configure('--helper-detached');
  const dead = openWindow();
  await dead.hear('started');
  dead.tell('trust');
  await dead.hear('connected');
  const living = openWindow();
  await living.hear('started');
  living.tell('restart');
  const { pid } = await living.hear('connected');
  await waitForProcesses(marker, 4);
  await dead.kill();
  expect(await findProcesses(marker)).toHaveLength(4);
  // it knows the tools, so it starts nothing itself
  await openWindow().hear('started');
  await waitForProcesses(marker, 2);
  living.tell('call');
  await living.hear('hi');
  expect(await findProcesses(marker)).toContain(pid);
});

it('sweep what one left behind that was killed while it connected', async () => {
  await configure('--hang-initialize', '--helper-detached');
  const dead = openWindow();
  dead.tell('trust');
  await waitForProcesses(marker, 2);
  await dead.hear('connecting');
  await waitForLedger();
  await dead.kill();
  expect(await findProcesses(marker)).toHaveLength(2);
  await rm(join(root, 'work', '.mcp.json'));
  await openWindow().hear('started');
  await waitForProcesses(marker, 0);
});

it('start a server when what a killed one left of it has ended', async () => {
  await configure();
  const dead = openWindow();
  await dead.hear('started');
  dead.tell('trust');
  await dead.hear('connected');
  await dead.kill();
  expect(await findProcesses(marker)).toHaveLength(1);
  const next = openWindow();
  next.tell('restart');
  const { pid } = await next.hear('connected');
  expect(await findProcesses(marker)).toEqual([pid]);
});

it('show every tool that another one has learnt, without a process', async () => {
  await configure();
  const first = openWindow();
  await first.hear('started');
  first.tell('trust');
  const { tools } = await first.hear('connected');
  await first.close();
  const second = openWindow();
  expect((await second.hear('started')).tools).toBe(tools);
  expect(await findProcesses(marker)).toEqual([]);
});
