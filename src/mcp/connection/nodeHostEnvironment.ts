import { homedir } from 'node:os';
import * as path from 'node:path';
import type { HostEnvironment } from '../ports.js';
import { askLoginShellPath } from './loginShell.js';

export interface NodeHostEnvironmentOptions {
  /** Where the user's files are looked up. Default: the user's home folder. */
  readonly homeDir?: string;
  /** Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Default: `process.platform`. */
  readonly platform?: NodeJS.Platform;
  /** Milliseconds. Default 5 000. */
  readonly loginShellTimeoutMs?: number;
}

const defaultLoginShellTimeoutMs = 5000;

/** The machine as Node sees it. */
export function createNodeHostEnvironment(
  options: NodeHostEnvironmentOptions = {},
): HostEnvironment {
  const env = options.env ?? process.env;
  const platform = options.platform ?? process.platform;
  let loginPath: Promise<string> | undefined;

  function allVariables(): Record<string, string> {
    return Object.fromEntries(
      Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
  }

  async function readLoginPath(): Promise<string> {
    const own = env.PATH ?? '';
    const shell = env.SHELL;
    if (platform === 'win32' || !shell) {
      return own;
    }
    const answer = await askLoginShellPath(
      shell,
      allVariables(),
      // not `--home`: the shell is the user's own
      env.HOME || homedir(),
      options.loginShellTimeoutMs ?? defaultLoginShellTimeoutMs,
    );
    return answer === undefined ? own : joinPaths(answer, own);
  }

  return {
    platform,
    homeDir: options.homeDir ?? homedir(),
    getVariable: (name) => env[name],
    allVariables,
    loginShellPath: () => {
      loginPath ??= readLoginPath();
      return loginPath;
    },
  };
}

/** The folders of `first`, then those of `second` that it lacks, such as a remote server's own. */
function joinPaths(first: string, second: string): string {
  const folders = [...first.split(path.delimiter), ...second.split(path.delimiter)];
  return [...new Set(folders.filter((folder) => folder !== ''))].join(path.delimiter);
}
