/** What the user chooses of a restore before it is done. */
import type { RestorePart, RestoreView } from '../../../protocol/restoring.js';

export interface RestoreChoices {
  readonly parts: ReadonlySet<RestorePart>;
  /** Files that are restored or left other than they are by themselves. */
  readonly files: ReadonlyMap</* file id */ string, boolean>;
}

/** As the restore is by itself. */
export function allOf({ parts }: RestoreView): RestoreChoices {
  return { parts: new Set(parts), files: new Map() };
}

export function withPart(
  { parts, files }: RestoreChoices,
  part: RestorePart,
  isChosen: boolean,
): RestoreChoices {
  const others = [...parts].filter((one) => one !== part);
  return { parts: new Set([...others, ...(isChosen ? [part] : [])]), files };
}

export function withFile(
  { parts, files }: RestoreChoices,
  id: string,
  isChosen: boolean,
): RestoreChoices {
  return { parts, files: new Map(files).set(id, isChosen) };
}
