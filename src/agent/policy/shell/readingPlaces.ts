/** What has to be known about a folder before commands that read it run without a question. */
import { lstat, readdir } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { readBinaryFile, readTextFile } from '../../../platform/boundedFile.js';
import { resolveExecutable } from '../../../platform/executable.js';
import { realPath } from '../../../platform/realPath.js';
import { isWithin } from '../../../platform/withinFolder.js';
import type { ShellCommand } from './shellCommand.js';

export interface ReadingPlaces {
  /** Bare names that the shell knows itself, or that PATH finds outside of the folder, whatever the folder holds. */
  readonly programs: ReadonlySet<string>;
  /** The folder is the top of a repository in which nothing makes git start a program. */
  readonly isPlainRepository: boolean;
}

/** The shell's own: there is no program to look for. */
const builtIns: ReadonlySet<string> = new Set('cd echo false pwd true'.split(' '));

/** Nothing is known, so nothing runs without a question. */
export const noReadingPlaces: ReadingPlaces = { programs: new Set(), isPlainRepository: false };

/** @param path value of PATH that the shell gets */
export async function findReadingPlaces(
  commands: readonly ShellCommand[],
  folder: string,
  path: string,
): Promise<ReadingPlaces> {
  const names = new Set(commands.flatMap(({ words: [program] }) => program?.value ?? []));
  const programs = new Set<string>();
  for (const name of names) {
    if (builtIns.has(name) || (/^\w+$/.test(name) && (await isOfMachine(name, folder, path)))) {
      programs.add(name);
    }
  }
  return { programs, isPlainRepository: names.has('git') && (await isPlain(folder)) };
}

async function isOfMachine(name: string, folder: string, path: string): Promise<boolean> {
  const found = await resolveExecutable(name, { path, cwd: folder, platform: process.platform });
  if (found.kind !== 'found') {
    return false;
  }
  const root = await realPath(folder);
  for (const one of path.split(delimiter)) {
    // an empty one is the folder in which the command runs
    if (!isAbsolute(one) || isWithin(root, await realPath(one))) {
      return false;
    }
    if (join(one, name) === found.path) {
      return !isWithin(root, await realPath(found.path));
    }
  }
  return false;
}

const maxConfigBytes = 64 * 1024;
const maxIndexBytes = 32 * 1024 * 1024;
/** Mode of an entry of the index that is a repository of its own, whose configuration git would read. */
const repositoryMode = Buffer.from([0x00, 0x00, 0xe0, 0x00]);
/** They bring in another configuration, or start something when the index is written. */
const isStrange = (name: string) =>
  /^(?:commondir|config\.worktree|modules|sharedindex\..*)$/.test(name);

/** Settings of a repository that start nothing and lead nowhere else. */
const inert =
  /^(?:core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|abbrev|quotepath|longpaths)|remote\.(?:url|fetch|pushurl|tagopt|prune)|branch\.[\w-]+|user\.(?:name|email|signingkey)|init\.defaultbranch|pull\.(?:rebase|ff)|push\.(?:default|autosetupremote)|fetch\.prune|gc\.auto|rerere\.enabled|color\.[\w-]+|commit\.gpgsign)$/;

/**
 * Whether git, asked to read, starts nothing for it: no program, filter, hook, pager or transport, no look into another
 * repository. Everything that is not known to be inert counts as a start.
 */
async function isPlain(folder: string): Promise<boolean> {
  const git = join(folder, '.git');
  try {
    const [found, names, leadsAway, ...others] = await Promise.all([
      lstat(git),
      readdir(git),
      hasLinks([git, join(git, 'objects'), join(git, 'objects', 'pack')]),
      isThere(join(git, 'objects', 'info', 'alternates')),
      isThere(join(folder, '.gitmodules')),
      isThere(join(git, 'hooks', 'post-index-change')),
    ]);
    if (!found.isDirectory() || leadsAway || others.includes(true) || names.some(isStrange)) {
      return false;
    }
    if (!isInertConfig(await readTextFile(join(git, 'config'), maxConfigBytes))) {
      return false;
    }
    const index = names.includes('index')
      ? await readBinaryFile(join(git, 'index'), maxIndexBytes)
      : Buffer.alloc(0);
    return !Buffer.from(index).includes(repositoryMode);
  } catch {
    // no repository, or not to be read
    return false;
  }
}

/** Whether a part of the repository may be elsewhere, where another one is. */
async function hasLinks(dirs: readonly string[]): Promise<boolean> {
  const all = await Promise.all(
    dirs.map((dir) => readdir(dir, { withFileTypes: true }).catch(() => [])),
  );
  return all.flat().some((entry) => entry.isSymbolicLink());
}

async function isThere(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && error.code !== 'ENOTDIR',
  );
}

/** Reads less than git does: a line of any other form is taken for one that starts something. */
export function isInertConfig(text: string): boolean {
  let section = '';
  return text.split(/\r?\n/).every((line) => {
    const trimmed = line.trim();
    if (trimmed === '' || /^[#;]/.test(trimmed)) {
      return true;
    }
    const header = /^\[([\w-]+)(?: "[^"\\]*")?\]$/.exec(trimmed);
    if (header) {
      section = header[1]?.toLowerCase() ?? '';
      return true;
    }
    const [, key] = /^([A-Za-z][\w-]*)\s*(?:=[^\\]*)?$/.exec(trimmed) ?? [];
    return key !== undefined && inert.test(`${section}.${key.toLowerCase()}`);
  });
}
