/** What the lint rules may learn about this machine. Looks, but runs nothing except the user's own login shell. */
import { readdir } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import {
  foldersOnPath,
  inspectFile,
  isUsersProgram,
  resolveExecutable,
} from '../../platform/executable.js';
import { isFolder, pathInFolder } from '../../platform/folderPath.js';
import type { HostEnvironment } from '../../platform/ports.js';
import type { WorkspaceFolder } from '../definition.js';
import { expandHome, withPlaces } from '../launch/places.js';
import type { ParsedEntry } from '../parse/configTypes.js';
import { projectRoot, userRoot } from '../roots/rootFolders.js';
import { isIgnoredByGit } from './gitIgnored.js';
import type { CommandSearch, LintSurroundings, OtherClient } from './lintTypes.js';

export interface MachineOptions {
  readonly environment: HostEnvironment;
  /** The folder whose file is checked; `undefined` for a file of the user. */
  readonly folder: WorkspaceFolder | undefined;
  /** False in Restricted Mode: then no shell is asked for its PATH, and nothing that a folder names is looked up. */
  readonly isTrusted: boolean;
  /** Default: none. */
  readonly clients?: ReadonlySet<OtherClient>;
  /** Whether the user agreed to the launch of a folder's entry, as it stands. Default: to none. */
  readonly isConsented?: (entry: ParsedEntry) => boolean;
}

/**
 * What a folder's file names is looked up inside of that folder alone, and bare names of programs where the user keeps
 * theirs, until the user agreed to the launch. Answers are remembered: make new surroundings for every run over a file.
 */
export function machineSurroundings(options: MachineOptions): LintSurroundings {
  const { folder, isConsented } = options;
  const guarded = surroundings(options, folder?.fsPath);
  const free = surroundings(options, undefined);
  return {
    ...guarded,
    forEntry: (entry) => (options.isTrusted && isConsented?.(entry) ? free : guarded),
  };
}

/** @param bound the folder that is not left; `undefined`: every place is free. */
function surroundings(options: MachineOptions, bound: string | undefined): LintSurroundings {
  const { environment, folder, isTrusted, clients } = options;
  const searches = new Map<string, Promise<CommandSearch>>();
  const mayLook = async (path: string) =>
    bound === undefined || (isTrusted && (await pathInFolder(bound, path)).kind === 'inside');
  const isDirectory = async (path: string) => !(await mayLook(path)) || isFolder(path);
  const { homeDir } = environment;
  return {
    isVariableSet: (name) => environment.getVariable(name) !== undefined,
    usesClient: (client) => clients?.has(client) ?? false,
    isDirectory,
    findRoot: async (written, isCommitted) => {
      const places = { folder: folder?.fsPath, homeDir };
      if (isCommitted) {
        return projectRoot(written, places, isDirectory);
      }
      const text = withPlaces(written, places);
      return text === undefined ? undefined : userRoot(text, places.folder ?? homeDir, homeDir);
    },
    // patterns that a repository brings along are not run before it is trusted
    isIgnoredByGit: async (path) => isTrusted && isIgnoredByGit(path, homeDir),
    cwdOf: (entry) => workingDirectory(entry, folder, homeDir),
    findCommand: (command, cwd) => {
      if (!isTrusted) {
        return Promise.resolve({ isFound: true, searchedCount: 0 });
      }
      const key = JSON.stringify([command, cwd]);
      const search = searches.get(key) ?? findCommand(command, cwd, { environment, mayLook });
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
  const path = withPlaces(launch.cwd, { folder: folder?.fsPath, homeDir });
  return path === undefined ? undefined : resolve(base, path);
}

async function findCommand(
  command: string,
  cwd: string,
  options: {
    readonly environment: HostEnvironment;
    readonly mayLook: (path: string) => Promise<boolean>;
  },
): Promise<CommandSearch> {
  const { environment, mayLook } = options;
  const { platform, homeDir } = environment;
  const written = /^~[/\\]/.test(command) ? expandHome(command, homeDir) : command;
  const path = await environment.loginShellPath();
  const folders = foldersOnPath(path, platform);
  const pathExt = environment.getVariable('PATHEXT');
  const search = { cwd, platform, pathExt };
  const ofUser = [...folders, ...(await usualFolders(homeDir))].filter((item) => isAbsolute(item));
  const isOfUser = isUsersProgram(written, ofUser);
  const inspect = async (file: string) =>
    isOfUser(file) || (await mayLook(file)) ? inspectFile(file, platform) : 'hidden';
  const found = await resolveExecutable(written, { ...search, path, inspect });
  const searchedCount = folders.length;
  // what may not be looked at may well be there
  if (found.kind === 'found' || found.kind === 'hidden') {
    return { isFound: true, searchedCount };
  }
  const usual = [...projectFolders(cwd), ...(await usualFolders(homeDir))].join(delimiter);
  const elsewhere = await resolveExecutable(written, {
    ...search,
    path: usual,
    inspect: async (file) => {
      const verdict = await inspect(file);
      return verdict === 'hidden' ? 'nothing' : verdict;
    },
  });
  return elsewhere.kind === 'found'
    ? { isFound: false, elsewhere: elsewhere.path, searchedCount }
    : { isFound: false, searchedCount };
}

/** Where a project installs programs. */
function projectFolders(cwd: string): readonly string[] {
  return [join(cwd, 'node_modules', '.bin'), join(cwd, '.venv', 'bin')];
}

/** Where users often install programs without their being on the PATH. */
async function usualFolders(homeDir: string): Promise<readonly string[]> {
  const nodeVersions = join(homeDir, '.nvm', 'versions', 'node');
  const versions = await readdir(nodeVersions).catch(() => []);
  return [
    ...['.local/bin', '.cargo/bin', '.bun/bin', '.deno/bin', '.volta/bin'].map((folder) =>
      join(homeDir, folder),
    ),
    '/usr/local/bin',
    '/opt/homebrew/bin',
    ...versions.map((version) => join(nodeVersions, version, 'bin')).reverse(),
  ];
}
