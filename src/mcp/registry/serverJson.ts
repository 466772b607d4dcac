/**
 * Entries of the MCP registry as their publishers write them (`server.json`, schema of 2025-12-11), read tolerantly:
 * older entries spell fields in snake_case or lack some. Everything is text from outside, and bounded.
 */
import { asObject, isJsonObject, type JsonObject } from '../../base/json.js';

type RegistryStatus = 'active' | 'deprecated' | 'deleted';

export interface RegistryServer {
  /** `namespace/name`; the namespace is proven by the registry. */
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string;
  readonly version: string;
  readonly status: RegistryStatus;
  readonly statusMessage: string | undefined;
  /** As the registry writes it, RFC 3339. */
  readonly publishedAt: string | undefined;
  readonly updatedAt: string | undefined;
  readonly repository: string | undefined;
  readonly website: string | undefined;
  readonly packages: readonly RegistryPackage[];
  readonly remotes: readonly RegistryRemote[];
}

/** Something that is asked for, unless `value` fixes it. */
export interface RegistryInput {
  readonly description: string;
  readonly isRequired: boolean;
  readonly isSecret: boolean;
  readonly format: 'string' | 'number' | 'boolean' | 'filepath';
  /** Not to be changed; `{name}` in it stands for a variable. */
  readonly value: string | undefined;
  readonly default: string | undefined;
  readonly placeholder: string | undefined;
  readonly choices: readonly string[];
  readonly variables: Readonly<Record<string, RegistryInput>>;
}

interface NamedInput extends RegistryInput {
  readonly name: string;
}

export interface RegistryArgument extends RegistryInput {
  /** With its dashes; `undefined`: the argument is told by its place. */
  readonly name: string | undefined;
  readonly valueHint: string | undefined;
  readonly isRepeated: boolean;
}

export interface RegistryPackage {
  /** `npm`, `pypi`, `oci`, `nuget`, `mcpb`, `cargo`, `go`, or one that is not known yet. */
  readonly registryType: string;
  readonly registryBaseUrl: string | undefined;
  readonly identifier: string;
  readonly version: string | undefined;
  /** Of a bundle, whose identifier is its address. */
  readonly fileSha256: string | undefined;
  readonly runtimeHint: string | undefined;
  /** `stdio`, or that of a server which is started here and reached at an address. */
  readonly transport: string;
  readonly runtimeArguments: readonly RegistryArgument[];
  readonly packageArguments: readonly RegistryArgument[];
  readonly environment: readonly NamedInput[];
}

export interface RegistryRemote {
  readonly type: string;
  /** May be a template with `{name}`. */
  readonly url: string;
  readonly variables: Readonly<Record<string, RegistryInput>>;
  readonly headers: readonly NamedInput[];
}

export interface FoundServers {
  readonly servers: readonly RegistryServer[];
  readonly nextCursor: string | undefined;
}

const maxText = 4_000;
const maxItems = 60;
const namePattern = /^[a-zA-Z0-9][a-zA-Z0-9.-]{0,99}\/[a-zA-Z0-9][a-zA-Z0-9._-]{0,99}$/;

/** `undefined` for what is no answer of a registry. Entries that cannot be read are left out. */
export function readPage(body: JsonObject | undefined): FoundServers | undefined {
  if (!Array.isArray(body?.servers)) {
    return undefined;
  }
  const { nextCursor, next_cursor: older } = asObject(body.metadata);
  return {
    servers: body.servers.slice(0, 100).flatMap((row) => readServer(row) ?? []),
    nextCursor: textOf(nextCursor ?? older),
  };
}

/** One row: the entry in `server`, or, in older registries, the entry itself. */
export function readServer(row: unknown): RegistryServer | undefined {
  const outer = asObject(row);
  const server = isJsonObject(outer.server) ? outer.server : outer;
  const { name } = server;
  const version = textOf(server.version) ?? textOf(asObject(server.version_detail).version);
  if (typeof name !== 'string' || !namePattern.test(name) || version === undefined) {
    return undefined;
  }
  const about = asObject(
    asObject(outer._meta ?? server._meta)['io.modelcontextprotocol.registry/official'],
  );
  return {
    name,
    title: textOf(server.title),
    description: textOf(server.description) ?? '',
    version,
    status: statusOf(about.status ?? server.status),
    statusMessage: textOf(about.statusMessage ?? about.status_message),
    publishedAt: textOf(about.publishedAt ?? about.published_at),
    updatedAt: textOf(about.updatedAt ?? about.updated_at),
    repository: webAddress(asObject(server.repository).url),
    website: webAddress(server.websiteUrl ?? server.website_url),
    packages: listOf(server.packages, readPackage),
    remotes: listOf(server.remotes, readRemote),
  };
}

function readPackage(value: JsonObject): RegistryPackage | undefined {
  const registryType = textOf(value.registryType ?? value.registry_type ?? value.registry_name);
  const identifier = textOf(value.identifier ?? value.name);
  if (registryType === undefined || identifier === undefined) {
    return undefined;
  }
  const transport = asObject(value.transport);
  return {
    registryType,
    registryBaseUrl: textOf(value.registryBaseUrl ?? value.registry_base_url),
    identifier,
    version: textOf(value.version),
    fileSha256: textOf(value.fileSha256 ?? value.file_sha256),
    runtimeHint: textOf(value.runtimeHint ?? value.runtime_hint),
    transport: textOf(transport.type) ?? 'stdio',
    runtimeArguments: listOf(value.runtimeArguments ?? value.runtime_arguments, readArgument),
    packageArguments: listOf(value.packageArguments ?? value.package_arguments, readArgument),
    environment: listOf(value.environmentVariables ?? value.environment_variables, readNamed),
  };
}

function readRemote(value: JsonObject): RegistryRemote | undefined {
  const url = textOf(value.url);
  if (url === undefined) {
    return undefined;
  }
  return {
    type: textOf(value.type ?? value.transport_type) ?? 'streamable-http',
    url,
    variables: variablesOf(value.variables),
    headers: listOf(value.headers, readNamed),
  };
}

function readArgument(value: JsonObject): RegistryArgument | undefined {
  const isNamed = value.type === 'named';
  const name = textOf(value.name);
  if (isNamed && name === undefined) {
    return undefined;
  }
  return {
    ...readInput(value),
    name: isNamed ? name : undefined,
    valueHint: textOf(value.valueHint ?? value.value_hint),
    isRepeated: (value.isRepeated ?? value.is_repeated) === true,
  };
}

function readNamed(value: JsonObject): NamedInput | undefined {
  const name = textOf(value.name);
  return name === undefined ? undefined : { ...readInput(value), name };
}

function readInput(value: JsonObject): RegistryInput {
  const { format } = value;
  return {
    description: textOf(value.description) ?? '',
    isRequired: (value.isRequired ?? value.is_required) === true,
    isSecret: (value.isSecret ?? value.is_secret) === true,
    format:
      format === 'number' || format === 'boolean' || format === 'filepath' ? format : 'string',
    value: textOf(value.value),
    default: textOf(value.default),
    placeholder: textOf(value.placeholder),
    choices: Array.isArray(value.choices)
      ? value.choices.slice(0, maxItems).flatMap((choice) => textOf(choice) ?? [])
      : [],
    variables: variablesOf(value.variables),
  };
}

/** Variables have none of their own. */
function variablesOf(value: unknown): Readonly<Record<string, RegistryInput>> {
  const entries = Object.entries(asObject(value)).slice(0, maxItems);
  return Object.fromEntries(
    entries.flatMap(([name, one]) =>
      isJsonObject(one) ? [[name, readInput({ ...one, variables: undefined })]] : [],
    ),
  );
}

function listOf<T>(
  value: unknown,
  read: (item: JsonObject) => T | undefined,
): readonly NonNullable<T>[] {
  const items: readonly unknown[] = Array.isArray(value) ? value.slice(0, maxItems) : [];
  return items.flatMap((item) => (isJsonObject(item) ? (read(item) ?? []) : []));
}

/** Too long a text is none: cut, it would be another one. */
function textOf(value: unknown): string | undefined {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  return typeof text === 'string' && text !== '' && text.length <= maxText ? text : undefined;
}

function webAddress(value: unknown): string | undefined {
  const text = textOf(value);
  return text !== undefined && URL.canParse(text) && new URL(text).protocol === 'https:'
    ? new URL(text).href
    : undefined;
}

function statusOf(value: unknown): RegistryStatus {
  return value === 'deprecated' || value === 'deleted' ? value : 'active';
}
