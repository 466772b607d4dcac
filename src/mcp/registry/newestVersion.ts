/**
 * The newest version of a package, asked where the user's own tools ask: npm's registry by the user's npm, the index of
 * PyPI by the variables of pip and uv, Docker Hub. What is asked is a name, and nothing of the entry beside it.
 */
import * as l10n from '@vscode/l10n';
import * as semver from 'semver';
import { HumanError } from '../../base/errors.js';
import { isJsonObject } from '../../base/json.js';
import { latestVersion } from '../../config/fixes/packageVersion.js';
import { addressReach } from '../../config/launch/addressReach.js';
import type { PackageSpec } from '../../config/lint/packageSpec.js';
import type { HostEnvironment } from '../../platform/ports.js';
import { askJson } from '../connection/http/askJson.js';
import type { Fetch } from '../connection/http/fetch.js';

export interface VersionSources {
  readonly environment: HostEnvironment;
  readonly fetch: Fetch;
  /** Default: that of Docker. */
  readonly dockerHub?: string;
}

const timeoutMs = 20_000;
const maxBytes = 8 * 1024 * 1024;
const maxVersions = 50_000;

/** Whether a registry is known that could tell. */
export function isAskable({ registry, name, version = '' }: PackageSpec): boolean {
  switch (registry) {
    case 'npm':
      return true;
    case 'pypi':
      return /^\w[\w.-]*$/.test(name);
    case 'docker':
      // another host wants an account
      return (
        /^[a-z\d][\w-]*(?:\/[a-z\d][\w.-]*)?$/.test(name) &&
        (isDigest(version) || releaseIn(version) !== undefined)
      );
    case 'nuget':
    case 'git':
      return false;
  }
}

/** `undefined`: none that is newer than the one that the entry names. @throws {HumanError} */
export async function newestVersion(
  spec: PackageSpec,
  sources: VersionSources,
): Promise<string | undefined> {
  const { registry, name, version = '' } = spec;
  if (!isAskable(spec)) {
    return undefined;
  }
  if (registry === 'npm') {
    return newerOf(spec, await latestVersion(name, sources.environment));
  }
  return registry === 'pypi'
    ? newestAlike(await pypiVersions(name, sources), version, true)
    : newestImage(spec, await dockerTags(name, sources));
}

/** The version that is offered, where it is newer than the one that the entry names. */
export function newerOf(
  { registry, version = '' }: PackageSpec,
  offered: string,
): string | undefined {
  if (registry !== 'npm') {
    return newestAlike([offered], version, registry !== 'docker');
  }
  const now = version.replace(/^[=v]+/, '');
  return semver.valid(offered) && semver.valid(now) && semver.gt(offered, now)
    ? offered
    : undefined;
}

/** @param mayGainParts as versions of PyPI may; tags of an image are another series then */
function newestAlike(
  found: readonly string[],
  version: string,
  mayGainParts = false,
): string | undefined {
  const now = releaseIn(version);
  const newer = found.flatMap((one) => {
    const release = releaseIn(one);
    const isAlike = release?.around === now?.around && release?.parts.length === now?.parts.length;
    return release && now && (isAlike || (mayGainParts && release.around === ''))
      ? [{ one, release }]
      : [];
  });
  const [newest] = newer.sort((a, b) => compare(b.release.parts, a.release.parts));
  return newest && (!now || compare(newest.release.parts, now.parts) > 0) ? newest.one : undefined;
}

/** For a digest that of a newer tag, or of its own tag where that has moved: `1.4.0@sha256:…`. */
function newestImage(
  { version = '', written }: PackageSpec,
  tags: readonly ImageTag[],
): string | undefined {
  const names = tags.map(({ name }) => name);
  if (!isDigest(version)) {
    return newestAlike(names, version);
  }
  const named = /:([\w.-]+)@/.exec(written)?.[1];
  const now = named ?? tags.find((tag) => tag.holds(version) && releaseIn(tag.name))?.name ?? '';
  const wanted = newestAlike(names, now) ?? named;
  const tag = tags.find(({ name }) => name === wanted);
  return tag?.digest === undefined || tag.holds(version) ? undefined : `${tag.name}@${tag.digest}`;
}

async function pypiVersions(
  name: string,
  { environment, fetch }: VersionSources,
): Promise<readonly string[]> {
  const index =
    environment.getVariable('UV_DEFAULT_INDEX') ??
    environment.getVariable('UV_INDEX_URL') ??
    environment.getVariable('PIP_INDEX_URL') ??
    'https://pypi.org/simple';
  // as PEP 503 has it: an index answers other spellings elsewhere, if at all
  const listed = name.toLowerCase().replace(/[-_.]+/g, '-');
  const body = await ask(`${index.replace(/\/+$/, '')}/${listed}/`, name, {
    fetch,
    timeoutMs,
    maxBytes,
    headers: { accept: 'application/vnd.pypi.simple.v1+json' },
  });
  return texts(body.versions);
}

async function dockerTags(
  name: string,
  { fetch, dockerHub = 'https://hub.docker.com' }: VersionSources,
): Promise<readonly ImageTag[]> {
  const path = name.includes('/') ? name : `library/${name}`;
  const url = `${dockerHub}/v2/repositories/${path}/tags?page_size=100`;
  const { results } = await ask(url, name, { fetch, timeoutMs, maxBytes });
  return (Array.isArray(results) ? results : []).filter(isJsonObject).flatMap((tag) => {
    const [text] = texts([tag.name]);
    const images = (Array.isArray(tag.images) ? tag.images : []).filter(isJsonObject);
    const digests = texts([tag.digest, ...images.map(({ digest }) => digest)]).filter(isDigest);
    return text === undefined
      ? []
      : [
          {
            name: text,
            digest: digests.find((one) => one === tag.digest),
            holds: (digest: string) => digests.includes(digest),
          },
        ];
  });
}

/** A tag of an image, and what it stands for now. */
interface ImageTag {
  readonly name: string;
  readonly digest: string | undefined;
  /** Whether the digest is its own, or that of one of its platforms. */
  readonly holds: (digest: string) => boolean;
}

function isDigest(version: string): boolean {
  return /^sha256:[\da-f]{64}$/.test(version);
}

async function ask(url: string, name: string, question: Parameters<typeof askJson>[1]) {
  const isSafe =
    url.startsWith('https://') || (url.startsWith('http://') && addressReach(url) === 'loopback');
  try {
    const answer = isSafe ? await askJson(url, question) : undefined;
    if (answer?.status === 200 && answer.body) {
      return answer.body;
    }
  } catch {
    // the network, or more than anybody reads: told below, without the address, which may hold a password
  }
  throw new HumanError(
    'package_version_unknown',
    l10n.t('Its registry does not tell the newest version of {0}.', name),
    { remedy: l10n.t('Check the name and the network, or write the version yourself.') },
  );
}

function texts(values: unknown): readonly string[] {
  return (Array.isArray(values) ? values.slice(0, maxVersions) : []).filter(
    (one): one is string => typeof one === 'string' && one.length <= 120,
  );
}

interface Release {
  readonly parts: readonly number[];
  /** What stands before and behind the numbers, such as `v` and `-alpine`. */
  readonly around: string;
}

/** `undefined` for what has no order, such as `latest`, and for what comes before a release. */
function releaseIn(version: string): Release | undefined {
  const [, before = '', numbers, behind = ''] =
    /^(v?)(\d{1,9}(?:\.\d{1,9}){0,4})(-[a-z][\w.-]*)?$/i.exec(version) ?? [];
  return numbers === undefined || /^-(?:alpha|beta|dev|pre|rc)/i.test(behind)
    ? undefined
    : { parts: numbers.split('.').map(Number), around: `${before}…${behind}`.replace(/^…$/, '') };
}

function compare(
  [a = 0, ...others]: readonly number[],
  [b = 0, ...rest]: readonly number[],
): number {
  return a !== b || (others.length === 0 && rest.length === 0) ? a - b : compare(others, rest);
}
