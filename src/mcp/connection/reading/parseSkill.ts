import { asObject, asString, isJsonObject, type JsonObject } from '../../../base/json.js';
import type { McpSkill, McpSkillFile } from '../../mcpTypes.js';
import { maxUriLength } from './serverBounds.js';

/** SEP-2640. */
export const skillsExtension = 'io.modelcontextprotocol/skills';

const manifest = '/SKILL.md';
const maxNameLength = 64;
const maxDescriptionLength = 1024;
const maxFiles = 512;
/** Bytes of all files of a skill. */
const maxSize = 16 * 1024 * 1024;
/** Bytes of a `SKILL.md`: a person is to read it before it is used, and a model each time. */
const maxManifestSize = 128 * 1024;

/**
 * A skill that can be checked when it is loaded: with a name and a description, and with place, size and hash of each file.
 * `undefined`: it is none, or has files outside of its folder, or more than are loaded.
 */
export function parseSkill(item: unknown): McpSkill | undefined {
  if (!isJsonObject(item) || !isJsonObject(item.frontmatter) || !Array.isArray(item.resources)) {
    return undefined;
  }
  const { frontmatter, resources } = item;
  const uri = addressOf(item.uri);
  const root = uri?.endsWith(manifest) ? uri.slice(0, -manifest.length) : undefined;
  const name = asString(frontmatter.name) ?? '';
  const description = asString(frontmatter.description) ?? '';
  const isNamed = /^[\da-z]+(?:-[\da-z]+)*$/.test(name) && name.length <= maxNameLength;
  const isDescribed = description !== '' && description.length <= maxDescriptionLength;
  if (uri === undefined || root === undefined || !isNamed || !isDescribed) {
    return undefined;
  }
  const files = resources.slice(0, maxFiles + 1).flatMap((one) => parseFile(one, root) ?? []);
  const isWhole = files.length === resources.length && files.length <= maxFiles;
  const own = files.find((file) => file.uri === uri);
  const isSmall = files.reduce((sum, { size }) => sum + size, 0) <= maxSize;
  return isWhole && isSmall && own && own.size <= maxManifestSize
    ? { uri, name, description, frontmatter, files }
    : undefined;
}

function parseFile(item: unknown, root: string): McpSkillFile | undefined {
  const { size, digest, ...rest }: JsonObject = asObject(item);
  const uri = addressOf(rest.uri);
  const path = uri?.startsWith(`${root}/`) ? pathOf(uri.slice(root.length + 1)) : undefined;
  const [, sha256] = /^sha256:([\da-f]{64})$/.exec(asString(digest) ?? '') ?? [];
  return uri !== undefined &&
    path !== undefined &&
    sha256 !== undefined &&
    typeof size === 'number' &&
    Number.isSafeInteger(size) &&
    size >= 0
    ? { uri, path, size, sha256 }
    : undefined;
}

/** As a file system would read it, if that stays below the folder whatever the system. */
function pathOf(encoded: string): string | undefined {
  try {
    const parts = encoded.split('/').map(decodeURIComponent);
    const isPlain = parts.every((part) => !/^\.{0,2}$|[/\\\0]/.test(part));
    return isPlain && !/[?#]/.test(encoded) ? parts.join('/') : undefined;
  } catch {
    // a stray percent sign
    return undefined;
  }
}

/** In its normal form, so that no two spellings are two files. Steps of a path that lead up or nowhere are in none. */
function addressOf(value: unknown): string | undefined {
  const isAddress = typeof value === 'string' && value.length <= maxUriLength;
  const isPlain = isAddress && !/[/\\](?:\.|%2e){1,2}(?:[/\\]|$)/i.test(value);
  return isPlain && URL.canParse(value) ? new URL(value).href : undefined;
}
