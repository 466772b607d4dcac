/** The changes of one conversation on disk: what happened, line by line, and what files held. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { Sequencer } from '../../base/async/sequencer.js';
import { parseJsonObject } from '../../base/json.js';
import { readFileLines } from '../../platform/boundedFile.js';
import { appendToFile } from '../../platform/stores/storedFile.js';
import { BlobStore, makeOwnFolder } from './blobs.js';
import {
  type ChangeEntry,
  type ChangeState,
  neededVersions,
  noChanges,
  readEntry,
  reduceChanges,
} from './changeState.js';
import { folderBeside, sizeOf } from './prune.js';

/** Bytes. */
const maxLogBytes = 32 * 1024 * 1024;

export const changesSuffix = '.changes';

/** Where the changes of a conversation are kept: beside its file, and gone with it. */
export function changesFolder(conversationFile: string): string {
  return folderBeside(conversationFile, changesSuffix);
}

/** Bytes on disk that the changes of a conversation take up. Never rejects. @param conversationFile absolute */
export async function changesSize(conversationFile: string): Promise<number> {
  return (await sizeOf(changesFolder(conversationFile))).bytes;
}

export class ChangeLog {
  private readonly writes = new Sequencer();
  private current: ChangeState = noChanges;
  readonly blobs: BlobStore;

  private constructor(private readonly directory: string) {
    this.blobs = new BlobStore(join(directory, 'blobs'), () => neededVersions(this.current));
  }

  /** Reads what is there; a line that was written in part is as none. */
  static async open(directory: string): Promise<ChangeLog> {
    const log = new ChangeLog(directory);
    try {
      if (!(await lstat(directory)).isDirectory()) {
        return log;
      }
      for await (const line of readFileLines(log.path, maxLogBytes)) {
        const entry = readEntry(parseJsonObject(line));
        log.current = entry ? reduceChanges(log.current, entry) : log.current;
      }
    } catch {
      // nothing was changed yet
    }
    return log;
  }

  get state(): ChangeState {
    return this.current;
  }

  /** Holds in memory even where the disk is full. @throws then */
  add(entry: ChangeEntry): Promise<void> {
    this.current = reduceChanges(this.current, entry);
    return this.writes.queue(() => this.append(entry));
  }

  private async append(entry: ChangeEntry): Promise<void> {
    await makeOwnFolder(this.directory);
    // a line that a crash cut off stays a line of its own
    await appendToFile(this.path, `\n${JSON.stringify(entry)}\n`);
  }

  private get path(): string {
    return join(this.directory, 'changes.jsonl');
  }
}
