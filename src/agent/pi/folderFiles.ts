/** Reads what a folder offers to an agent. No link leads out of the folder, and nothing is read without a bound. */
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { errorCode, errorMessage } from '../../base/errors.js';
import { addAll } from '../../base/lists.js';
import { stripByteOrderMark } from '../../config/parse/jsonDocument.js';
import { readTextFile } from '../../platform/boundedFile.js';
import { realPathInFolder } from '../../platform/folderPath.js';

/** Bytes. Far more than instructions that a model reads with every request should have. */
const maxInstructionBytes = 256 * 1024;

const maxDepth = 6;
const maxEntries = 2_000;

export interface FolderEntry {
  /** As reached from the folder; links inside of the folder may be on the way. */
  readonly path: string;
  readonly isDirectory: boolean;
}

/** One look at a folder. */
export class FolderFiles {
  private readonly sentences: string[] = [];
  private entriesLeft = maxEntries;

  /** What was there and not taken, one sentence each. */
  get refused(): readonly string[] {
    return this.sentences;
  }

  /** `undefined` when there is no such file or it is refused. @param folder its boundary */
  read(folder: string, path: string): Promise<string | undefined> {
    return this.attempt(() => readInFolder(folder, path));
  }

  /** A file of the user, which may be a link to anywhere. `undefined`: see {@link read}. */
  readOwn(path: string): Promise<string | undefined> {
    return this.attempt(async () =>
      stripByteOrderMark(await readTextFile(path, maxInstructionBytes)),
    );
  }

  /** Sorted by name; empty when there is no such directory or it is refused. @param folder its boundary */
  async list(folder: string, directory: string): Promise<readonly FolderEntry[]> {
    const names = await this.attempt(async () =>
      readdir(await realPathInFolder(folder, directory)),
    );
    const looked = (names ?? []).sort().slice(0, this.entriesLeft);
    this.entriesLeft -= looked.length;
    const found = looked.map((name) => this.entryAt(folder, join(directory, name)));
    return (await Promise.all(found)).filter((entry) => entry !== undefined);
  }

  /** Every file below the directory that `accepts` takes. Where it takes one of a directory, no other is looked at. */
  async findSkills(
    folder: string,
    directory: string,
    accepts: AcceptSkill,
    depth = 0,
  ): Promise<string[]> {
    const entries = await this.list(folder, directory);
    const main = entries.find(({ path }) => basename(path) === 'SKILL.md');
    if (main && !main.isDirectory) {
      return [main.path];
    }
    const found: string[] = [];
    for (const { path, isDirectory } of entries) {
      const name = basename(path);
      if (name.startsWith('.') || name === 'node_modules') {
        continue;
      }
      if (!isDirectory && name.endsWith('.md') && accepts(depth)) {
        found.push(path);
      } else if (isDirectory && depth < maxDepth) {
        addAll(found, await this.findSkills(folder, path, accepts, depth + 1));
      }
    }
    return found;
  }

  private entryAt(folder: string, path: string): Promise<FolderEntry | undefined> {
    return this.attempt(async () => {
      const stats = await stat(await realPathInFolder(folder, path));
      return stats.isDirectory() || stats.isFile()
        ? { path, isDirectory: stats.isDirectory() }
        : undefined;
    });
  }

  private async attempt<T>(action: () => Promise<T>): Promise<T | undefined> {
    try {
      return await action();
    } catch (error) {
      if (!['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) {
        this.sentences.push(errorMessage(error));
      }
      return undefined;
    }
  }
}

/** Whether Markdown files count so many directories below the first. */
export type AcceptSkill = (depth: number) => boolean;

async function readInFolder(folder: string, path: string): Promise<string> {
  const real = await realPathInFolder(folder, path);
  const text = await readTextFile(real, maxInstructionBytes);
  // a link may have come into the way meanwhile
  await realPathInFolder(folder, real);
  return stripByteOrderMark(text);
}

/** The folder and all above it, innermost first. */
export function foldersFrom(folder: string): readonly string[] {
  const above = dirname(resolve(folder));
  return above === resolve(folder) ? [above] : [resolve(folder), ...foldersFrom(above)];
}
