/** How many files a stored conversation changed. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ChangeLog, changesFolder } from '../changes/changeLog.js';
import type { ChangeState } from '../changes/changeState.js';

/** Of logs that have not changed since. */
const counts = new Map<
  /* absolute path */ string,
  { readonly size: number; readonly modifiedAt: number; readonly count: number }
>();

/** Never rejects. @param conversationFile absolute */
export async function storedChanges(conversationFile: string): Promise<number> {
  const folder = changesFolder(conversationFile);
  const stats = await stat(join(folder, 'changes.jsonl')).catch(() => undefined);
  if (!stats?.isFile()) {
    return 0;
  }
  const { size, mtimeMs: modifiedAt } = stats;
  const known = counts.get(folder);
  if (known?.size === size && known.modifiedAt === modifiedAt) {
    return known.count;
  }
  const count = changedFiles((await ChangeLog.open(folder)).state);
  counts.set(folder, { size, modifiedAt, count });
  return count;
}

/** Files that some call left otherwise than it found them, be they kept, undone or under review. */
export function changedFiles({ calls }: ChangeState): number {
  const changed = [...calls.values()].filter(
    ({ before, after }) => after !== undefined && after !== before,
  );
  return new Set(changed.map(({ path }) => path)).size;
}
