/**
 * What tells a folder from another one that stands at the same path later: the origin of its git repository, else which
 * directory it is on its disk. A clone that was deleted and made anew is the same; a directory that was is not.
 */
import { type BigIntStats, lstatSync, statSync } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readTextFile, readTextFileSync } from './boundedFile.js';

/** Such as `git:github.com/owner/name`, or `directory:<device>:<inode>:<time of birth>`. */
export type FolderIdentity = string;

export const gitPrefix = 'git:';
export const directoryPrefix = 'directory:';
const maxConfigBytes = 256 * 1024;
const maxOrigin = 2000;

/** What stands at a path now. Runs nothing and leaves the folder by no link. */
export interface FolderFacts {
  /** Of its git repository. */
  readonly origin: string | undefined;
  /** `undefined`: it is gone, or may not be read. */
  readonly directory: FolderIdentity | undefined;
}

export async function lookAtFolder(folder: string): Promise<FolderFacts> {
  const { directory, file } = gitPlaces(folder);
  // a link, or the file of a work tree, would lead out of the folder
  const isRepository = async () =>
    (await lstat(directory)).isDirectory() && (await lstat(file)).isFile();
  const [origin, found] = await Promise.all([
    isRepository()
      .then(async (is) => (is ? originOf(await readTextFile(file, maxConfigBytes)) : undefined))
      .catch(() => undefined),
    stat(folder, { bigint: true }).catch(() => undefined),
  ]);
  return { origin, directory: found && directoryIdentity(found) };
}

/** As {@link lookAtFolder}, for who must not wait between the look and what it decides. */
export function lookAtFolderSync(folder: string): FolderFacts {
  return { origin: gitOrigin(folder), directory: directoryNow(folder) };
}

/** `undefined`: nothing is known about it, such as of a folder that is not there. */
export function identityOf({ origin, directory }: FolderFacts): FolderIdentity | undefined {
  return origin === undefined ? directory : gitPrefix + origin;
}

/** Whether it is the folder that the identity was taken of. */
export function hasIdentity(facts: FolderFacts, identity: FolderIdentity | undefined): boolean {
  if (identity === undefined) {
    return false;
  }
  // a directory may have become a repository meanwhile
  return identity.startsWith(gitPrefix)
    ? identity === identityOf(facts)
    : isSameDirectory(identity, facts.directory);
}

function directoryNow(folder: string): FolderIdentity | undefined {
  try {
    return directoryIdentity(statSync(folder, { bigint: true }));
  } catch {
    // gone, or it may not be read
    return undefined;
  }
}

function directoryIdentity({ dev, ino, birthtimeNs, ctimeNs }: BigIntStats): FolderIdentity {
  // numbers are given out again; where the disk keeps no time of birth, there is that of the last change in its place
  const born = birthtimeNs === ctimeNs ? '' : `:${birthtimeNs}`;
  return `${directoryPrefix}${dev}:${ino}${born}`;
}

/** A time of birth counts where it was known. */
function isSameDirectory(recorded: FolderIdentity, now: FolderIdentity | undefined): boolean {
  return now === recorded || now?.split(':').slice(0, 3).join(':') === recorded;
}

function gitPlaces(folder: string) {
  const directory = join(folder, '.git');
  return { directory, file: join(directory, 'config') };
}

function gitOrigin(folder: string): string | undefined {
  const { directory, file } = gitPlaces(folder);
  try {
    return lstatSync(directory).isDirectory() && lstatSync(file).isFile()
      ? originOf(readTextFileSync(file, maxConfigBytes))
      : undefined;
  } catch {
    // no repository, or one that cannot be read
    return undefined;
  }
}

function originOf(text: string): string | undefined {
  const url = originUrl(text);
  return url === undefined ? undefined : comparableOrigin(url);
}

/** The first `url` of `[remote "origin"]` in the text of a git configuration; what it includes is not read. */
export function originUrl(text: string): string | undefined {
  let isOrigin = false;
  for (const written of text.split('\n')) {
    const line = written.trim();
    if (line.startsWith('[')) {
      const [header = ''] = line.slice(1).split(']', 1);
      isOrigin = /^remote[ \t]{1,20}"origin"$/i.test(header) && header.includes('"origin"');
    } else if (isOrigin) {
      const at = line.indexOf('=');
      if (at > 0 && line.slice(0, at).trim().toLowerCase() === 'url') {
        return unquoted(line.slice(at + 1).trim());
      }
    }
  }
  return undefined;
}

function unquoted(text: string): string | undefined {
  const isQuoted = text.length > 1 && text.startsWith('"') && text.endsWith('"');
  const value = isQuoted ? text.slice(1, -1) : text;
  return value === '' || value.length > maxOrigin ? undefined : value;
}

/** The same for every way to reach a repository, and without the name or token that it is reached with. */
export function comparableOrigin(url: string): string {
  const scheme = url.indexOf('://');
  const address = scheme < 0 ? url : url.slice(scheme + 3);
  const slash = address.indexOf('/');
  const colon = address.indexOf(':');
  // git's short form `user@host:path`; a path of this machine begins otherwise
  const isShort = scheme < 0 && colon > 1 && (slash < 0 || colon < slash);
  if (scheme < 0 && !isShort) {
    return url;
  }
  const end = isShort ? colon : slash < 0 ? address.length : slash;
  const authority = address.slice(0, end);
  const host = authority.slice(authority.lastIndexOf('@') + 1).toLowerCase();
  const path = trimSlashes(address.slice(end + 1));
  return `${host}/${path.endsWith('.git') ? path.slice(0, -4) : path}`;
}

function trimSlashes(text: string): string {
  let [start, end] = [0, text.length];
  while (text[start] === '/') {
    start++;
  }
  while (end > start && text[end - 1] === '/') {
    end--;
  }
  return text.slice(start, end);
}
