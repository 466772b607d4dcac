/** What becomes of a command whose answer cannot be written. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { isAlive, memory, noted, notedPids, useCoreHarness } from '../helpers/coreHarness.js';
import { useScript } from '../helpers/script.js';

const script = useScript('src/cli.ts', 'cjs');
const harness = useCoreHarness();
let pids: string;

beforeEach(async () => {
  pids = join(harness.root, 'pids');
  await harness.writeGlobal({ memory: noted(pids, memory) });
});

function probe(stdout: 'pipe' | number) {
  const home = join(harness.root, 'home');
  const child = spawn(process.execPath, [script.path, '--home', home, 'probe'], {
    cwd: harness.root,
    stdio: ['ignore', stdout, 'pipe'],
  });
  let error = '';
  child.stderr?.on('data', (chunk) => {
    error += chunk;
  });
  const ended = once(child, 'close').then(([status]) => ({ status, error }));
  return { child, ended };
}

it('ends as ever when nobody reads its answer any more', async () => {
  const { child, ended } = probe('pipe');
  child.stdout?.destroy();
  expect(await ended).toEqual({ status: 0, error: '' });
  const servers = await notedPids(pids);
  expect(servers).toHaveLength(1);
  expect(servers.filter(isAlive)).toEqual([]);
});

it.skipIf(!existsSync('/dev/full'))('fails where there is no room for it', async () => {
  const full = await open('/dev/full', 'w');
  try {
    expect(await probe(full.fd).ended).toMatchObject({ status: 1 });
    expect((await notedPids(pids)).filter(isAlive)).toEqual([]);
  } finally {
    await full.close();
  }
});
