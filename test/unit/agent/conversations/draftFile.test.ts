import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { conversationDraftPath, DraftFile } from '../../../../src/agent/conversations/draftFile.js';

async function conversation(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'pi-mcp-draft-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return join(root, 'one.jsonl');
}

it('keeps what was written last, whatever comes late', async () => {
  const path = await conversation();
  const file = await DraftFile.open(path);
  await Promise.all([
    file.keep({ text: 'a', writtenAt: 1 }),
    file.keep({ text: 'abc', writtenAt: 3 }),
    file.keep({ text: 'ab', writtenAt: 2 }),
  ]);
  expect(file.value).toEqual({ text: 'abc', writtenAt: 3 });
  expect((await DraftFile.open(path)).value).toEqual({ text: 'abc', writtenAt: 3 });
});

it('leaves no file behind a draft that was sent, and none for what never was written', async () => {
  const path = await conversation();
  const file = await DraftFile.open(path);
  await file.keep({ text: '', writtenAt: 1 });
  await file.keep({ text: 'a', writtenAt: 2 });
  await file.keep({ text: '', writtenAt: 3 });
  expect(await readdir(join(path, '..'))).toEqual([]);
  // so that an older page does not bring it back
  expect(file.value).toEqual({ text: '', writtenAt: 3 });
});

it('takes no half of a draft for one', async () => {
  const path = await conversation();
  await (await DraftFile.open(path)).keep({ text: 'all of it', writtenAt: 12 });
  const whole = await readFile(conversationDraftPath(path), 'utf8');
  for (let length = 0; length < whole.length; length++) {
    await writeFile(conversationDraftPath(path), whole.slice(0, length));
    expect((await DraftFile.open(path)).value).toBeUndefined();
  }
});
