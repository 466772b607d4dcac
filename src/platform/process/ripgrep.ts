/** The search program that editors bring along, for the list of a folder's files. */
import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';

/** Where it lies below the root of the editor, newest first. */
function places(platform: string, arch: string): readonly string[] {
  const name = platform === 'win32' ? 'rg.exe' : 'rg';
  return ['node_modules', 'node_modules.asar.unpacked'].flatMap((modules) => [
    join(modules, '@vscode', 'ripgrep-universal', 'bin', `${platform}-${arch}`, name),
    join(modules, '@vscode', 'ripgrep', 'bin', name),
  ]);
}

/** @param appRoot absolute; of the editor. @returns its absolute path; `undefined`: the editor has none */
export async function findRipgrep(
  appRoot: string,
  { platform, arch }: Pick<NodeJS.Process, 'platform' | 'arch'> = process,
): Promise<string | undefined> {
  for (const place of places(platform, arch)) {
    const path = join(appRoot, place);
    if (
      await access(path, constants.X_OK).then(
        () => true,
        () => false,
      )
    ) {
      return path;
    }
  }
  return undefined;
}

export interface FileListing {
  /** Absolute. */
  readonly folder: string;
  /** Patterns of what is left out, beside what ignore files name. */
  readonly excluded: readonly string[];
  /** Files after which it ends. */
  readonly limit: number;
}

/** Characters of a path that a list has. */
const maxPathLength = 4_096;

/**
 * Lists the files below a folder, without links, as its ignore files want it. No settings of a user or folder have a say.
 * @returns paths relative to the folder, with `/`
 * @throws when it cannot be run
 */
export async function listFiles(
  program: string,
  { folder, excluded, limit }: FileListing,
): Promise<readonly string[]> {
  const globs = ['.git', ...excluded].map((pattern) => `--glob=!${pattern}`);
  const flags = [
    '--files',
    '--no-config',
    '--hidden',
    '--no-require-git',
    '--null',
    '--no-messages',
  ];
  const { SystemRoot } = process.env;
  const child = spawn(program, [...flags, ...globs, '--', '.'], {
    cwd: folder,
    env: SystemRoot === undefined ? {} : { SystemRoot },
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
  });
  return await new Promise((resolve, reject) => {
    const files: string[] = [];
    let rest = '';
    child.on('error', reject);
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (text: string) => {
      const parts = (rest + text).split('\0');
      rest = (parts.pop() ?? '').slice(0, maxPathLength);
      for (const path of parts) {
        if (files.length < limit && path.length <= maxPathLength) {
          files.push(path.replaceAll('\\', '/').replace(/^\.\//, ''));
        }
      }
      if (files.length >= limit) {
        child.kill();
      }
    });
    child.on('close', (code) => {
      // 1: no file, 2: some folder could not be read
      if (code !== null && code > 2) {
        reject(new Error(`ripgrep ended with ${code}`));
      } else {
        resolve(files);
      }
    });
  });
}
