import * as path from 'node:path';
import { delay } from '../../base/async/cancellation.js';
import { isThere } from '../folderPath.js';
import type { HostEnvironment } from '../ports.js';
import { findInstalled } from './installedPackage.js';
import { npxCacheFolder } from './npmCache.js';
import { parseNpxCommand } from './npxCommand.js';
import { findLocal, type LaunchedCommand } from './resolveNpx.js';

const lookMs = 500;

/** A package that npm has to fetch before what was asked for can run. */
export interface MissingPackage {
  readonly packageName: string;
  /** In which npm will keep it. */
  readonly nodeModules: string;
  /** See `NpxRequest`. */
  readonly fetchArgs: readonly string[];
}

/** `undefined` when nothing has to be fetched, as far as can be known. Never rejects. */
export async function findMissingPackage(
  launch: LaunchedCommand,
  environment: HostEnvironment,
): Promise<MissingPackage | undefined> {
  const request = parseNpxCommand(launch.command, launch.args);
  if (!request) {
    return undefined;
  }
  const { packageName, spec, fetchArgs } = request;
  try {
    const nodeModules = path.join(await npxCacheFolder(spec, environment), 'node_modules');
    const found =
      (await findLocal(request, launch.cwd)) ?? (await findInstalled(nodeModules, packageName));
    return found ? undefined : { packageName, nodeModules, fetchArgs };
  } catch {
    // unreadable folders and odd installations are npm's to explain
    return undefined;
  }
}

/** Resolves once npm has installed the package with all that it needs; rejects when `signal` aborts. */
export async function untilInstalled(
  { packageName, nodeModules }: MissingPackage,
  signal: AbortSignal,
): Promise<void> {
  // npm writes this when everything else is in place
  const files = [path.join(nodeModules, '.package-lock.json'), path.join(nodeModules, packageName)];
  for (;;) {
    await delay(lookMs, signal);
    if ((await Promise.all(files.map(isThere))).every(Boolean)) {
      return;
    }
  }
}
