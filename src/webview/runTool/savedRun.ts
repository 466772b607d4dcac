/** What of the page outlives a reload of the window: no secret is among it. */
import { isDeeperThan, isJsonObject, type JsonObject } from '../../base/json.js';
import { readSavedState, saveState } from '../shared/vscodeApi.js';

export interface SavedRun {
  /** For the extension; kept as it came. */
  readonly subject: unknown;
  readonly args: JsonObject;
  readonly timeout: string;
}

/** Levels of arguments that are read back. */
const maxDepth = 200;

export function readSavedRun(): SavedRun | undefined {
  const saved = readSavedState();
  const { subject, args, timeout } = isJsonObject(saved) ? saved : {};
  return isJsonObject(args) && !isDeeperThan(args, maxDepth)
    ? { subject, args, timeout: typeof timeout === 'string' ? timeout : '' }
    : undefined;
}

export function saveRun(run: SavedRun): void {
  saveState(run);
}
