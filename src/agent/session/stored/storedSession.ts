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
}

/** The model that the conversation used last. */
export function lastModel(entries: readonly PiSessionEntry[]): ModelRef | undefined {
  const change = entries.findLast((entry) => entry.type === 'model_change');
  return change?.type === 'model_change'
    ? { provider: change.provider, id: change.modelId }
    : undefined;
}
