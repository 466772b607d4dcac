import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { draftPath, sweepDrafts } from '../../../../src/platform/stores/drafts.js';

it.runIf(process.platform === 'linux')(
  'sweeps what a writer left that is gone, or whose number another process has now',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pi-mcp-drafts-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const gone = execFileSync('/bin/sh', ['-c', 'echo $$'], { encoding: 'utf8' }).trim();
    const own = basename(draftPath(join(folder, 'a.json')));
    const of = (pid: string, later: number) =>
      own.replace(/(\d+)-(\d+)-/, (_, _pid, start) => `${pid}-${Number(start) + later}-`);
    const left = [of(gone, 0), of(`${process.pid}`, 1)];
    const others = [own, 'a.json', '.a.json.tmp'];
    for (const name of [...left, ...others]) {
      await writeFile(join(folder, name), '');
    }
    await sweepDrafts(folder);
    expect((await readdir(folder)).toSorted()).toEqual(others.toSorted());
  },
);
