/**
 * Bundles (`.mcpb`) that were added: each unpacked once, in a folder that is named after what the bundle holds, beside
 * a record of the configuration files that were seen to refer to it. Nothing here starts anything.
 */
import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { errorCode, HumanError, isHumanError } from '../../base/errors.js';
import { asTexts, type JsonObject, parseJsonObject } from '../../base/json.js';
import { expandTilde } from '../../config/launch/places.js';
import { piAgentDir } from '../../config/parse/configLocations.js';
import { textsIn } from '../../config/paste/addedServer.js';
import { readBinaryFile, readTextFile } from '../../platform/boundedFile.js';
import { isFolder } from '../../platform/folderPath.js';
import type { HostEnvironment } from '../../platform/ports.js';
import { acquireFileLock } from '../../platform/stores/fileLock.js';
import { writeFileAtomic } from '../../platform/stores/storedFile.js';
import type { Fetch } from '../connection/http/fetch.js';
import type { BundleSource } from '../registry/bundleSource.js';
import type { InstallWay } from '../registry/installWay.js';
import { downloadBundle, forgetDownload } from './bundleDownloads.js';
import { bundleWay } from './bundleWay.js';
import { type BundleManifest, maxManifestBytes, missing, readManifest } from './manifest.js';
import { readZip, type ZipEntry } from './zipFile.js';

/** A bundle that was looked into. Nothing of it was written. */
export interface OpenedBundle {
  readonly path: string;
  /** SHA-256 of the whole file, hexadecimal. */
  readonly hash: string;
  readonly manifest: BundleManifest;
  readonly isSigned: boolean;
  readonly files: number;
  /** Bytes, unpacked. */
  readonly size: number;
  /** Where it is unpacked, or would be. */
  readonly folder: string;
  readonly way: InstallWay;
}

const maxBundleBytes = 256 * 1024 * 1024;
const folderShape = /^[\w-]{1,40}-[\da-f]{32}$/;
const signatureStart = Buffer.from('MCPB_SIG_V1');
const signatureEnd = Buffer.from('MCPB_SIG_END');

type Machine = Pick<HostEnvironment, 'platform' | 'homeDir' | 'getVariable'>;

export class BundleStore {
  /** Of the user, so that the editor and the command line have the same ones. */
  readonly directory: string;

  constructor(private readonly machine: Machine) {
    this.directory = join(piAgentDir(machine), 'pi-mcp', 'bundles');
  }

  /** @param path absolute, or from `~/` on. @throws {HumanError} `bundle_archive`, `bundle_manifest`, or for a file that cannot be read */
  async open(path: string): Promise<OpenedBundle> {
    return (await this.read(path)).bundle;
  }

  /** @returns path of what was fetched, which goes once it was added. @throws {HumanError} `bundle_download` */
  async download(source: BundleSource, fetch: Fetch, signal?: AbortSignal): Promise<string> {
    const { directory } = this;
    return await downloadBundle(source, { fetch, directory, maxBytes: maxBundleBytes, signal });
  }

  /**
   * Unpacks the bundle as it was opened, then has the entry written that refers to it.
   * @param file that the entry goes to
   * @throws with nothing left of what nobody refers to
   */
  async add(opened: OpenedBundle, file: string, write: () => Promise<void>): Promise<void> {
    await this.locked(async () => {
      const { bundle, entries } = await this.read(opened.path);
      if (bundle.hash !== opened.hash) {
        throw new HumanError(
          'bundle_archive',
          l10n.t('The bundle has changed since it was shown.'),
          {
            remedy: l10n.t('Open it again.'),
          },
        );
      }
      if (!(await isFolder(bundle.folder))) {
        await unpack(entries, bundle);
      }
      await this.note(bundle.folder, [...(await this.filesWith(bundle.folder)), file]);
      try {
        await write();
      } catch (error) {
        await this.sweepHeld([]);
        throw error;
      }
    });
    await forgetDownload(opened.path, this.directory);
  }

  /**
   * Deletes bundles that no file refers to, once an entry that did has left one. Never rejects.
   * @param files that may refer to them, too
   */
  async sweep(entry: JsonObject | undefined, files: readonly string[]): Promise<void> {
    if (textsIn(entry).some((text) => /[\\/]pi-mcp[\\/]bundles[\\/]/.test(text))) {
      // what cannot be deleted now, such as a program that still ends, goes with the next one
      await this.locked(() => this.sweepHeld(files)).catch(() => undefined);
    }
  }

  private async read(written: string) {
    const { platform, homeDir } = this.machine;
    const path = expandTilde(written, homeDir);
    const bytes = await readBundle(path);
    const end = archiveEnd(bytes);
    const entries = readZip(bytes, end);
    const about = entries.find((entry) => entry.path === 'manifest.json');
    if (!about || about.size > maxManifestBytes) {
      throw missing('manifest.json');
    }
    const manifest = readManifest((await about.read()).toString('utf8'), platform);
    const { name, entryPoint } = manifest;
    if (!entries.some((entry) => [entryPoint, `${entryPoint}.exe`].includes(entry.path))) {
      throw missing(entryPoint);
    }
    const hash = createHash('sha256').update(bytes).digest('hex');
    const readable = name.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 40) || 'bundle';
    const folder = join(this.directory, `${readable}-${hash.slice(0, 32)}`);
    const bundle: OpenedBundle = {
      path,
      hash,
      manifest,
      isSigned: end < bytes.byteLength,
      files: entries.length,
      size: entries.reduce((sum, { size }) => sum + size, 0),
      folder,
      way: bundleWay(manifest, { folder, homeDir, platform }),
    };
    return { bundle, entries };
  }

  private async locked<T>(work: () => Promise<T>): Promise<T> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    // unpacking takes as long as it takes, and a keyring may ask for its password before the entry is written
    const lock = await acquireFileLock(join(this.directory, '.lock'), { isKept: true });
    try {
      return await work();
    } finally {
      lock.release();
    }
  }

  private async sweepHeld(files: readonly string[]): Promise<void> {
    const names = await readdir(this.directory);
    for (const name of names.filter((one) => folderShape.test(one))) {
      const folder = join(this.directory, name);
      const seen = await this.filesWith(folder);
      const known = [...new Set([...seen, ...files])];
      const refer = await Promise.all(
        known.map((file) => mayHold(file, name, seen.includes(file))),
      );
      const left = known.filter((_file, index) => refer[index]);
      if (left.length > 0) {
        await this.note(folder, left);
      } else {
        await rm(folder, { recursive: true, force: true, maxRetries: 3 });
        await rm(recordOf(folder), { force: true });
      }
    }
  }

  private async note(folder: string, files: readonly string[]): Promise<void> {
    await writeFileAtomic(recordOf(folder), JSON.stringify({ files: [...new Set(files)] }));
  }

  private async filesWith(folder: string): Promise<readonly string[]> {
    const text = await readTextFile(recordOf(folder)).catch(() => '');
    return asTexts(parseJsonObject(text)?.files);
  }
}

/** What another machine holds is not asked for by a path that somebody types. */
async function readBundle(path: string): Promise<Buffer> {
  const isNear = isAbsolute(path) && !/^[\\/]{2}/.test(path);
  try {
    if (isNear) {
      return await readBinaryFile(path, maxBundleBytes);
    }
  } catch (error) {
    if (isHumanError(error)) {
      throw error;
    }
    // such as a path that is still being typed: told below
  }
  throw new HumanError('not_a_file', l10n.t('There is no file here that can be read: {0}', path), {
    remedy: l10n.t('Write the whole path of the bundle.'),
  });
}

function recordOf(folder: string): string {
  return `${folder}.json`;
}

/** Before the signature that stands behind the archive. */
function archiveEnd(bytes: Buffer): number {
  const { byteLength } = bytes;
  const isSigned = bytes.subarray(byteLength - signatureEnd.byteLength).equals(signatureEnd);
  const at = isSigned ? bytes.lastIndexOf(signatureStart) : -1;
  const lengthAt = at + signatureStart.byteLength;
  const isWhole =
    at >= 0 &&
    lengthAt + 4 + signatureEnd.byteLength <= byteLength &&
    lengthAt + 4 + bytes.readUInt32LE(lengthAt) + signatureEnd.byteLength === byteLength;
  return isWhole ? at : byteLength;
}

/** All of it beside its place first: a folder that is there is whole. */
async function unpack(
  entries: readonly ZipEntry[],
  { folder, manifest }: OpenedBundle,
): Promise<void> {
  const partial = `${folder}.partial`;
  // of somebody who was killed
  await rm(partial, { recursive: true, force: true });
  try {
    await mkdir(partial, { mode: 0o700 });
    for (const { path, isProgram, read } of entries) {
      const target = join(partial, ...path.split('/'));
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, await read(), { flag: 'wx' });
      if (isProgram || (manifest.type === 'binary' && path === manifest.entryPoint)) {
        await chmod(target, 0o755);
      }
    }
    await rename(partial, folder);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

/** @param wasSeen a file whose folder is gone may be on a disk that comes back */
async function mayHold(file: string, name: string, wasSeen: boolean): Promise<boolean> {
  try {
    return (await readTextFile(file)).includes(name);
  } catch (error) {
    return errorCode(error) !== 'ENOENT' || (wasSeen && !(await isFolder(dirname(file))));
  }
}
