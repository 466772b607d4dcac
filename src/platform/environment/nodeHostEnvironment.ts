import { homedir } from 'node:os';
import * as path from 'node:path';
import { definedValues } from '../../base/json.js';
import type { HostEnvironment } from '../ports.js';
import { findRipgrep } from '../process/ripgrep.js';
import { readVariable } from './childEnvironment.js';
import { askLoginShellPath, LoginShellPath } from './loginShell.js';

export interface NodeHostEnvironmentOptions {
  /** Where the user's files are looked up. Default: the user's home folder. */
  readonly homeDir?: string;
  /** Absolute; of the editor, if there is one. */
  readonly editorRoot?: string;
  /** Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Default: `process.platform`. */
  readonly platform?: NodeJS.Platform;
  /** Milliseconds for the first answer of the login shell; later tries get more. Default 5 000. */
  readonly loginShellTimeoutMs?: number;
  /** Milliseconds after a failure before the login shell is asked again; more after each. Default 30 000. */
  readonly loginShellRetryMs?: number;
}

/** The machine as Node sees it. */
export function createNodeHostEnvironment(
  options: NodeHostEnvironmentOptions = {},
): HostEnvironment {
  const env = options.env ?? process.env;
  const platform = options.platform ?? process.platform;
  const { loginShellTimeoutMs, loginShellRetryMs } = options;

  function allVariables(): Record<string, string> {
    return definedValues(env);
  }

  // a copy of the environment of Windows tells its names apart by case
  const getVariable = (name: string) =>
    env[name] ?? (platform === 'win32' ? readVariable(allVariables(), name, platform) : undefined);
  const shell = platform === 'win32' ? undefined : env.SHELL;
  // not `--home`: the shell is the user's own
  const shellHome = env.HOME || homedir();
  const loginPath = new LoginShellPath(
    async (timeoutMs) =>
      shell ? askLoginShellPath(shell, allVariables(), shellHome, timeoutMs) : undefined,
    { timeoutMs: loginShellTimeoutMs, retryMs: loginShellRetryMs },
  );

  let search: { readonly program: string | undefined } | undefined;

  return {
    platform,
    homeDir: options.homeDir ?? homedir(),
    getVariable,
    allVariables,
    searchProgram: () => {
      search ??= {
        program: findRipgrep({ appRoot: options.editorRoot, path: getVariable('PATH') }),
      };
      return search.program;
    },
    loginShellPath: async (isMissed) => {
      const own = getVariable('PATH') ?? '';
      const answer = await loginPath.read(isMissed);
      return answer === undefined ? own : joinPaths(answer, own);
    },
  };
}

/** The folders of `first`, then those of `second` that it lacks, such as a remote server's own. */
function joinPaths(first: string, second: string): string {
  const folders = [...first.split(path.delimiter), ...second.split(path.delimiter)];
  return [...new Set(folders.filter((folder) => folder !== ''))].join(path.delimiter);
}
