/** What a restore would make of each file. Pure but for what it is given to read. */
import { createHash } from 'node:crypto';
import { type LoadedLink, planUndo } from '../undo.js';
import { type Content, sameContent } from '../version.js';

export interface PlannedFile {
  readonly path: string;
  readonly now: Content;
  /** `unread`: it cannot be restored. */
  readonly after: Content;
  /** What others wrote elsewhere in it stays. */
  readonly isMerged: boolean;
  /** Others wrote in the same lines, which would be replaced; or deleted it, so that it would come back. */
  readonly conflict?: 'edited' | 'deleted';
  /** An editor has changes of it that are not saved, which the restore would save. */
  readonly isUnsaved: boolean;
}

/** `undefined`: nothing would change. @param links what was written since, oldest first */
export function planFile(
  path: string,
  links: readonly LoadedLink[],
  { now, isUnsaved }: Pick<PlannedFile, 'now' | 'isUnsaved'>,
): PlannedFile | undefined {
  const plan = planUndo(links, now);
  switch (plan.kind) {
    case 'nothing':
      return undefined;
    case 'impossible': {
      const [first] = links;
      const isThere = first !== undefined && sameContent(first.before, now);
      return isThere ? undefined : { path, now, after: 'unread', isMerged: false, isUnsaved };
    }
    case 'write':
      return { path, now, after: plan.content, isMerged: plan.isMerged, isUnsaved };
    case 'conflict': {
      const { content, reason } = plan;
      return { path, now, after: content, isMerged: false, conflict: reason, isUnsaved };
    }
  }
}

/** Another one for whatever is another plan. */
export function stampOf(files: readonly PlannedFile[]): string {
  const hash = createHash('sha256');
  for (const { path, now, after } of files) {
    for (const part of [path, now, after]) {
      hash.update(`${part.length} `).update(part);
    }
  }
  return hash.digest('hex');
}
