import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import type { McpStdioLaunch, ResolvedStdioLaunch } from '../../config/definition.js';
import { readEnvFile } from '../../config/launch/envFile.js';
import type { FoundPath, LaunchFacts } from '../../config/launch/launchDescription.js';
import { withPlaces } from '../../config/launch/places.js';
import {
  createChildEnvironment,
  readVariable,
} from '../../platform/environment/childEnvironment.js';
import { findProgram, type Program } from '../../platform/environment/program.js';
import {
  type ExecutableResolution,
  foldersOnPath,
  type Inspect,
  inspectFile,
  isUsersProgram,
} from '../../platform/executable.js';
import { isThere, pathInFolder } from '../../platform/folderPath.js';
import { npmCacheFolder } from '../../platform/npx/npmCache.js';
import type { HostEnvironment } from '../../platform/ports.js';
import { realPath } from '../../platform/realPath.js';
import { isWithin } from '../../platform/withinFolder.js';

/** What is about to run, as facts to compare with those that were consented to. @param cwd absolute, links and all. */
export async function programFacts(
  program: Program,
  { cwd, envFile }: Pick<ResolvedStdioLaunch, 'cwd' | 'envFile'>,
  folder: string | undefined,
): Promise<LaunchFacts> {
  const follow = (path: string) => followPath(path, folder, true);
  const facts = await toFacts(program, await follow(resolve(cwd)), follow);
  if (!envFile) {
    return facts;
  }
  const { path, names, digest } = envFile;
  return { ...facts, envFile: { file: await follow(path), names, digest } };
}

/**
 * What would run, found before anybody consented: nothing is looked at because the repository names it, except in its
 * own folder. Bare names are looked up where the user's own shell would, packages in the user's npm cache.
 */
export async function findLaunchFacts(
  launch: McpStdioLaunch,
  folder: string,
  environment: HostEnvironment,
): Promise<LaunchFacts> {
  const places = { folder, homeDir: environment.homeDir };
  const found = await findEnvFile(launch, places);
  const facts = await findProgramFacts(launch, places, {
    environment,
    fileValues: found?.values ?? {},
  });
  return { ...facts, envFile: found?.facts };
}

interface Places {
  readonly folder: string;
  readonly homeDir: string;
}

/** Read only where it is a file of the folder itself. */
async function findEnvFile({ envFile }: McpStdioLaunch, places: Places) {
  if (envFile === undefined) {
    return undefined;
  }
  const { folder } = places;
  const text = withPlaces(envFile, places);
  if (text === undefined) {
    return { values: {}, facts: { file: unknownPath(envFile) } };
  }
  const file = await followPath(resolve(folder, text), folder, false);
  const real = file.leadsTo ?? file.path;
  const read = file.isInFolder ? await readEnvFile(real).catch(() => undefined) : undefined;
  return {
    values: read?.values ?? {},
    facts: { file, names: read?.names, digest: read?.digest },
  };
}

async function findProgramFacts(
  launch: McpStdioLaunch,
  places: Places,
  {
    environment,
    fileValues,
  }: {
    readonly environment: HostEnvironment;
    readonly fileValues: Readonly<Record<string, string>>;
  },
): Promise<LaunchFacts> {
  const { folder } = places;
  const cwdText = launch.cwd === undefined ? folder : withPlaces(launch.cwd, places);
  const command = withPlaces(launch.command, places);
  if (cwdText === undefined) {
    return { executable: unknownPath(launch.command), cwd: unknownPath(launch.cwd ?? '') };
  }
  const cwdPath = resolve(folder, cwdText);
  const cwd = await followPath(cwdPath, folder, false);
  const isInside = cwd.isInFolder && cwd.state === 'found';
  const isBare = command !== undefined && !/[/\\]/.test(command);
  if (command === undefined || (!isInside && !isBare && !isAbsolute(command))) {
    return { executable: unknownPath(launch.command), cwd };
  }
  const looks = await userLooks(
    { ...launch, env: { ...fileValues, ...launch.env } },
    { command, folder, environment },
  );
  const args = launch.args.map((arg) => withPlaces(arg, places) ?? arg);
  const realCwd = cwd.leadsTo ?? cwdPath;
  const env = await knownEnvironment(launch, fileValues, places, environment);
  const program = await findProgram(
    { command, args, cwd: realCwd },
    { ...looks, environment, env },
  );
  return toFacts(program, cwd, async (path) => followPath(path, folder, looks.isOfUser(path)));
}

async function toFacts(
  { executable, npx, request }: Program,
  cwd: FoundPath,
  follow: (path: string) => Promise<FoundPath>,
): Promise<LaunchFacts> {
  return {
    cwd,
    executable: await executablePath(executable, request.command, follow),
    package: npx && {
      name: npx.packageName,
      version: npx.version,
      file: await follow(npx.file),
    },
  };
}

async function executablePath(
  found: ExecutableResolution,
  command: string,
  follow: (path: string) => Promise<FoundPath>,
): Promise<FoundPath> {
  switch (found.kind) {
    case 'found':
    case 'not_executable':
    case 'hidden':
      return follow(found.path);
    case 'not_found': {
      const [only] = found.searched;
      return /[/\\]/.test(command) && only !== undefined
        ? { ...(await follow(resolve(only, command.replace(/^.*[/\\]/, '')))), state: 'missing' }
        : { path: command, isInFolder: false, state: 'missing' };
    }
  }
}

/** @param mayLookOutside nobody but the user decides where the path leads, or the user has consented. */
async function followPath(
  path: string,
  folder: string | undefined,
  mayLookOutside: boolean,
): Promise<FoundPath> {
  const root = folder === undefined ? undefined : await realPath(folder);
  const walk = folder === undefined ? undefined : await pathInFolder(folder, path);
  if (walk?.kind === 'inside') {
    const isMoved = ![folder, root].some(
      (base = '') =>
        isWithin(base, path) && relative(base, path) === relative(root ?? '', walk.path),
    );
    const state = (await isThere(walk.path)) ? 'found' : 'missing';
    return { path, isInFolder: true, leadsTo: isMoved ? walk.path : undefined, state };
  }
  const leadsTo = walk?.link === undefined ? {} : { leadsTo: walk.target };
  if (!mayLookOutside) {
    return { path, isInFolder: false, ...leadsTo, state: 'after_consent' };
  }
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined && root !== undefined && isWithin(root, real)) {
    return { path, isInFolder: true, leadsTo: real, state: 'found' };
  }
  return { path, isInFolder: false, ...leadsTo, state: real === undefined ? 'missing' : 'found' };
}

function unknownPath(written: string): FoundPath {
  return { path: written, isInFolder: false, state: 'after_consent' };
}

interface UserLooks {
  readonly inspect: Inspect;
  readonly mayRead: (file: string) => Promise<boolean>;
  /** The user, not the repository, decides that this path is looked at. */
  readonly isOfUser: (path: string) => boolean;
}

async function userLooks(
  launch: McpStdioLaunch,
  options: {
    readonly command: string;
    readonly folder: string;
    readonly environment: HostEnvironment;
  },
): Promise<UserLooks> {
  const { command, folder, environment } = options;
  const { platform } = environment;
  const hasOwnPath = readVariable(launch.env, 'PATH', platform) !== undefined;
  const shellPath = hasOwnPath ? '' : await environment.loginShellPath();
  const isProgram = isUsersProgram(command, foldersOnPath(shellPath, platform).filter(isAbsolute));
  const cache = resolve(await npmCacheFolder(environment));
  const isOfUser = (path: string) => isProgram(path) || isWithin(cache, path);
  const isInside = async (path: string) => (await pathInFolder(folder, path)).kind === 'inside';
  return {
    isOfUser,
    mayRead: async (file) => isWithin(cache, file) || isInside(file),
    inspect: async (file) =>
      isOfUser(file) || (await isInside(file)) ? inspectFile(file, platform) : 'hidden',
  };
}

/** As far as PATH and its like are known without reading anything for the entry. */
async function knownEnvironment(
  launch: McpStdioLaunch,
  fileValues: Readonly<Record<string, string>>,
  places: Places,
  environment: HostEnvironment,
): Promise<Readonly<Record<string, string>>> {
  const env = Object.entries(launch.env).map(([name, value]) => [
    name,
    withPlaces(value, places) ?? value,
  ]);
  return createChildEnvironment(environment, {
    ...launch,
    env: { ...fileValues, ...Object.fromEntries(env) },
  });
}
