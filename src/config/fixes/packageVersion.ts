/** Which exact version a package of a configuration file stands for. */
import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import { nameToken } from '../../base/text/nameToken.js';
import { pathInFolder } from '../../platform/folderPath.js';
import { findInstalled } from '../../platform/npx/installedPackage.js';
import { npxCacheFolder } from '../../platform/npx/npmCache.js';
import type { HostEnvironment } from '../../platform/ports.js';

const registryTimeLimitMs = 20_000;
const run = promisify(execFile);

/**
 * The version that would run now without the registry: of the project, else of npm's cache. Runs nothing.
 * @param within a folder outside of which no project is looked at. Default: every folder above is.
 */
export async function installedVersion(
  packageName: string,
  spec: string,
  cwd: string | undefined,
  environment: HostEnvironment,
  within?: string,
): Promise<string | undefined> {
  if (!isPackageName(packageName)) {
    return undefined;
  }
  for (let folder = cwd; folder !== undefined; folder = parentOf(folder)) {
    const manifest = join(folder, 'node_modules', packageName, 'package.json');
    if (within !== undefined && (await pathInFolder(within, manifest)).kind === 'outside') {
      continue;
    }
    const found = await findInstalled(join(folder, 'node_modules'), packageName);
    if (found) {
      return found.version;
    }
  }
  const cache = await npxCacheFolder(spec, environment);
  return (await findInstalled(join(cache, 'node_modules'), packageName))?.version;
}

/** Asks the user's npm for the newest version. @throws {HumanError} */
export async function latestVersion(
  packageName: string,
  environment: HostEnvironment,
  signal?: AbortSignal,
): Promise<string> {
  const view = npmViewArguments(packageName);
  const path = await environment.loginShellPath();
  signal?.throwIfAborted();
  try {
    // in the home folder: settings of the workspace must not decide which registry answers
    const { stdout } = await run('npm', view, {
      cwd: environment.homeDir,
      env: { ...environment.allVariables(), PATH: path },
      timeout: registryTimeLimitMs,
      // there npm is a script that only a shell runs
      shell: environment.platform === 'win32',
      signal,
    });
    const version = stdout.trim();
    if (/^\d+\.\d+\.\d+\S*$/.test(version)) {
      return version;
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw unknownVersion(packageName, error);
  }
  throw unknownVersion(packageName, undefined);
}

// no letter of these means anything to a shell, and none begins an option
const packageNamePattern = /^(?:@[a-z0-9~_][a-z0-9._~-]*\/)?[a-z0-9~_][a-z0-9._~-]*$/i;
const maxNameLength = 214;

/** The name is one that the registry gives out; anything else is an address, a path or an attack. */
export function isPackageName(name: string): boolean {
  return name.length <= maxNameLength && packageNamePattern.test(name);
}

/** Safe in a command line of any shell. @throws {HumanError} */
export function npmViewArguments(packageName: string): readonly string[] {
  if (!isPackageName(packageName)) {
    throw new HumanError(
      'package_name_unknown',
      l10n.t('"{0}" is not the name of a package.', nameToken(packageName)),
      { remedy: l10n.t('Check the name and the network, or write the version yourself.') },
    );
  }
  return ['view', `${packageName}@latest`, 'version'];
}

function unknownVersion(packageName: string, cause: unknown): HumanError {
  return new HumanError(
    'package_version_unknown',
    l10n.t('Its registry does not tell the newest version of {0}.', packageName),
    { remedy: l10n.t('Check the name and the network, or write the version yourself.'), cause },
  );
}

function parentOf(folder: string): string | undefined {
  const parent = dirname(folder);
  return parent === folder ? undefined : parent;
}
