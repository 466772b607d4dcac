/** What one window keeps on disk about the processes that it runs, in a file of its own. */
import { asObject, isJsonObject, isTexts } from '../../base/json.js';
import { readJsonFile } from '../stores/jsonFile.js';
import type { ProcessIdentity } from './identity.js';

/** A server: the process that leads its group, and whom else it had started when it was last looked at. */
export interface LedgerChild extends ProcessIdentity {
  /** What its environment holds as `markerVariable`. */
  readonly marker?: string;
  readonly members?: readonly ProcessIdentity[];
}

/** What is about to be started, where a process does not show who started it. */
export interface LedgerIntent {
  readonly marker: string;
  /** Part of its command line. */
  readonly executable: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface LedgerFile {
  /** See `bootSession`; pids of another one mean nothing here. */
  readonly session: string;
  readonly owner: ProcessIdentity;
  /** Paths of the folders that were open when it was written. Default: not known. */
  readonly folders?: readonly string[];
  readonly children: readonly LedgerChild[];
  readonly intents: readonly LedgerIntent[];
}

/** Undefined for what is broken, of another version or removed by another window's sweep. */
export async function readLedgerFile(file: string): Promise<LedgerFile | undefined> {
  const value = await readJsonFile(file);
  return isLedgerFile(value) ? value : undefined;
}

function isLedgerFile(value: unknown): value is LedgerFile {
  return (
    isJsonObject(value) &&
    typeof value.session === 'string' &&
    isIdentity(value.owner) &&
    (value.folders === undefined || isTexts(value.folders)) &&
    Array.isArray(value.children) &&
    value.children.every(isChild) &&
    Array.isArray(value.intents) &&
    value.intents.every(isIntent)
  );
}

function isChild(value: unknown): value is LedgerChild {
  const { members = [], marker = '' } = asObject(value);
  const isKnown = isIdentity(value) && typeof marker === 'string';
  return isKnown && Array.isArray(members) && members.every(isIdentity);
}

function isIntent(value: unknown): value is LedgerIntent {
  return (
    isJsonObject(value) &&
    typeof value.marker === 'string' &&
    typeof value.executable === 'string' &&
    value.executable !== '' &&
    typeof value.at === 'number'
  );
}

/** Pids 0 and 1 address everything or the system; they are never a child of ours. */
function isIdentity(value: unknown): value is ProcessIdentity {
  return (
    isJsonObject(value) &&
    Number.isSafeInteger(value.pid) &&
    (value.pid as number) > 1 &&
    typeof value.start === 'string' &&
    value.start !== ''
  );
}
