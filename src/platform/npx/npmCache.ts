import { createHash } from 'node:crypto';
import * as path from 'node:path';
import { readTextFile } from '../boundedFile.js';
import type { HostEnvironment } from '../ports.js';

const maxConfigBytes = 1024 * 1024;

/**
 * The folder in which npm keeps what it installed for exactly this spec. The name is npm's own: the first 16 hex digits
 * of the SHA-512 of the specs, so that a copy which another package pulled in is never mistaken for the one asked for.
 */
export async function npxCacheFolder(spec: string, environment: HostEnvironment): Promise<string> {
  const hash = createHash('sha512').update(spec).digest('hex').slice(0, 16);
  return path.join(await npmCacheFolder(environment), '_npx', hash);
}

/** Absolute, unless the user wrote it otherwise. */
export async function npmCacheFolder(environment: HostEnvironment): Promise<string> {
  const fromEnvironment =
    environment.getVariable('npm_config_cache') ?? environment.getVariable('NPM_CONFIG_CACHE');
  return fromEnvironment || (await cacheOfUserConfig(environment)) || defaultCache(environment);
}

async function cacheOfUserConfig(environment: HostEnvironment): Promise<string | undefined> {
  const file =
    environment.getVariable('npm_config_userconfig') ?? path.join(npmHome(environment), '.npmrc');
  try {
    const written = cacheIn(await readTextFile(file, maxConfigBytes));
    // a value with variables needs npm to read it
    return written?.includes('$')
      ? undefined
      : written?.replace(/^~(?=[/\\])/, npmHome(environment));
  } catch {
    // most users have no such file
    return undefined;
  }
}

/** The first `cache = …` of an npmrc. */
function cacheIn(text: string): string | undefined {
  for (const line of text.split('\n')) {
    const at = line.indexOf('=');
    const value = line.slice(at + 1).trim();
    if (at !== -1 && value !== '' && line.slice(0, at).trim() === 'cache') {
      return value;
    }
  }
  return undefined;
}

function defaultCache(environment: HostEnvironment): string {
  const localAppData = environment.getVariable('LOCALAPPDATA');
  return environment.platform === 'win32' && localAppData
    ? path.join(localAppData, 'npm-cache')
    : path.join(npmHome(environment), '.npm');
}

/** Of the process that npm runs in, which need not be where the user's configuration files are looked up. */
function npmHome({ platform, homeDir, getVariable }: HostEnvironment): string {
  return getVariable(platform === 'win32' ? 'USERPROFILE' : 'HOME') || homeDir;
}
