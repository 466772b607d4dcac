import { stat } from 'node:fs/promises';
import * as path from 'node:path';
import { errorCode } from '../../base/errors.js';
import { asObject, isJsonObject, type JsonObject } from '../../base/json.js';
import { readFileStart, readTextFile } from '../boundedFile.js';

/** A package as it lies in a `node_modules` folder. */
export interface InstalledPackage {
  readonly folder: string;
  readonly version: string;
  readonly manifest: JsonObject;
  /** Milliseconds since the epoch at which it was installed. */
  readonly installedAt: number;
}

/** `undefined` when it is not there or its manifest cannot be read. */
export async function findInstalled(
  nodeModules: string,
  packageName: string,
): Promise<InstalledPackage | undefined> {
  const folder = path.join(nodeModules, packageName);
  const file = path.join(folder, 'package.json');
  try {
    const manifest: unknown = JSON.parse(await readTextFile(file));
    if (isJsonObject(manifest) && typeof manifest.version === 'string') {
      // npm restores old modification times, but not the time of the last change of the inode
      const { ctimeMs } = await stat(file);
      return { folder, version: manifest.version, manifest, installedAt: ctimeMs };
    }
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' && !(error instanceof SyntaxError)) {
      throw error;
    }
  }
  return undefined;
}

/** Absolute path of a package's program; `undefined` when it has none of that name or cannot tell which. */
export function binaryOf(found: InstalledPackage, wanted: string | undefined): string | undefined {
  const { bin, name } = found.manifest;
  const shortName = String(name ?? '').replace(/^@[^/]+\//, '');
  const binaries = typeof bin === 'string' ? { [shortName]: bin } : asObject(bin);
  const names = Object.keys(binaries);
  const chosen = wanted ?? (names.length === 1 ? names[0] : shortName);
  const file =
    chosen !== undefined && Object.hasOwn(binaries, chosen) ? binaries[chosen] : undefined;
  return typeof file === 'string' ? path.join(found.folder, file) : undefined;
}

/** The file is run by Node: its first line says so, or it has no such line and a JavaScript ending. */
export async function isNodeScript(file: string): Promise<boolean> {
  const start = await readFileStart(file, 128);
  const [firstLine = ''] = start.toString('utf8').split('\n', 1);
  return firstLine.startsWith('#!')
    ? /^#!\s*(\/usr\/bin\/env\s+)?(\S*\/)?node\s*$/.test(firstLine.trim())
    : /\.[cm]?js$/.test(file);
}
