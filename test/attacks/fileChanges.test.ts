/** A folder that wants an undo, or what is kept for it, to reach other files than Pi changed. */
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { AgentHarness } from '../helpers/fakes/agentHarness.js';
import { useAgentHarness } from '../helpers/fakes/useAgentHarness.js';

const openHarness = useAgentHarness();

/** Pi has overwritten `sub/a.txt`. */
async function afterWrite() {
  const harness = await openHarness();
  harness.yolo.set(true);
  const folder = harness.folders[0]?.fsPath ?? '';
  const outside = join(harness.root, 'outside');
  await mkdir(outside);
  await mkdir(join(folder, 'sub'));
  await writeFile(join(outside, 'a.txt'), 'new\n');
  await writeFile(join(folder, 'sub/a.txt'), 'old\n');
  await harness.panel.prompt('call write {"path": "sub/a.txt", "content": "new\\n"}');
  await harness.untilDone();
  return { harness, folder, outside };
}

function changesOf({ panel }: AgentHarness) {
  const { reviewed } = panel;
  if (!reviewed) {
    throw new Error('No conversation is open.');
  }
  return reviewed.builtInCalls.changes;
}

const results = (outcomes: readonly { readonly result: string }[]) =>
  outcomes.map(({ result }) => result);

it('control: an undo writes what the file held before', async () => {
  const { harness, folder } = await afterWrite();
  expect(results(await changesOf(harness).undo())).toEqual(['undone']);
  expect(await readFile(join(folder, 'sub/a.txt'), 'utf8')).toBe('old\n');
});

it.each(['folder', 'file'])(
  'undoes nothing through a link in the place of the %s',
  async (what) => {
    const { harness, folder, outside } = await afterWrite();
    if (what === 'folder') {
      await rm(join(folder, 'sub'), { recursive: true });
      await symlink(outside, join(folder, 'sub'));
    } else {
      await rm(join(folder, 'sub/a.txt'));
      await symlink(join(outside, 'a.txt'), join(folder, 'sub/a.txt'));
    }
    expect(results(await changesOf(harness).undo({ isForced: true }))).toEqual(['impossible']);
    expect(await readFile(join(outside, 'a.txt'), 'utf8')).toBe('new\n');
  },
);

it('deletes nothing through a link in the place of a file that Pi made', async () => {
  const { harness, folder, outside } = await afterWrite();
  await harness.panel.prompt('call write {"path": "made/a.txt", "content": "new\\n"}');
  await harness.untilDone();
  await rm(join(folder, 'made'), { recursive: true });
  await symlink(outside, join(folder, 'made'));
  const path = join(folder, 'made/a.txt');
  await changesOf(harness).undo({ paths: [path], isForced: true });
  expect(await readdir(outside)).toEqual(['a.txt']);
});

it('undoes with no content that was put in the place of what is kept', async () => {
  const { harness, folder } = await afterWrite();
  const storage = join(harness.root, 'storage');
  const names = await readdir(storage, { recursive: true });
  const kept = names.filter((name) => /blobs.[0-9a-f]{64}/.test(name));
  expect(kept).toHaveLength(2);
  for (const name of kept) {
    await writeFile(join(storage, name), 'planted\n');
  }
  expect(results(await changesOf(harness).undo({ isForced: true }))).toEqual(['impossible']);
  expect(await readFile(join(folder, 'sub/a.txt'), 'utf8')).toBe('new\n');
});
