/**
 * Starts the program behind `npx` without npm: one process instead of three and about 100 MB less per server. Only
 * what npm itself would run is taken; in any doubt the command runs as written.
 */
import * as path from 'node:path';
import * as semver from 'semver';
import type { HostEnvironment } from '../ports.js';
import {
  binaryOf,
  findInstalled,
  type InstalledPackage,
  isNodeScript,
} from './installedPackage.js';
import { npxCacheFolder } from './npmCache.js';
import { type NpxRequest, parseNpxCommand } from './npxCommand.js';

// how long a cached package answers for a tag such as `latest` before npm is asked again
const tagMaxAgeMs = 24 * 60 * 60 * 1000;

export interface LaunchedCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

interface NpxOptions {
  /** Default: the current time. */
  readonly now?: () => number;
  /** Whether a file may be opened. Default: every one. */
  readonly mayRead?: ((file: string) => Promise<boolean>) | undefined;
}

export interface NpxResolution {
  readonly request: LaunchedCommand;
  /** For the log: package, version and file. */
  readonly packageName: string;
  readonly version: string;
  readonly file: string;
}

/** `undefined`: run the launch as written. Never rejects. */
export async function resolveNpx(
  launch: LaunchedCommand,
  environment: HostEnvironment,
  { now = Date.now, mayRead = async () => true }: NpxOptions = {},
): Promise<NpxResolution | undefined> {
  const request = parseNpxCommand(launch.command, launch.args);
  // Windows starts packages through .cmd shims whose quoting npm knows better
  if (!request || environment.platform === 'win32') {
    return undefined;
  }
  try {
    const found =
      (await findLocal(request, launch.cwd, mayRead)) ??
      (await findCached(request, environment, now()));
    const file = found && binaryOf(found, request.binary);
    if (!found || !file || !(await mayRead(file))) {
      return undefined;
    }
    const start = (await isNodeScript(file))
      ? { command: 'node', args: [file, ...request.args] }
      : { command: file, args: request.args };
    return {
      request: { cwd: launch.cwd, ...start },
      packageName: request.packageName,
      version: found.version,
      file,
    };
  } catch {
    // unreadable folders and odd installations are npm's to explain
    return undefined;
  }
}

/** A dependency of the project wins, as with npx; a tag always means the registry. */
export async function findLocal(
  request: NpxRequest,
  cwd: string,
  mayRead: (file: string) => Promise<boolean> = async () => true,
): Promise<InstalledPackage | undefined> {
  if (isTag(request)) {
    return undefined;
  }
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    const nodeModules = path.join(folder, 'node_modules');
    const isReadable = await mayRead(path.join(nodeModules, request.packageName, 'package.json'));
    const found = isReadable ? await findInstalled(nodeModules, request.packageName) : undefined;
    if (found) {
      return satisfies(found, request) ? found : undefined;
    }
    if (path.dirname(folder) === folder) {
      return undefined;
    }
  }
}

async function findCached(
  request: NpxRequest,
  environment: HostEnvironment,
  now: number,
): Promise<InstalledPackage | undefined> {
  const folder = await npxCacheFolder(request.spec, environment);
  const found = await findInstalled(path.join(folder, 'node_modules'), request.packageName);
  if (!found) {
    return undefined;
  }
  const isFresh = now - found.installedAt < tagMaxAgeMs;
  return (isTag(request) ? isFresh : satisfies(found, request)) ? found : undefined;
}

function isTag({ range }: NpxRequest): boolean {
  return range !== '' && semver.validRange(range) === null;
}

function satisfies(found: InstalledPackage, { range }: NpxRequest): boolean {
  return range === '' || semver.satisfies(found.version, range);
}
