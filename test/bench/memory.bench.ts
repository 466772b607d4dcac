import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readProcessTable } from '../../src/platform/process/system.js';
import { treeOf } from '../../src/platform/process/table.js';
import {
  type BenchScale,
  comparePaired,
  type Figure,
  measureAlone,
  median,
  timed,
  usedHeap,
} from './connections/figures.js';
import {
  CoreHome,
  openRaw,
  serverScript,
  shownTools,
  stdioEntry,
  withCore,
} from './connections/parties.js';
import { callWithoutCompilers } from './connections/withoutCompilers.js';

const kilobyte = 1024;
const megabyte = 1024 * 1024;
const firstCount = 4;
const connectionCount = 12;

/** What idle connections, wrappers and remembered catalogs cost. */
export async function runBench({ scale }: BenchScale): Promise<readonly Figure[]> {
  return [
    callWithoutCompilers<Figure>(__filename, 'measureHeap', Math.max(3, Math.round(5 * scale))),
    ...(await benchNpx()),
    await benchColdStart(Math.max(5, Math.round(15 * scale))),
  ];
}

/**
 * In a process of its own. What each further connection costs: the first ones also pay for code, and what has just been
 * closed goes later.
 */
export async function measureHeap(rounds: number): Promise<Figure> {
  const names = Array.from(
    { length: firstCount + connectionCount },
    (_, index) => `server${index}`,
  );
  const [first, further] = [names.slice(0, firstCount), names.slice(firstCount)];
  const rawHeap = async () => {
    const clients = await Promise.all(first.map(() => openRaw(stdioEntry())));
    const before = await usedHeap();
    clients.push(...(await Promise.all(further.map(() => openRaw(stdioEntry())))));
    const after = await usedHeap();
    await Promise.all(clients.map((client) => client.close()));
    return (after - before) / connectionCount / kilobyte;
  };
  const ourHeap = () =>
    withCore(Object.fromEntries(names.map((name) => [name, stdioEntry()])), async ({ server }) => {
      await Promise.all(first.map((name) => server(name).ensureConnected()));
      const before = await usedHeap();
      await Promise.all(further.map((name) => server(name).ensureConnected()));
      const after = await usedHeap();
      return (after - before) / connectionCount / kilobyte;
    });
  const name = 'heap per idle connection, without compilers';
  // the code that both share is compiled for whoever comes first
  await rawHeap();
  await ourHeap();
  return comparePaired({ name, unit: 'KB', target: 1.2 }, rounds, rawHeap, ourHeap);
}

/** The same package through npx as written, and as we start it. */
async function benchNpx(): Promise<readonly Figure[]> {
  const root = await mkdtemp(join(tmpdir(), 'pi-mcp-bench-npx-'));
  const project = await createProject(root);
  const entry = (flag: string) => ({ command: 'npx', args: [flag, 'bench-mcp'], cwd: project });
  try {
    return await withCore({ written: entry('--no'), direct: entry('-y') }, async ({ server }) => {
      const connect = async (name: string) => {
        const ms = await timed(() => server(name).ensureConnected());
        const state = server(name).state.value;
        const pid = state.kind === 'connected' ? (state.pid ?? 0) : 0;
        const rows = treeOf(pid, await readProcessTable());
        const bytes = rows.reduce((sum, row) => sum + row.rssBytes, 0);
        await server(name).stop();
        return { ms, megabytes: bytes / megabyte };
      };
      const written: { ms: number; megabytes: number }[] = [];
      const direct: { ms: number; megabytes: number }[] = [];
      for (let round = 0; round < 3; round++) {
        written.push(await connect('written'));
        direct.push(await connect('direct'));
      }
      const figure = (name: string, unit: 'ms' | 'MB', key: 'ms' | 'megabytes'): Figure => {
        const ratios = written.map((base, index) => (direct[index]?.[key] ?? 0) / base[key]);
        return {
          name,
          unit,
          value: median(direct.map((item) => item[key])),
          baselineValue: median(written.map((item) => item[key])),
          baseline: 'npx as written',
          ratio: median(ratios),
          spread: [Math.min(...ratios), Math.max(...ratios)],
          rounds: written.length,
        };
      };
      return [
        figure('memory of a server behind npx', 'MB', 'megabytes'),
        figure('connect a server behind npx', 'ms', 'ms'),
      ];
    });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function createProject(root: string): Promise<string> {
  const folder = join(root, 'project');
  const bin = join(folder, 'node_modules', 'bench-mcp');
  const shims = join(folder, 'node_modules', '.bin');
  await mkdir(bin, { recursive: true });
  await mkdir(shims, { recursive: true });
  const manifest = { name: 'bench-mcp', version: '1.0.0', bin: 'run.mjs' };
  await writeFile(join(bin, 'package.json'), JSON.stringify(manifest));
  const script = `#!/usr/bin/env node\nawait import(${JSON.stringify(serverScript)});\n`;
  await writeFile(join(bin, 'run.mjs'), script, { mode: 0o755 });
  await symlink('../bench-mcp/run.mjs', join(shims, 'bench-mcp'));
  return folder;
}

/** A window that opens with 100 known servers of 50 tools each, and starts none. */
async function benchColdStart(rounds: number): Promise<Figure> {
  const names = Array.from({ length: 100 }, (_, index) => `server${index}`);
  const entry = stdioEntry('--tools=50');
  const home = await CoreHome.create(Object.fromEntries(names.map((name) => [name, entry])));
  try {
    const first = home.open();
    await first.service.whenStarted();
    await first.close();
    return await measureAlone(
      { name: 'cold start from the cache, 100 servers × 50 tools', unit: 'ms', target: 20 },
      rounds,
      async () => {
        let core = undefined as ReturnType<CoreHome['open']> | undefined;
        let known = 0;
        const ms = await timed(async () => {
          core = home.open();
          await core.service.whenStarted();
          known = shownTools(core).length;
        });
        const running = names.filter((name) => core?.server(name).state.value.kind !== 'idle');
        if (known !== 5000 || running.length !== 0) {
          throw new Error(`${known} of 5,000 tools known, ${running.length} servers running`);
        }
        await core?.close();
        return ms;
      },
    );
  } finally {
    await home.dispose();
  }
}
