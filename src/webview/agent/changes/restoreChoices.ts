/** What the user chooses of a restore before it is done. */
import type { RestorePart, RestoreView } from '../../../protocol/restoring.js';

export interface RestoreChoices {
  /** Of the moment that they are about. */
  readonly id: string;
  readonly parts: ReadonlySet<RestorePart>;
  /** Files that are restored or left other than they are by themselves. */
  readonly files: ReadonlyMap</* file id */ string, boolean>;
}

/** As the restore is by itself, unless the user has chosen something of this one. */
export function currentChoices(
  { id, parts }: RestoreView,
  known: RestoreChoices | undefined,
): RestoreChoices {
  return known?.id === id ? known : { id, parts: new Set(parts), files: new Map() };
}

export function withPart(
  choices: RestoreChoices,
  part: RestorePart,
  isChosen: boolean,
): RestoreChoices {
  const others = [...choices.parts].filter((one) => one !== part);
  return { ...choices, parts: new Set([...others, ...(isChosen ? [part] : [])]) };
}

export function withFile(choices: RestoreChoices, id: string, isChosen: boolean): RestoreChoices {
  return { ...choices, files: new Map(choices.files).set(id, isChosen) };
}
