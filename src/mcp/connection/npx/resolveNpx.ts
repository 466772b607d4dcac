/**
 * Starts the program behind `npx` without npm: one process instead of three and about 100 MB less per server. Only
 * what npm itself would run is taken; in any doubt the command runs as written.
 */
import * as path from 'node:path';
import * as semver from 'semver';
import type { ResolvedStdioLaunch } from '../../mcpTypes.js';
import type { HostEnvironment } from '../../ports.js';
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

export interface NpxResolution {
  readonly launch: ResolvedStdioLaunch;
  /** For the log: package, version and file. */
  readonly packageName: string;
  readonly version: string;
  readonly file: string;
}

/** `undefined`: run the launch as written. Never rejects. */
export async function resolveNpx(
  launch: ResolvedStdioLaunch,
  environment: HostEnvironment,
  now: () => number = Date.now,
): Promise<NpxResolution | undefined> {
  const request = parseNpxCommand(launch.command, launch.args);
  // Windows starts packages through .cmd shims whose quoting npm knows better
  if (!request || environment.platform === 'win32') {
    return undefined;
  }
  try {
    const found =
      (await findLocal(request, launch.cwd)) ?? (await findCached(request, environment, now()));
    const file = found && binaryOf(found, request.binary);
    if (!found || !file) {
      return undefined;
    }
    const start = (await isNodeScript(file))
      ? { command: 'node', args: [file, ...request.args] }
      : { command: file, args: request.args };
    return {
      launch: { ...launch, ...start },
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
async function findLocal(request: NpxRequest, cwd: string): Promise<InstalledPackage | undefined> {
  if (isTag(request)) {
    return undefined;
  }
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    const found = await findInstalled(path.join(folder, 'node_modules'), request.packageName);
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
