/**
 * The one table of everything a server entry may hold. Validator, JSON schema, removal of defaults, hovers and
 * completion all read it.
 */
import * as l10n from '@vscode/l10n';
import type { McpServerOptions } from '../definition.js';
import { maxIdleMinutes, maxTimeoutMs } from './timeBounds.js';
import { unusedFields } from './unusedFields.js';

export type FieldType =
  | 'string'
  | 'boolean'
  | 'number'
  | 'strings'
  /** Object of strings. */
  | 'map'
  | 'boolean-or-strings'
  | 'string-or-strings'
  | 'enum'
  | 'object'
  | 'any';

/**
 * `launch`: decides what runs; a wrong value makes the entry invalid. `switch`: how the server is used; a wrong value
 * costs itself, and an entry of switches only overrides a lower one. `foreign`: other programs read it, we do not.
 */
export type FieldRole = 'launch' | 'switch' | 'foreign';

export interface ConfigField {
  readonly name: string;
  readonly type: FieldType;
  readonly kind: 'stdio' | 'http' | 'both';
  readonly role: FieldRole;
  /** What leaving the field out means; written values equal to it can be removed. */
  readonly defaultValue?: unknown;
  /** For `enum`, and suggestions for others. `false` is allowed where listed. */
  readonly values?: readonly (string | false)[];
  /** Smallest number. */
  readonly minimum?: number;
  /** Largest number. */
  readonly maximum?: number;
  /** The value, or every value of the map, is a secret. */
  readonly isSecret: boolean;
  /** `${VAR}` and its like are resolved in it. */
  readonly hasVariables: boolean;
  /** Other names under which the same value is accepted. */
  readonly aliases: readonly string[];
  /** One localized Markdown sentence or two. */
  readonly describe: () => string;
  readonly link?: string;
}

type FieldSpec = Pick<ConfigField, 'name' | 'type' | 'describe'> & Partial<ConfigField>;

const specificationLink =
  'https://modelcontextprotocol.io/specification/2025-11-25/basic/transports';

function field(spec: FieldSpec): ConfigField {
  return {
    kind: 'both',
    role: 'switch',
    isSecret: false,
    hasVariables: false,
    aliases: [],
    ...spec,
  };
}

const stdioFields: readonly ConfigField[] = [
  field({
    name: 'command',
    type: 'string-or-strings',
    kind: 'stdio',
    role: 'launch',
    hasVariables: true,
    link: specificationLink,
    describe: () =>
      l10n.t(
        'Executable of a stdio server, looked up on the PATH unless absolute. Exactly one of `command` and `url` must be set.',
      ),
  }),
  field({
    name: 'args',
    type: 'strings',
    kind: 'stdio',
    role: 'launch',
    defaultValue: [],
    hasVariables: true,
    describe: () => l10n.t('Command line arguments, one string each.'),
  }),
  field({
    name: 'env',
    type: 'map',
    kind: 'stdio',
    role: 'launch',
    defaultValue: {},
    isSecret: true,
    hasVariables: true,
    aliases: ['environment'],
    describe: () =>
      l10n.t(
        'Environment variables of the server, added to a small safe default such as PATH and HOME. The rest of your environment is not passed on.',
      ),
  }),
  field({
    name: 'cwd',
    type: 'string',
    kind: 'stdio',
    role: 'launch',
    hasVariables: true,
    describe: () =>
      l10n.t(
        'Working directory. Default: the workspace folder of the file, or your home directory for a global server.',
      ),
  }),
  field({
    name: 'inheritEnv',
    type: 'boolean',
    kind: 'stdio',
    role: 'launch',
    defaultValue: false,
    describe: () =>
      l10n.t(
        'Pass the whole environment of the editor to the server, secrets included. Name single variables in `env` instead where you can.',
      ),
  }),
];

const httpFields: readonly ConfigField[] = [
  field({
    name: 'url',
    type: 'string',
    kind: 'http',
    role: 'launch',
    hasVariables: true,
    aliases: ['serverUrl'],
    link: specificationLink,
    describe: () =>
      l10n.t(
        'Address of a remote server, `http:` or `https:`. Exactly one of `command` and `url` must be set.',
      ),
  }),
  field({
    name: 'transport',
    type: 'enum',
    role: 'launch',
    defaultValue: 'auto',
    values: ['auto', 'streamable-http', 'sse', 'http', 'stdio'],
    link: specificationLink,
    describe: () =>
      l10n.t(
        'How to speak to a remote server. `auto` tries Streamable HTTP first and falls back to SSE.',
      ),
  }),
  field({
    name: 'headers',
    type: 'map',
    kind: 'http',
    role: 'launch',
    defaultValue: {},
    isSecret: true,
    hasVariables: true,
    aliases: ['http_headers'],
    describe: () => l10n.t('HTTP headers that are sent with every request.'),
  }),
  field({
    name: 'auth',
    type: 'enum',
    kind: 'http',
    role: 'launch',
    values: ['bearer', 'oauth', false],
    describe: () =>
      l10n.t(
        'How to authenticate: `bearer` with `bearerToken` or `bearerTokenEnv`, `oauth`, or `false` for never. A client as Cursor writes it, `CLIENT_ID`, `CLIENT_SECRET` and `scopes`, is read as `oauth`.',
      ),
  }),
  field({
    name: 'bearerToken',
    type: 'string',
    kind: 'http',
    role: 'launch',
    isSecret: true,
    hasVariables: true,
    describe: () => l10n.t('Token for the `Authorization: Bearer` header.'),
  }),
  field({
    name: 'bearerTokenEnv',
    type: 'string',
    kind: 'http',
    role: 'launch',
    aliases: ['bearer_token_env_var'],
    describe: () => l10n.t('Name of the environment variable that holds the bearer token.'),
  }),
  field({
    name: 'ignoreCertificateErrors',
    type: 'boolean',
    kind: 'http',
    role: 'launch',
    defaultValue: false,
    describe: () =>
      l10n.t(
        'Accept any TLS certificate. Anyone on the network path can then read and change the traffic.',
      ),
  }),
  field({
    name: 'oauth',
    type: 'any',
    kind: 'http',
    role: 'launch',
    describe: () => l10n.t('OAuth client settings of a remote server.'),
  }),
];

const commonFields: readonly ConfigField[] = [
  field({
    name: 'enabled',
    type: 'boolean',
    defaultValue: true,
    describe: () => l10n.t('Set to `false` to keep the server without ever starting it.'),
  }),
  field({
    name: 'disabled',
    type: 'boolean',
    defaultValue: false,
    describe: () => l10n.t('Set to `true` to keep the server without ever starting it.'),
  }),
  field({
    name: 'type',
    type: 'enum',
    role: 'launch',
    values: ['stdio', 'http', 'sse', 'streamable-http', 'streamableHttp', 'local', 'remote'],
    describe: () =>
      l10n.t(
        'Kind of server as other programs write it. Not needed here: `command` or `url` decides.',
      ),
  }),
  field({
    name: 'lifecycle',
    type: 'enum',
    defaultValue: 'lazy',
    values: ['lazy', 'eager', 'keep-alive', 'lazy-keep-alive'],
    describe: () =>
      l10n.t(
        '`lazy` connects on first use, `eager` at start, `keep-alive` at start and again whenever the connection is lost, `lazy-keep-alive` the same from first use on.',
      ),
  }),
  field({
    name: 'idleTimeout',
    type: 'number',
    defaultValue: 10,
    minimum: 0,
    maximum: maxIdleMinutes,
    describe: () => l10n.t('Minutes without use before the server is stopped; 0 means never.'),
  }),
  field({
    name: 'startupTimeoutMs',
    type: 'number',
    defaultValue: 30_000,
    minimum: 1,
    maximum: maxTimeoutMs,
    aliases: ['startup_timeout_ms'],
    describe: () => l10n.t('Milliseconds until a connect attempt fails.'),
  }),
  field({
    name: 'requestTimeoutMs',
    type: 'number',
    defaultValue: 60_000,
    minimum: 1,
    maximum: maxTimeoutMs,
    describe: () =>
      l10n.t('Milliseconds until a request fails; progress of the server starts the time anew.'),
  }),
  field({
    name: 'stopGraceMs',
    type: 'number',
    kind: 'stdio',
    defaultValue: 2000,
    // neither may a file take a server the time to save its work, nor the user the means to end it
    minimum: 500,
    maximum: 10_000,
    describe: () =>
      l10n.t(
        'Milliseconds that a server gets to end after its stdin was closed, before it is told by SIGTERM; for example 5000 for one that closes a browser. When the window closes, at most 2000.',
      ),
  }),
  field({
    name: 'protocolVersion',
    type: 'enum',
    role: 'launch',
    defaultValue: 'legacy',
    values: ['legacy', 'auto', '2026-07-28'],
    describe: () =>
      l10n.t('Generation of the protocol that is spoken: `legacy`, `auto` or one version.'),
  }),
  field({
    name: 'exposeResources',
    type: 'boolean',
    defaultValue: true,
    describe: () =>
      l10n.t('Let the agent list and read the resources of the server through a tool.'),
  }),
  field({
    name: 'exposure',
    type: 'enum',
    values: ['auto', 'direct', 'search', 'proxy', 'hidden'],
    describe: () =>
      l10n.t(
        'How tools reach the agent: always active (`direct`), found by search (`search`), through one `mcp` tool (`proxy`), not at all (`hidden`), or by token budget (`auto`).',
      ),
  }),
  field({
    name: 'directTools',
    type: 'boolean-or-strings',
    values: ['search'],
    describe: () => l10n.t('`true` or the names of the tools that are always active.'),
  }),
  field({
    name: 'includeTools',
    type: 'strings',
    aliases: ['enabled_tools'],
    describe: () => l10n.t('The only tools that the agent may see.'),
  }),
  field({
    name: 'excludeTools',
    type: 'strings',
    aliases: ['disabledTools', 'disabled_tools'],
    describe: () => l10n.t('Tools that the agent never sees.'),
  }),
  field({
    name: 'toolPrefix',
    type: 'enum',
    values: ['server', 'short', 'none', 'mcp'],
    describe: () => l10n.t('Prefix of the tool names that the agent sees.'),
  }),
  field({
    name: 'debug',
    type: 'boolean',
    defaultValue: false,
    describe: () => l10n.t('Log what the server writes to stderr at a visible level.'),
  }),
];

function foreign(name: string, describe: () => string): ConfigField {
  return field({ name, type: 'any', role: 'foreign', describe });
}

const foreignFields: readonly ConfigField[] = [
  ...['autoApprove', 'alwaysAllow', 'trust', 'approveTools', 'samplingAutoApprove'].map((name) =>
    foreign(name, () =>
      l10n.t('Approval rule of another program. A file never approves tool calls here; you do.'),
    ),
  ),
  ...['timeout', 'startup_timeout_sec', 'tool_timeout_sec'].map((name) =>
    foreign(name, () =>
      l10n.t(
        'Timeout of another program, whose units differ. Use `startupTimeoutMs` and `requestTimeoutMs`.',
      ),
    ),
  ),
  ...unusedFields.map((name) =>
    foreign(name, () => l10n.t('Read by other programs and kept; it has no effect here.')),
  ),
];

/** In the order in which an editor should offer them. */
export const configFields: readonly ConfigField[] = [
  ...stdioFields,
  ...httpFields,
  ...commonFields,
  ...foreignFields,
];

const fieldByName: ReadonlyMap</* name or alias */ string, ConfigField> = new Map(
  configFields.flatMap((item) => [item.name, ...item.aliases].map((name) => [name, item] as const)),
);

/** The field that a property of an entry stands for, by its name or an alias. */
export function findField(name: string): ConfigField | undefined {
  return fieldByName.get(name);
}

/** Names under which secrets stand in an entry, aliases included. */
export const secretFieldNames: readonly string[] = configFields
  .filter((item) => item.isSecret)
  .flatMap((item) => [item.name, ...item.aliases]);

export const defaultOptions: McpServerOptions = {
  lifecycle: 'lazy',
  idleTimeout: 10,
  startupTimeoutMs: 30_000,
  requestTimeoutMs: 60_000,
  stopGraceMs: 2000,
  exposeResources: true,
  debug: false,
};
