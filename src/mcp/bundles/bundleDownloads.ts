/**
 * Bundles that a registry names by address and hash. They are fetched when the user wants to look into one, without
 * anything that is known of the user, and only what has the hash is kept, until it was added or a day has gone by.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { linkSignals } from '../../base/async/cancellation.js';
import { errorMessage, HumanError, isHumanError } from '../../base/errors.js';
import { withBodyLimit } from '../connection/http/bodyLimit.js';
import type { Fetch } from '../connection/http/fetch.js';
import { type BundleSource, isBundleAddress } from '../registry/bundleSource.js';

interface DownloadOptions {
  readonly fetch: Fetch;
  /** Of bundles. */
  readonly directory: string;
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

const timeoutMs = 5 * 60_000;
/** What keeps files for others often has two. */
const maxRedirects = 5;
const keptMs = 24 * 3_600_000;

/** @returns its path. @throws {HumanError} `bundle_download` */
export async function downloadBundle(
  { url, sha256 }: BundleSource,
  { fetch, directory, maxBytes, signal }: DownloadOptions,
): Promise<string> {
  const linked = linkSignals(signal, AbortSignal.timeout(timeoutMs));
  let bytes: Buffer;
  try {
    const response = await follow(url, withBodyLimit(fetch, maxBytes), linked.signal);
    bytes = Buffer.from(await response.arrayBuffer());
  } catch (error) {
    signal?.throwIfAborted();
    throw isHumanError(error) ? error : refused(url, errorMessage(error));
  } finally {
    linked.dispose();
  }
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) {
    throw refused(url, l10n.t('it is not the file that the registry names: its SHA-256 differs'));
  }
  const folder = downloads(directory);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeOld(folder);
  const path = join(folder, `${sha256}.mcpb`);
  await writeFile(path, bytes, { mode: 0o600 });
  return path;
}

/** Deletes a file that was downloaded; leaves any other. Never rejects. */
export async function forgetDownload(path: string, directory: string): Promise<void> {
  if (dirname(path) === downloads(directory)) {
    await rm(path, { force: true }).catch(() => undefined);
  }
}

function downloads(directory: string): string {
  return join(directory, 'downloads');
}

async function removeOld(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    // one that is gone was removed by another window
    const { mtimeMs = 0 } = await stat(path).catch(() => ({ mtimeMs: 0 }));
    if (Date.now() - mtimeMs > keptMs) {
      await rm(path, { force: true }).catch(() => undefined);
    }
  }
}

async function follow(url: string, fetch: Fetch, signal: AbortSignal): Promise<Response> {
  const first = new URL(url);
  let at = first;
  for (let redirects = 0; ; redirects++) {
    const response = await fetch(at.href, { redirect: 'manual', signal, credentials: 'omit' });
    const { status } = response;
    const next = response.headers.get('location');
    if (status === 200) {
      return response;
    }
    await response.body?.cancel();
    if (status < 300 || status > 399 || next === null) {
      throw refused(url, l10n.t('HTTP {0}', status));
    }
    at = new URL(next, at);
    if (redirects === maxRedirects || !isBundleAddress(at, first)) {
      throw refused(url, l10n.t('it leads to an address that is not asked: {0}', at.host));
    }
  }
}

function refused(url: string, reason: string): HumanError {
  return new HumanError(
    'bundle_download',
    l10n.t('The bundle of {0} was not taken: {1}', new URL(url).host, reason),
    { remedy: l10n.t('Download the bundle, then open it on this page.') },
  );
}
