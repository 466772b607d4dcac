/** `manifest.json` of a bundle (MCPB, versions 0.1 to 0.4), of which only what counts here is read. Text from outside, and bounded. */
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import { defined, isJsonObject, type JsonObject, parseJsonObject } from '../../base/json.js';

export interface BundleManifest {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly author: string;
  readonly type: 'node' | 'python' | 'binary' | 'uv';
  readonly entryPoint: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Default: all. */
  readonly platforms: readonly string[] | undefined;
  readonly options: ReadonlyMap<string, BundleOption>;
}

/** A question to the user, of `user_config`. */
export interface BundleOption {
  readonly type: 'string' | 'number' | 'boolean' | 'directory' | 'file';
  readonly title: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly isSecret: boolean;
  readonly isMultiple: boolean;
  readonly defaults: readonly string[];
  /** Of a number; default: any. */
  readonly minimum?: number;
  readonly maximum?: number;
}

export const maxManifestBytes = 1024 * 1024;
const versions = ['0.1', '0.2', '0.3', '0.4'];
const types = ['node', 'python', 'binary', 'uv'] as const;
const optionTypes = ['string', 'number', 'boolean', 'directory', 'file'] as const;
const maxText = 4_000;
const maxItems = 200;

/** @param platform whose overrides count. @throws {HumanError} `bundle_manifest` */
export function readManifest(text: string, platform: NodeJS.Platform): BundleManifest {
  const root = parseJsonObject(text.replace(/^\uFEFF/, ''));
  if (!root) {
    throw missing('manifest.json');
  }
  const version = root.manifest_version ?? root.dxt_version;
  if (!versions.some((one) => one === version)) {
    throw missing('manifest_version');
  }
  const server = objectAt(root.server, 'server');
  const type = types.find((one) => one === server.type);
  if (!type || (type === 'uv' && version !== '0.4')) {
    throw missing('server.type');
  }
  const name = textAt(root.name, 'name');
  const entryPoint = textAt(server.entry_point, 'server.entry_point').replace(/^\.\//, '');
  return {
    name,
    title: textIn(root.display_name, 'display_name') ?? name,
    version: textAt(root.version, 'version'),
    description: textAt(root.description, 'description'),
    author: textAt(objectAt(root.author, 'author').name, 'author.name'),
    type,
    entryPoint,
    ...launchIn(server.mcp_config, { platform, type, entryPoint }),
    platforms: platformsIn(root.compatibility),
    options: optionsIn(root.user_config),
  };
}

interface LaunchPlace {
  readonly platform: NodeJS.Platform;
  readonly type: BundleManifest['type'];
  readonly entryPoint: string;
}

function launchIn(
  value: unknown,
  { platform, type, entryPoint }: LaunchPlace,
): Pick<BundleManifest, 'command' | 'args' | 'env'> {
  if (value === undefined && type === 'uv') {
    const args = ['run', '--directory', '${__dirname}', entryPoint];
    return { command: 'uv', args, env: {} };
  }
  const at = 'server.mcp_config';
  const config = objectAt(value, at);
  const overrides = objectAt(config.platform_overrides ?? {}, `${at}.platform_overrides`);
  const own = Object.hasOwn(overrides, platform)
    ? objectAt(overrides[platform], `${at}.platform_overrides.${platform}`)
    : {};
  return {
    command: textAt(own.command ?? config.command, `${at}.command`),
    args: textsAt(own.args ?? config.args ?? [], `${at}.args`),
    env: mapAt(own.env ?? config.env ?? {}, `${at}.env`),
  };
}

function platformsIn(value: unknown): readonly string[] | undefined {
  const { platforms } = objectAt(value ?? {}, 'compatibility');
  return platforms === undefined ? undefined : textsAt(platforms, 'compatibility.platforms');
}

function optionsIn(value: unknown): ReadonlyMap<string, BundleOption> {
  const entries = Object.entries(objectAt(value ?? {}, 'user_config'));
  if (entries.length > maxItems) {
    throw missing('user_config');
  }
  return new Map(entries.map(([key, one]) => [key, readOption(key, one)]));
}

function readOption(key: string, value: unknown): BundleOption {
  const at = `user_config.${key}`;
  const option = objectAt(value, at);
  const type = optionTypes.find((one) => one === option.type);
  if (!type || !/^[\w.-]{1,100}$/.test(key)) {
    throw missing(`${at}.type`);
  }
  const given: readonly unknown[] =
    option.default === undefined
      ? []
      : Array.isArray(option.default)
        ? option.default
        : [option.default];
  return {
    type,
    title: textIn(option.title, `${at}.title`) ?? key,
    description: textIn(option.description, `${at}.description`) ?? '',
    isRequired: option.required === true,
    isSecret: option.sensitive === true,
    isMultiple: option.multiple === true,
    ...boundsIn(type === 'number' ? option : {}, at),
    defaults: textsAt(
      given.map((one) => (typeof one === 'number' || typeof one === 'boolean' ? String(one) : one)),
      `${at}.default`,
    ),
  };
}

function boundsIn({ min, max }: JsonObject, at: string): Pick<BundleOption, 'minimum' | 'maximum'> {
  const isBound = (bound: unknown) => bound === undefined || Number.isFinite(bound);
  if (!isBound(min) || !isBound(max)) {
    throw missing(`${at}.${isBound(min) ? 'max' : 'min'}`);
  }
  return defined({ minimum: min as number | undefined, maximum: max as number | undefined });
}

function objectAt(value: unknown, at: string): JsonObject {
  if (!isJsonObject(value)) {
    throw missing(at);
  }
  return value;
}

function textAt(value: unknown, at: string): string {
  const text = textIn(value, at);
  if (text === undefined || text.trim() === '') {
    throw missing(at);
  }
  return text;
}

function textIn(value: unknown, at: string): string | undefined {
  if (value !== undefined && (typeof value !== 'string' || value.length > maxText)) {
    throw missing(at);
  }
  return value;
}

function textsAt(value: unknown, at: string): readonly string[] {
  if (!Array.isArray(value) || value.length > maxItems) {
    throw missing(at);
  }
  return value.map((one: unknown) => textIn(one, at) ?? '');
}

function mapAt(value: unknown, at: string): Readonly<Record<string, string>> {
  const entries = Object.entries(objectAt(value, at));
  if (entries.length > maxItems || entries.some(([key]) => !/^[A-Za-z_][\w.-]*$/.test(key))) {
    throw missing(at);
  }
  return Object.fromEntries(entries.map(([key, one]) => [key, textIn(one, at) ?? '']));
}

export function signatureText(isSigned: boolean): string {
  return isSigned
    ? l10n.t('It carries a signature, which was not checked.')
    : l10n.t('It is not signed.');
}

/** @param at the field, or the file */
export function missing(at: string): HumanError {
  return new HumanError(
    'bundle_manifest',
    l10n.t(
      'The manifest.json of the bundle cannot be used: {0}.',
      l10n.t('"{0}" is missing, or not what it should be', at),
    ),
    { remedy: l10n.t('Get it again, or ask its publisher for one that is whole.') },
  );
}
