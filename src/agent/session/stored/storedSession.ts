/** Where a stored conversation goes on, and what it says about its model. */
import type { ModelRef } from '../../models/models.js';
import type { PiSessionEntry } from '../../pi/piModule.js';
import type { Transcript } from '../../transcript/entries.js';

/** Where a conversation goes on. */
export interface ResumePoint {
  /** Absolute path; may not exist, as Pi writes it with the first answer. */
  readonly sessionFile: string | undefined;
  /** Default: what the file tells. */
  readonly transcript?: Transcript;
  /** What could not be written to the file. Default: nothing. */
  readonly unsaved?: readonly PiSessionEntry[];
  /** Another program wrote into the file. Default: none did. */
  readonly outside?: OutsideChange;
}

export type OutsideChange =
  /** It went on where this window had ended. */
  | { readonly kind: 'continued' }
  /** Both went on; here from this entry, behind which the other program's are left out. */
  | { readonly kind: 'diverged'; readonly leafId: string };

/** The model that the conversation used last. */
export function lastModel(entries: readonly PiSessionEntry[]): ModelRef | undefined {
  const change = entries.findLast((entry) => entry.type === 'model_change');
  return change?.type === 'model_change'
    ? { provider: change.provider, id: change.modelId }
    : undefined;
}
