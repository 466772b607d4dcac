/** What the lint rules may learn about this machine. Looks, but runs nothing except the user's own login shell. */
import { readdir, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { resolveExecutable } from '../../connection/executable.js';
import type { WorkspaceFolder } from '../../mcpTypes.js';
import type { HostEnvironment } from '../../ports.js';
import { expandHome } from '../configLocations.js';
import type { ParsedEntry } from '../configTypes.js';
import { parseTemplate } from '../variables.js';
import { isIgnoredByGit } from './gitIgnored.js';
import type { CommandSearch, LintSurroundings } from './lintTypes.js';

export interface MachineOptions {
  readonly environment: HostEnvironment;
  /** The folder whose file is checked; `undefined` for a file of the user. */
  readonly folder: WorkspaceFolder | undefined;
  /** False in Restricted Mode: then no shell is asked for its PATH and no executable is looked up. */
  readonly isTrusted: boolean;
}

/** Answers are remembered: make new surroundings for every run over a file. */
export function machineSurroundings(options: MachineOptions): LintSurroundings {
  const { environment, folder, isTrusted } = options;
  const searches = new Map<string, Promise<CommandSearch>>();
  return {
    isVariableSet: (name) => environment.getVariable(name) !== undefined,
    isDirectory: (path) => isDirectory(path),
    // patterns that a repository brings along are not run before it is trusted
    isIgnoredByGit: async (path) => isTrusted && isIgnoredByGit(path, environment.homeDir),
    cwdOf: (entry) => workingDirectory(entry, folder, environment.homeDir),
    findCommand: (command, cwd) => {
      if (!isTrusted) {
        return Promise.resolve({ isFound: true, searchedCount: 0 });
      }
      const key = JSON.stringify([command, cwd]);
      const search = searches.get(key) ?? findCommand(command, cwd, environment);
      searches.set(key, search);
      return search;
    },
  };
}

/** Where the entry will run; `undefined` while that depends on the environment. */
export function workingDirectory(
  { launch }: Pick<ParsedEntry, 'launch'>,
  folder: WorkspaceFolder | undefined,
  homeDir: string,
): string | undefined {
  const base = folder ? folder.fsPath : homeDir;
  if (launch?.kind !== 'stdio' || base === undefined || launch.cwd === undefined) {
    return base;
  }
  const places: Readonly<Record<string, string>> = { workspaceFolder: base, userHome: homeDir };
  let path = '';
  for (const part of parseTemplate(launch.cwd)) {
    const text = part.kind === 'text' ? part.text : places[part.variable.name];
    if (text === undefined) {
      return undefined;
    }
    path += text;
  }
  const isHome = path === '~' || /^~[/\\]/.test(path);
  const expanded = isHome ? expandHome(path, homeDir) : path;
  return isAbsolute(expanded) ? expanded : resolve(base, expanded);
}

async function findCommand(
  command: string,
  cwd: string,
  environment: HostEnvironment,
): Promise<CommandSearch> {
  const { platform, homeDir } = environment;
  const written = /^~[/\\]/.test(command) ? expandHome(command, homeDir) : command;
  const path = await environment.loginShellPath();
  const pathExt = environment.getVariable('PATHEXT');
  const search = { cwd, platform, pathExt };
  const found = await resolveExecutable(written, { ...search, path });
  const searchedCount = path.split(delimiter).filter((folder) => folder !== '').length;
  if (found.kind === 'found') {
    return { isFound: true, searchedCount };
  }
  const usual = (await usualFolders(cwd, homeDir)).join(delimiter);
  const elsewhere = await resolveExecutable(written, { ...search, path: usual });
  return elsewhere.kind === 'found'
    ? { isFound: false, elsewhere: elsewhere.path, searchedCount }
    : { isFound: false, searchedCount };
}

/** Where programs are often installed without being on the PATH. */
async function usualFolders(cwd: string, homeDir: string): Promise<readonly string[]> {
  const nodeVersions = join(homeDir, '.nvm', 'versions', 'node');
  const versions = await readdir(nodeVersions).catch(() => []);
  return [
    join(cwd, 'node_modules', '.bin'),
    join(cwd, '.venv', 'bin'),
    ...['.local/bin', '.cargo/bin', '.bun/bin', '.deno/bin', '.volta/bin'].map((folder) =>
      join(homeDir, folder),
    ),
    '/usr/local/bin',
    '/opt/homebrew/bin',
    ...versions.map((version) => join(nodeVersions, version, 'bin')).reverse(),
  ];
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    // not there, or in a folder that may not be read
    return false;
  }
}
