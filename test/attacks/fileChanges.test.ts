/** A folder that wants an undo, a restore, or what is kept for them, to reach other files than Pi changed. */
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { AgentHarness } from '../helpers/fakes/agentHarness.js';
import { useAgentHarness } from '../helpers/fakes/useAgentHarness.js';

const openHarness = useAgentHarness();

/** Pi has overwritten `sub/a.txt`. */
async function afterWrite() {
  const harness = await openHarness();
  harness.defaultMode.set('runFreely');
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
  const { shown: reviewed } = panel;
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
    await plantLink(what, folder, outside);
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

/** What a user does who agrees to everything that is shown. */
async function restoreAll({ panel }: AgentHarness) {
  const id = panel.restoring.choices.at(-1)?.id ?? '';
  await panel.restoring.show(id);
  const { view } = panel.restoring;
  const restored = view?.files.map((file) => file.id) ?? [];
  const stamp = view?.stamp ?? '';
  await panel.restoring
    .restore({ stamp, files: true, conversation: false, restored, left: [] })
    .catch(() => undefined);
  return view?.files.map(({ becomes }) => becomes);
}

async function plantLink(what: string, folder: string, outside: string): Promise<void> {
  if (what === 'folder') {
    await rm(join(folder, 'sub'), { recursive: true });
    await symlink(outside, join(folder, 'sub'));
  } else {
    await rm(join(folder, 'sub/a.txt'));
    await symlink(join(outside, 'a.txt'), join(folder, 'sub/a.txt'));
  }
}

it('control: a restore writes what the file held before the message', async () => {
  const { harness, folder } = await afterWrite();
  expect(await restoreAll(harness)).toEqual(['changed']);
  expect(await readFile(join(folder, 'sub/a.txt'), 'utf8')).toBe('old\n');
  expect(results(await changesOf(harness).redo())).toEqual(['undone']);
  expect(await readFile(join(folder, 'sub/a.txt'), 'utf8')).toBe('new\n');
});

it.each(['folder', 'file'])(
  'restores nothing through a link in the place of the %s, nor does a redo',
  async (what) => {
    const { harness, folder, outside } = await afterWrite();
    await plantLink(what, folder, outside);
    expect(await restoreAll(harness)).toEqual(['left']);
    expect(await readFile(join(outside, 'a.txt'), 'utf8')).toBe('new\n');
    await rm(join(folder, 'sub'), { recursive: true });
    await mkdir(join(folder, 'sub'));
    await writeFile(join(folder, 'sub/a.txt'), 'new\n');
    expect(await restoreAll(harness)).toEqual(['changed']);
    await plantLink(what, folder, outside);
    await writeFile(join(outside, 'a.txt'), 'old\n');
    await changesOf(harness).redo({ isForced: true });
    expect(await readFile(join(outside, 'a.txt'), 'utf8')).toBe('old\n');
  },
);

it('restores nothing through a link that takes the place of the folder after the user has looked', async () => {
  const { harness, folder, outside } = await afterWrite();
  const { restoring } = harness.panel;
  await restoring.show(restoring.choices[0]?.id ?? '');
  const stamp = restoring.view?.stamp ?? '';
  await plantLink('folder', folder, outside);
  const request = { stamp, files: true, conversation: true, restored: [], left: [] };
  expect(await restoring.restore(request)).toBeUndefined();
  expect(await readFile(join(outside, 'a.txt'), 'utf8')).toBe('new\n');
  expect(harness.panel.snapshot().transcript).not.toEqual([]);
});

it('believes no checkpoints that lie in the folder', async () => {
  const { harness, folder, outside } = await afterWrite();
  const file = (await readdir(join(harness.root, 'storage'), { recursive: true })).find((name) =>
    name.endsWith('.jsonl'),
  );
  const target = { path: join(outside, 'a.txt'), from: 'absent', to: 'absent', links: [] };
  const entry = { type: 'restore', id: 'planted', time: 1, files: [target] };
  for (const name of [`${file}`.replace(/.*[/]/, '').replace('.jsonl', '.changes'), '.changes']) {
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, name, 'changes.jsonl'), `${JSON.stringify(entry)}\n`);
  }
  await harness.reload();
  expect(harness.panel.restoring.choices.map(({ id }) => id)).not.toContain('planted');
  expect(await readFile(join(outside, 'a.txt'), 'utf8')).toBe('new\n');
});

it('restores with no content that was put in the place of what is kept', async () => {
  const { harness, folder } = await afterWrite();
  const storage = join(harness.root, 'storage');
  const names = await readdir(storage, { recursive: true });
  for (const name of names.filter((one) => /blobs.[0-9a-f]{64}/.test(one))) {
    await writeFile(join(storage, name), 'planted\n');
  }
  expect(await restoreAll(harness)).toEqual(['left']);
  expect(await readFile(join(folder, 'sub/a.txt'), 'utf8')).toBe('new\n');
});
