import { execFile } from 'node:child_process';
import { lstat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { resolveExecutable } from '../../platform/executable.js';
import type { HostEnvironment } from '../../platform/ports.js';
import { isWithin } from '../../platform/withinFolder.js';
import { value, type WordedText, words } from './wordedText.js';

/** As git tells it; none of it can be relied upon. */
export interface LastCommit {
  readonly hash: string;
  /** Such as `2026-01-31`. */
  readonly date: string;
  readonly author: string;
  readonly subject: string;
}

export function commitWords({ hash, date, author, subject }: LastCommit): WordedText {
  const [first, ...others] = [hash, date, author, subject].map(value);
  return [...(first ?? []), ...others.flatMap((text) => [...words(', '), ...text])];
}

const timeoutMs = 5000;
const maxBytes = 64 * 1024;

/**
 * Nothing that a repository's own configuration can name is run: no monitor, hook, pager, signature check, difference
 * or transport, and no object is fetched.
 */
const options = [
  '--no-pager',
  '--no-optional-locks',
  '--no-replace-objects',
  '--literal-pathspecs',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'core.pager=cat',
  '-c',
  'log.showSignature=false',
  '-c',
  'log.mailmap=false',
  '-c',
  'protocol.allow=never',
];
const command = [
  'log',
  '-1',
  '--no-show-signature',
  '--no-mailmap',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--no-decorate',
  '--no-notes',
  '--no-patch',
  '--format=%h%x00%cs%x00%an%x00%s',
];

/**
 * The commit that changed a file of the folder last. `undefined` without git, when the folder itself is no repository,
 * or when git takes too long. Only for a trusted workspace.
 */
export async function lastCommit(
  folder: string,
  file: string,
  environment: HostEnvironment,
): Promise<LastCommit | undefined> {
  const path = relative(folder, file);
  if (!isWithin(folder, file)) {
    return undefined;
  }
  const isRepository = await lstat(join(folder, '.git')).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  const git = isRepository ? await findGit(folder, environment) : undefined;
  const output = git && (await run(git, [...options, ...command, '--', path], folder, environment));
  const [hash, date, author, subject] = (output ?? '').trimEnd().split('\0');
  return hash && date !== undefined && author !== undefined && subject !== undefined
    ? { hash, date, author, subject }
    : undefined;
}

/** Never a program of the folder. */
async function findGit(folder: string, environment: HostEnvironment): Promise<string | undefined> {
  const found = await resolveExecutable('git', {
    path: await environment.loginShellPath(),
    cwd: environment.homeDir,
    platform: environment.platform,
    pathExt: environment.platform === 'win32' ? '.EXE' : undefined,
  });
  return found.kind === 'found' && !isWithin(folder, found.path) ? found.path : undefined;
}

/** Never rejects. */
function run(
  git: string,
  args: readonly string[],
  cwd: string,
  environment: HostEnvironment,
): Promise<string | undefined> {
  const env = {
    PATH: dirname(git),
    HOME: environment.homeDir,
    // no repository around the folder is asked, no password, no server
    GIT_CEILING_DIRECTORIES: dirname(cwd),
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_PAGER: 'cat',
  };
  return new Promise((done) => {
    execFile(
      git,
      args,
      {
        cwd,
        env,
        timeout: timeoutMs,
        maxBuffer: maxBytes,
        killSignal: 'SIGKILL',
        windowsHide: true,
      },
      (error, stdout) => done(error ? undefined : stdout),
    );
  });
}
