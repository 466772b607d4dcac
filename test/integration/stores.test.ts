/** What windows share on disk, changed by many real processes at once. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { trustFileName } from '../../src/mcp/trust/trustStore.js';
import { useScript } from '../helpers/script.js';

const program = useScript('test/fixtures/stores/storeProcess.ts');
let directory: string;
let started: ChildProcess[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pi-mcp-stores-'));
  started = [];
});
afterEach(async () => {
  for (const child of started) {
    child.kill('SIGKILL');
  }
  await rm(directory, { recursive: true });
});

interface Writer {
  readonly child: ChildProcess;
  /** Rejects when the process ends with an error. */
  readonly saved: Promise<readonly string[]>;
}

function startWriter(
  prefix: string,
  count: number,
  { place = directory, dieAt }: { readonly place?: string; readonly dieAt?: number } = {},
): Writer {
  const args = [program.path, place, prefix, String(count), String(dieAt)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  const saved = once(child, 'close').then(([code, signal]) => {
    if (code !== 0 && signal !== 'SIGKILL') {
      throw new Error(`The writer ended with ${code ?? signal}`);
    }
    return said.split('\n').filter((line) => line !== '');
  });
  return { child, saved };
}

async function storedFolders(place = directory): Promise<readonly string[]> {
  const { folders } = JSON.parse(await readFile(join(place, trustFileName), 'utf8'));
  return Object.keys(folders);
}

const prefixes = (count: number) =>
  Array.from({ length: count }, (_item, index) => `${String.fromCharCode(97 + index)}/`);

it('lose none of two hundred changes by eight processes', async () => {
  const writers = prefixes(8).map((prefix) => startWriter(prefix, 25));
  const saved = (await Promise.all(writers.map((writer) => writer.saved))).flat();
  expect(saved).toHaveLength(200);
  expect([...(await storedFolders())].sort()).toEqual(saved.sort());
  expect(await readdir(directory)).toEqual([trustFileName]);
});

it('lose nothing when writers are killed in the middle, and keep nobody waiting', async () => {
  const writers = prefixes(4).map((prefix) => startWriter(prefix, 15));
  // each dies at another place of its work, with the lock in its hands
  const victims = prefixes(4).map((prefix, index) =>
    startWriter(`victim-${prefix}`, 1000, { dieAt: index }),
  );
  const saved = (await Promise.all([...writers, ...victims].map(({ saved }) => saved))).flat();
  const stored = await storedFolders();
  expect(saved).toHaveLength(4 * 15 + 0 + 1 + 2 + 3);
  expect([...stored].sort()).toEqual(saved.sort());
});

it('are one place although their folder is reached through a link', async () => {
  const real = join(directory, 'real');
  const link = join(directory, 'link');
  await mkdir(real);
  await symlink(real, link);
  const writers = [startWriter('a/', 20, { place: real }), startWriter('b/', 20, { place: link })];
  await Promise.all(writers.map(({ saved }) => saved));
  expect(await storedFolders(real)).toHaveLength(40);
});
