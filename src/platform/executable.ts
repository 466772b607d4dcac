import { access, constants, lstat, stat } from 'node:fs/promises';
import * as path from 'node:path';
import { errorCode } from '../base/errors.js';

export interface ExecutableSearch {
  /** Value of PATH. */
  readonly path: string;
  /** Absolute; commands with a slash are relative to it. */
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
  /** Value of PATHEXT, on Windows. */
  readonly pathExt?: string | undefined;
  /** Default: looks at whatever is there. */
  readonly inspect?: Inspect | undefined;
}

/** `hidden`: it may not be looked at. */
export type Inspect = (file: string) => Promise<'executable' | 'file' | 'nothing' | 'hidden'>;

export type ExecutableResolution =
  | { readonly kind: 'found'; readonly path: string }
  /** A file is there, but may not be executed. */
  | { readonly kind: 'not_executable'; readonly path: string }
  | { readonly kind: 'not_found'; readonly searched: readonly string[] }
  /** The search came to a file that may not be looked at. */
  | { readonly kind: 'hidden'; readonly path: string };

/** Finds what a shell would run for `command`. Never rejects. */
export async function resolveExecutable(
  command: string,
  search: ExecutableSearch,
): Promise<ExecutableResolution> {
  const api = search.platform === 'win32' ? path.win32 : path.posix;
  const hasFolder = /[/\\]/.test(
    search.platform === 'win32' ? command : command.replaceAll('\\', ''),
  );
  const folders = hasFolder
    ? [api.dirname(api.resolve(search.cwd, command))]
    : foldersOnPath(search.path, search.platform);
  const base = hasFolder ? api.basename(command) : command;
  const look: Inspect = search.inspect ?? ((file) => inspectFile(file, search.platform));
  let forbidden: string | undefined;
  for (const folder of folders) {
    for (const name of candidateNames(base, search)) {
      const candidate = api.resolve(search.cwd, folder, name);
      const verdict = await look(candidate);
      if (verdict === 'executable') {
        return { kind: 'found', path: candidate };
      }
      if (verdict === 'hidden') {
        return { kind: 'hidden', path: candidate };
      }
      forbidden ??= verdict === 'file' ? candidate : undefined;
    }
  }
  return forbidden === undefined
    ? { kind: 'not_found', searched: folders }
    : { kind: 'not_executable', path: forbidden };
}

/** Windows starts it by itself, without a shell that reads its arguments. */
export function isWindowsProgram(file: string): boolean {
  return /\.(?:com|exe)$/i.test(file);
}

/** @param text value of PATH */
export function foldersOnPath(text: string, platform: NodeJS.Platform): readonly string[] {
  // on Windows a folder may stand in quotation marks
  const folders = platform === 'win32' ? text.replaceAll('"', '').split(';') : text.split(':');
  return folders.filter((folder) => folder !== '');
}

/** A bare name is looked up in folders that the user chose; a colon names a drive or a stream on Windows. */
export function isUsersProgram(
  command: string,
  folders: readonly string[],
): (file: string) => boolean {
  const isBare = !/[/\\:]/.test(command) && !/^\.+$/.test(command);
  const chosen = new Set(folders.map((folder) => path.resolve(folder)));
  return (file) => isBare && chosen.has(path.dirname(file));
}

function candidateNames(name: string, search: ExecutableSearch): readonly string[] {
  if (search.platform !== 'win32') {
    return [name];
  }
  const extensions = (search.pathExt ?? '.COM;.EXE;.BAT;.CMD')
    .split(';')
    .filter((item) => item !== '');
  const hasKnownExtension = extensions.some((item) =>
    name.toLowerCase().endsWith(item.toLowerCase()),
  );
  return hasKnownExtension ? [name] : extensions.map((item) => name + item.toLowerCase());
}

/** @param files what tells of the disk; tests replace it */
export async function inspectFile(
  file: string,
  platform: NodeJS.Platform,
  files = { access, lstat, stat },
): Promise<'executable' | 'file' | 'nothing'> {
  try {
    if (!(await files.stat(file)).isFile()) {
      return 'nothing';
    }
  } catch (error) {
    // programs of the store of Windows are links that only the system itself follows
    const isLink =
      platform === 'win32' &&
      errorCode(error) !== 'ENOENT' &&
      (await files.lstat(file).catch(() => undefined))?.isSymbolicLink();
    // else it is not there, or in a folder that may not be read
    return isLink ? 'executable' : 'nothing';
  }
  try {
    await files.access(file, platform === 'win32' ? constants.F_OK : constants.X_OK);
    return 'executable';
  } catch {
    // no permission to execute
    return 'file';
  }
}
