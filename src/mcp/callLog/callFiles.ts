/** The log of calls on the disk: for each folder a directory, in it a file a day. Several windows write to it. */
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../base/errors.js';
import { isJsonObject, parseJsonObject } from '../../base/json.js';
import { largest } from '../../base/lists.js';
import { folderKey, piAgentDir } from '../../config/parse/configLocations.js';
import { readFileLines, readTextFile } from '../../platform/boundedFile.js';
import type { HostEnvironment } from '../../platform/ports.js';
import { acquireFileLock } from '../../platform/stores/fileLock.js';
import { appendToFile, readFileIfAny, writeFileAtomic } from '../../platform/stores/storedFile.js';
import { type CallRecord, readCallLine } from './callRecord.js';

/** Bytes of all files together: 100 MiB, less what several windows write between two looks. */
const maxLogBytes = 96 * 1024 * 1024;
const dayMs = 86_400_000;
const longestDays = 3_650;
const keptName = 'keep.json';
/** No folder has such a key. */
const userKey = 'user';
const fileShape = /^(\d{4}-\d{2}-\d{2})\.jsonl$/;

interface DayFile {
  readonly path: string;
  readonly day: string;
  readonly size: number;
}

export interface CallFilter {
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** Paths of folders; `undefined` for the servers of the user. */
  readonly folders: readonly (string | undefined)[];
  /** Default: of all servers. */
  readonly server?: string | undefined;
  /** The newest of them. */
  readonly most: number;
}

export interface FoundCalls {
  /** Oldest first. */
  readonly calls: readonly CallRecord[];
  /** Lines that are no calls. */
  readonly skipped: number;
  /** There are older ones. */
  readonly isPart: boolean;
}

/** Beside the user's other files of Pi, where window and command line find them. */
export function callLogDirectory(environment: HostEnvironment): string {
  return join(piAgentDir(environment), 'pi-mcp', 'calls');
}

export class CallFiles {
  constructor(
    readonly directory: string,
    private readonly maxBytes = maxLogBytes,
  ) {}

  /** What the setting of the user says, for processes that do not see it; 0 for what is no number of days. */
  async readKeepDays(): Promise<number> {
    const text = await readFileIfAny(join(this.directory, keptName)).catch(() => undefined);
    const kept = text === undefined ? undefined : parseJsonObject(text);
    return isJsonObject(kept) ? daysOf(kept.keepDays) : 0;
  }

  /** Writes nothing where nothing was ever kept. */
  async storeKeepDays(days: number): Promise<void> {
    if (daysOf(days) !== (await this.readKeepDays())) {
      const path = join(this.directory, keptName);
      await writeFileAtomic(path, `${JSON.stringify({ keepDays: daysOf(days) })}\n`);
    }
  }

  /** @param folder path of the folder; `undefined`: of a server of the user. @param at milliseconds since the epoch */
  async append(folder: string | undefined, at: number, text: string): Promise<void> {
    const directory = this.directoryOf(folder);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await this.alone(() => appendToFile(join(directory, `${dayOf(at)}.jsonl`), text));
  }

  /** Removes what is too old, then the oldest until all fit. */
  async prune(keepDays: number, now: number): Promise<void> {
    const today = dayOf(now);
    const first = dayOf(now - daysOf(keepDays) * dayMs);
    await this.alone(async () => {
      const files = await this.list();
      let sum = files.reduce((bytes, { size }) => bytes + size, 0);
      const isGone = ({ day }: DayFile) => day < first || (day < today && sum > this.maxBytes);
      const left: DayFile[] = [];
      for (const file of files) {
        if (isGone(file)) {
          await rm(file.path, { force: true });
          sum -= file.size;
        } else {
          left.push(file);
        }
      }
      // of a single day: the newer half of the largest
      while (sum > this.maxBytes) {
        const size = largest(
          left.map((file) => file.size),
          0,
        );
        const at = left.findIndex((file) => file.size === size);
        const [file] = left.splice(at, 1);
        if (!file) {
          return;
        }
        sum -= size - (await keepNewerHalf(file));
      }
    });
  }

  /** Never rejects for a file that is gone or cannot be read. */
  async read({ since, folders, server, most }: CallFilter): Promise<FoundCalls> {
    const wanted = new Set(folders.map((folder) => this.directoryOf(folder)));
    const first = dayOf(since);
    const files = (await this.list())
      .filter(({ path, day }) => day >= first && wanted.has(join(path, '..')))
      .reverse();
    let skipped = 0;
    let isPart = false;
    let calls: CallRecord[] = [];
    for (const day of new Set(files.map((file) => file.day))) {
      const ofDay: CallRecord[] = [];
      for (const { path } of files.filter((file) => file.day === day)) {
        for await (const line of linesOf(path, this.maxBytes)) {
          const call = readCallLine(line);
          skipped += call || line.trim() === '' ? 0 : 1;
          const isWanted =
            call &&
            Date.parse(call.time) >= since &&
            (server === undefined || call.server === server);
          if (isWanted) {
            ofDay.push(call);
          }
        }
      }
      calls = [...ofDay.sort((a, b) => Date.parse(a.time) - Date.parse(b.time)), ...calls];
      if (calls.length > most) {
        calls = calls.slice(-most);
        isPart = true;
        break;
      }
    }
    return { calls, skipped, isPart };
  }

  private directoryOf(folder: string | undefined): string {
    return join(this.directory, folder === undefined ? userKey : folderKey(folder));
  }

  /** Oldest first. What is not named as ours is not looked at. */
  private async list(): Promise<readonly DayFile[]> {
    const files: DayFile[] = [];
    for (const key of await entriesOf(this.directory)) {
      const directory = join(this.directory, key.name);
      for (const entry of key.isDirectory() ? await entriesOf(directory) : []) {
        const [, day] = fileShape.exec(entry.name) ?? [];
        const path = join(directory, entry.name);
        const size = day !== undefined && entry.isFile() ? await sizeOf(path) : undefined;
        if (day !== undefined && size !== undefined) {
          files.push({ path, day, size });
        }
      }
    }
    return files.sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
  }

  /** No other process writes meanwhile. */
  private async alone(work: () => Promise<void>): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    const lock = await acquireFileLock(join(this.directory, '.lock'));
    try {
      await work();
    } finally {
      lock.release();
    }
  }
}

/** Whole days; what is no number of them keeps nothing. */
export function daysOf(value: unknown): number {
  return typeof value === 'number' && value >= 1 ? Math.min(Math.floor(value), longestDays) : 0;
}

/** UTC. */
function dayOf(at: number): string {
  return new Date(Math.max(0, at)).toISOString().slice(0, 10);
}

function entriesOf(directory: string) {
  return readdir(directory, { withFileTypes: true }).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') {
      return [];
    }
    throw error;
  });
}

function sizeOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ size }) => size,
    () => undefined,
  );
}

/** @returns bytes that are left */
async function keepNewerHalf({ path, size }: DayFile): Promise<number> {
  const text = await readTextFile(path, size * 2);
  const from = text.indexOf('\n', Math.floor(text.length / 2)) + 1;
  const rest = from === 0 ? '' : text.slice(from);
  await writeFileAtomic(path, rest);
  return Buffer.byteLength(rest);
}

async function* linesOf(path: string, maxBytes: number): AsyncGenerator<string> {
  try {
    yield* readFileLines(path, maxBytes);
  } catch {
    // removed meanwhile, or not ours to read
  }
}
