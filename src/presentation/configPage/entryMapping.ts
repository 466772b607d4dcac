/** Between an entry as files hold it and the form that edits it. Plain Node; no `vscode`. */
import { isJsonObject, type JsonObject } from '../../base/json.js';
import type { McpServerEntry } from '../../config/configuration.js';
import type { McpLifecycle } from '../../config/definition.js';
import { findField } from '../../config/schema/fields.js';
import type { ConfigFormEntry, ConfigFormPair } from '../../protocol/configProtocol.js';

const lifecycles: readonly McpLifecycle[] = ['lazy', 'eager', 'keep-alive', 'lazy-keep-alive'];
const transports = ['auto', 'streamable-http', 'sse'] as const;
const numberFields = ['idleTimeout', 'startupTimeoutMs', 'requestTimeoutMs'] as const;

const stdioFields = ['command', 'args', 'env', 'cwd'] as const;
const httpFields = ['url', 'transport', 'headers', 'ignoreCertificateErrors'] as const;
const commonFields = ['lifecycle', ...numberFields] as const;

/** What `McpConfiguration.add` and `update` take. */
export interface EntryChange {
  /** `undefined` removes a field. */
  readonly entry: McpServerEntry;
  readonly renamedKeys: { readonly [field: string]: Readonly<Record<string, string>> };
}

/** Values of a type that the form cannot show are left out of it. */
export function toFormEntry(entry: McpServerEntry): ConfigFormEntry {
  const read = (field: string) => entry[nameIn(entry, field)];
  const common = {
    ...oneOf('lifecycle', read('lifecycle'), lifecycles),
    ...Object.fromEntries(
      numberFields.flatMap((field) => {
        const value = read(field);
        return typeof value === 'number' ? [[field, value]] : [];
      }),
    ),
  };
  if (read('url') !== undefined && read('command') === undefined) {
    return {
      kind: 'http',
      ...text('url', read('url')),
      ...oneOf('transport', read('transport'), transports),
      ...pairs('headers', read('headers')),
      ...(read('ignoreCertificateErrors') === true ? { ignoreCertificateErrors: true } : {}),
      ...common,
    };
  }
  const [command, ...leadingArgs] = strings(read('command'));
  const args = [...leadingArgs, ...strings(read('args'))];
  return {
    kind: 'stdio',
    ...text('command', command),
    ...(args.length > 0 ? { args } : {}),
    ...pairs('env', read('env')),
    ...text('cwd', read('cwd')),
    ...common,
  };
}

/**
 * The fields that saving the form writes. Fields keep the spelling that `stored` uses, a command that was an array
 * stays one, and fields of the other kind go away.
 */
export function toEntryChange(form: ConfigFormEntry, stored: McpServerEntry = {}): EntryChange {
  const values = { ...formValues(form), ...commandValues(form, stored) };
  const managed = [...stdioFields, ...httpFields, ...commonFields];
  const fields = managed.flatMap((field): [string, unknown][] => {
    const name = nameIn(stored, field);
    const value = values[field];
    return value === undefined && !Object.hasOwn(stored, name) ? [] : [[name, value]];
  });
  const renamed = (field: 'env' | 'headers') =>
    (form[field] ?? []).flatMap(({ key, storedKey }): [string, string][] =>
      storedKey === undefined || storedKey === key ? [] : [[key, storedKey]],
    );
  const renamedKeys = (['env', 'headers'] as const)
    .map((field) => [nameIn(stored, field), renamed(field)] as const)
    .filter(([, names]) => names.length > 0)
    .map(([field, names]) => [field, Object.fromEntries(names)] as const);
  return {
    entry: Object.fromEntries([...fields, ...typeField(form, stored)]),
    renamedKeys: Object.fromEntries(renamedKeys),
  };
}

function formValues(form: ConfigFormEntry): JsonObject {
  const { kind, env, headers, ...rest } = form;
  return {
    ...rest,
    ...(env ? { env: toRecord(env) } : {}),
    ...(headers ? { headers: toRecord(headers) } : {}),
  };
}

function commandValues({ command, args }: ConfigFormEntry, stored: McpServerEntry): JsonObject {
  const wasArray = Array.isArray(stored[nameIn(stored, 'command')]);
  return wasArray && command !== undefined
    ? { command: [command, ...(args ?? [])], args: undefined }
    : {};
}

/** Other programs read `type`; a stored one that contradicts the new kind would mislead them. */
function typeField(
  { kind }: ConfigFormEntry,
  stored: McpServerEntry,
): readonly [string, unknown][] {
  const isStdioType = stored.type === 'stdio' || stored.type === 'local';
  return typeof stored.type === 'string' && isStdioType !== (kind === 'stdio')
    ? [['type', undefined]]
    : [];
}

function nameIn(entry: McpServerEntry, field: string): string {
  if (Object.hasOwn(entry, field)) {
    return field;
  }
  return (findField(field)?.aliases ?? []).find((alias) => Object.hasOwn(entry, alias)) ?? field;
}

function toRecord(items: readonly ConfigFormPair[]): JsonObject {
  return Object.fromEntries(items.map(({ key, value }) => [key, value]));
}

function text<F extends string>(field: F, value: unknown): { readonly [key in F]?: string } {
  return (typeof value === 'string' ? { [field]: value } : {}) as { [key in F]?: string };
}

function oneOf<F extends string, V extends string>(
  field: F,
  value: unknown,
  values: readonly V[],
): { readonly [key in F]?: V } {
  const known = values.find((candidate) => candidate === value);
  return (known === undefined ? {} : { [field]: known }) as { [key in F]?: V };
}

function strings(value: unknown): readonly string[] {
  const list = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return list.filter((item): item is string => typeof item === 'string');
}

function pairs(field: 'env' | 'headers', value: unknown): Pick<ConfigFormEntry, 'env' | 'headers'> {
  const items = isJsonObject(value)
    ? Object.entries(value).map(([key, item]) => ({ key, value: String(item) }))
    : [];
  return items.length > 0 ? { [field]: items } : {};
}
