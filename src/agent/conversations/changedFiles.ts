/** How many files a stored conversation changed. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ChangeLog, changesFolder } from '../changes/changeLog.js';
import type { ChangeState } from '../changes/changeState.js';
import type { FileMemo } from './fileMemo.js';

/** Never rejects. @param path of the conversation, absolute */
export async function storedChanges(path: string, memo: FileMemo<number>): Promise<number> {
  const folder = changesFolder(path);
  const stats = await stat(join(folder, 'changes.jsonl')).catch(() => undefined);
  if (!stats?.isFile()) {
    return 0;
  }
  return await memo.get(folder, `${stats.size} ${stats.mtimeMs}`, async () =>
    changedFiles((await ChangeLog.open(folder)).state),
  );
}

/** Files that some call left otherwise than it found them, be they kept, undone or under review. */
export function changedFiles({ calls }: ChangeState): number {
  const changed = [...calls.values()].filter(
    ({ before, after }) => after !== undefined && after !== before,
  );
  return new Set(changed.map(({ path }) => path)).size;
}
