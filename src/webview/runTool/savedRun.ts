/** What of the page outlives a reload of the window: no secret is among it. */
import { isDeeperThan, isJsonObject, type JsonObject } from '../../base/json.js';
import { readSavedPart, savePart } from '../shared/vscodeApi.js';

export interface SavedRun {
  /** The tool that they are for. */
  readonly tool: string;
  readonly args: JsonObject;
  readonly timeout: string;
}

/** Levels of arguments that are read back. */
const maxDepth = 200;

export function readSavedRun(tool: string): SavedRun | undefined {
  const saved = readSavedPart('run');
  const { subject, args, timeout, ...rest } = isJsonObject(saved) ? saved : {};
  const of = rest.tool ?? (isJsonObject(subject) ? subject.tool : undefined);
  return of === tool && isJsonObject(args) && !isDeeperThan(args, maxDepth)
    ? { tool, args, timeout: typeof timeout === 'string' ? timeout : '' }
    : undefined;
}

export function saveRun(run: SavedRun): void {
  savePart('run', run);
}
