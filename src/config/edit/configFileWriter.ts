/** The only code that writes configuration files: one writer at a time, compared before written, atomic. */
import { mkdir, readlink, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { errorCode, HumanError } from '../../base/errors.js';
import { realPathInFolder } from '../../platform/folderPath.js';
import { acquireFileLock, type FileLock } from '../../platform/stores/fileLock.js';
import { replaceFile } from '../../platform/stores/replacedFile.js';
import { readFileIfAny } from '../../platform/stores/storedFile.js';

export interface WriteOptions {
  /** A new file is readable by its owner alone. Default false. */
  readonly isPrivate?: boolean;
  /** Whether a file with this text is for the eyes of its owner alone, also where it was not before. Default: it is not. */
  readonly isSecret?: (text: string) => boolean;
  /** Others could read the file, and cannot any more. */
  readonly onDidClose?: () => void;
  /** A folder that is not left through links: what a repository links to is not its to change. Default: any link is followed. */
  readonly within?: string | undefined;
}

// another program may save in between; more often than this it is fighting us
const maxAttempts = 20;

/**
 * Reads the file (a missing one as empty text, which `edit` is told), lets `edit` change the text and writes the result: through symbolic
 * links, with the mode kept. An edit that changes nothing writes nothing.
 * @returns whether something was written.
 * @throws whatever `edit` throws, and {HumanError} when the file cannot be written.
 */
export async function rewriteFile(
  path: string,
  edit: (text: string, isNew: boolean) => string,
  options: WriteOptions = {},
): Promise<boolean> {
  try {
    const target = await (options.within === undefined
      ? followLinks(path)
      : realPathInFolder(options.within, path));
    await mkdir(dirname(target), {
      recursive: true,
      mode: options.isPrivate ? 0o700 : undefined,
    });
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const outcome = await attemptRewrite(target, edit, options);
      if (outcome !== 'disturbed') {
        return outcome === 'written';
      }
    }
  } catch (error) {
    throw readable(error, path);
  }
  throw new HumanError('config_busy', l10n.t('{0} is in use by another program.', path), {
    remedy: l10n.t('Wait a moment and try again.'),
  });
}

async function attemptRewrite(
  target: string,
  edit: (text: string, isNew: boolean) => string,
  options: WriteOptions,
): Promise<'written' | 'unchanged' | 'disturbed'> {
  const lock = await acquireFileLock(`${target}.lock`);
  try {
    const before = await readFileIfAny(target);
    const text = edit(before ?? '', before === undefined);
    if (text === before) {
      return 'unchanged';
    }
    return (await replaceText(target, { before, text, lock }, options)) ? 'written' : 'disturbed';
  } finally {
    lock.release();
  }
}

interface Replacement {
  /** `undefined`: there is no file. */
  readonly before: string | undefined;
  readonly text: string;
  readonly lock: FileLock;
}

/** @returns false when the file or the lock is no longer what the edit was made for. */
async function replaceText(
  target: string,
  { before, text, lock }: Replacement,
  options: WriteOptions,
): Promise<boolean> {
  const isWanted = async () => (await readFileIfAny(target)) === before && lock.isHeld();
  const newMode = options.isPrivate ? 0o600 : undefined;
  const isOpen = before !== undefined && (await isOpenToOthers(target));
  const closes = isOpen && (options.isSecret?.(text) ?? false);
  const modeMask = closes ? ownerOnly : undefined;
  const isWritten = await replaceFile(target, text, { isWanted, newMode, modeMask });
  if (isWritten && closes) {
    options.onDidClose?.();
  }
  return isWritten;
}

const ownerOnly = 0o7700;

async function isOpenToOthers(path: string): Promise<boolean> {
  // modes say nothing of who may read there
  return process.platform !== 'win32' && ((await stat(path)).mode & 0o077) !== 0;
}

/** Also a link that points to nothing yet leads to the place where its file will be. */
async function followLinks(path: string): Promise<string> {
  let current = resolve(path);
  for (let hops = 0; hops < 40; hops++) {
    const link = await readlink(current).catch(() => undefined);
    if (link === undefined) {
      return current;
    }
    current = resolve(dirname(current), link);
  }
  throw Object.assign(new Error('Too many links'), { code: 'ELOOP' });
}

function readable(error: unknown, path: string): unknown {
  const code = errorCode(error);
  if (error instanceof HumanError || code === undefined) {
    return error;
  }
  return new HumanError('config_unwritable', l10n.t('{0} cannot be written: {1}', path, code), {
    remedy: l10n.t('Check the permissions of the file.'),
    cause: error,
  });
}
