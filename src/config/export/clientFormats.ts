/** How other clients write servers: what their entries can say, and in which words. */
import { stringify } from 'smol-toml';
import type { JsonObject } from '../../base/json.js';
import { showHidden } from '../../base/text/showHidden.js';
import type { McpHttpLaunch, McpStdioLaunch } from '../definition.js';
import { importLabels } from '../imports/importLabels.js';

export const exportClients = [
  'claude-code',
  'claude-desktop',
  'cursor',
  'windsurf',
  'vscode',
  'copilot',
  'codex',
  'gemini',
  'goose',
  'opencode',
  'zed',
  'pi',
] as const;
export type ExportClient = (typeof exportClients)[number];

/** As their makers write them. */
export const exportLabels: Readonly<Record<ExportClient, string>> = {
  ...importLabels,
  goose: 'goose',
};

/** A server with nothing in it that the client does not read. */
interface PortableServer {
  readonly name: string;
  readonly launch: PortableLaunch;
  /** Fields of ours that the client knows, under our names. */
  readonly options: JsonObject;
}

export type PortableLaunch =
  | Omit<McpStdioLaunch, 'inheritEnv' | 'protocolVersion'>
  | (Pick<McpHttpLaunch, 'kind' | 'url' | 'headers'> & { readonly isSse: boolean });

export interface ClientFormat {
  /** How a variable of the environment is written; `undefined`: the client replaces none. */
  readonly variable?: (name: string, fallback: string | undefined) => string;
  /**
   * Whether it replaces variables in this value, with all of them as the client writes them. Default: everywhere.
   * @param field such as `env.TOKEN`
   */
  readonly replacesIn?: (field: string, written: string) => boolean;
  /** It speaks to servers that send events alone. Default true. */
  readonly hasEvents?: boolean;
  /** It asks for inputs itself. */
  readonly hasInputs?: boolean;
  /** Places such as `workspaceFolder` are written as ours. */
  readonly hasPlaces?: boolean;
  /** Fields beside command, arguments, variables, address and headers that it knows, under our names. */
  readonly fields: readonly string[];
  readonly entryOf: (server: PortableServer) => JsonObject;
  /** Where the entries stand in its file. */
  readonly block: string;
  readonly language: 'json' | 'toml' | 'yaml';
}

const braced = (name: string, fallback: string | undefined) =>
  fallback === undefined ? `\${${name}}` : `\${${name}:-${fallback}}`;
const prefixed = (name: string) => `\${env:${name}}`;

const common = { fields: [], block: 'mcpServers', language: 'json' } as const;

/** `type` for remote servers alone, as most clients read it. */
function plainEntry({ launch }: PortableServer): JsonObject {
  if (launch.kind === 'http') {
    const { url, isSse, headers } = launch;
    return { type: isSse ? 'sse' : 'http', url, ...optional({ headers }) };
  }
  const { command, args, env, cwd, envFile } = launch;
  return { command, ...optional({ args, env, cwd, envFile }) };
}

function typedEntry(server: Parameters<typeof plainEntry>[0]): JsonObject {
  const entry = plainEntry(server);
  return server.launch.kind === 'stdio' ? { type: 'stdio', ...entry } : entry;
}

export const clientFormats: Readonly<Record<ExportClient, ClientFormat>> = {
  'claude-code': {
    ...common,
    variable: braced,
    entryOf: typedEntry,
  },
  'claude-desktop': { ...common, entryOf: plainEntry },
  cursor: {
    ...common,
    variable: prefixed,
    hasPlaces: true,
    fields: ['envFile'],
    entryOf: plainEntry,
  },
  windsurf: {
    ...common,
    variable: prefixed,
    entryOf: ({ launch, ...rest }) =>
      launch.kind === 'http'
        ? { serverUrl: launch.url, ...optional({ headers: launch.headers }) }
        : plainEntry({ ...rest, launch }),
  },
  vscode: {
    variable: prefixed,
    hasInputs: true,
    hasPlaces: true,
    fields: ['cwd', 'envFile'],
    entryOf: typedEntry,
    block: 'servers',
    language: 'json',
  },
  copilot: {
    ...common,
    variable: (name) => `\${${name}}`,
    fields: ['includeTools', 'cwd', 'requestTimeoutMs'],
    entryOf: (server) => ({
      type: 'local',
      ...plainEntry(server),
      tools: server.options.includeTools ?? ['*'],
      ...optional({ timeout: server.options.requestTimeoutMs }),
    }),
  },
  codex: {
    variable: prefixed,
    replacesIn: (field, written) =>
      field === `env.${/^\$\{env:(\w+)\}$/.exec(written)?.[1]}` ||
      (field.startsWith('headers.') && /^\$\{env:\w+\}$/.test(written)) ||
      (/^headers\.authorization$/i.test(field) && /^Bearer \$\{env:\w+\}$/i.test(written)),
    hasEvents: false,
    fields: [
      'cwd',
      'enabled',
      'startupTimeoutMs',
      'requestTimeoutMs',
      'includeTools',
      'excludeTools',
    ],
    entryOf: codexEntry,
    block: 'mcp_servers',
    language: 'toml',
  },
  gemini: {
    ...common,
    variable: (name) => `$${name}`,
    fields: ['cwd', 'requestTimeoutMs', 'includeTools', 'excludeTools'],
    entryOf: ({ launch, options, ...rest }) => {
      const { requestTimeoutMs: timeout, includeTools, excludeTools } = options;
      const entry =
        launch.kind === 'http'
          ? {
              [launch.isSse ? 'url' : 'httpUrl']: launch.url,
              ...optional({ headers: launch.headers }),
            }
          : plainEntry({ ...rest, launch, options });
      return { ...entry, ...optional({ timeout, includeTools, excludeTools }) };
    },
  },
  goose: {
    variable: (name) => `\${${name}}`,
    replacesIn: (field, written) =>
      field.startsWith('headers.') || field === `env.${/^\$\{(\w+)\}$/.exec(written)?.[1]}`,
    fields: ['enabled', 'requestTimeoutMs'],
    entryOf: gooseEntry,
    block: 'extensions',
    language: 'yaml',
  },
  opencode: {
    variable: (name) => `{env:${name}}`,
    fields: ['enabled', 'requestTimeoutMs'],
    entryOf: ({ launch, options }) => {
      const { enabled, requestTimeoutMs: timeout } = options;
      const rest = optional({ enabled, timeout });
      if (launch.kind === 'http') {
        return {
          type: 'remote',
          url: launch.url,
          ...optional({ headers: launch.headers }),
          ...rest,
        };
      }
      const { command, args, env } = launch;
      return {
        type: 'local',
        command: [command, ...args],
        ...optional({ environment: env }),
        ...rest,
      };
    },
    block: 'mcp',
    language: 'json',
  },
  zed: {
    hasEvents: false,
    fields: ['enabled'],
    entryOf: ({ launch, options: { enabled } }) =>
      launch.kind === 'http'
        ? { url: launch.url, ...optional({ headers: launch.headers, enabled }) }
        : { command: launch.command, args: launch.args, env: launch.env, ...optional({ enabled }) },
    block: 'context_servers',
    language: 'json',
  },
  pi: {
    ...common,
    variable: braced,
    fields: ['cwd', 'lifecycle', 'idleTimeout', 'directTools', 'excludeTools', 'debug'],
    entryOf: ({ launch, options, ...rest }) => ({
      ...plainEntry({ ...rest, launch, options }),
      ...options,
    }),
  },
};

/**
 * Codex replaces no variables inside of texts: it passes variables on by their names, also as headers.
 * https://developers.openai.com/codex/mcp
 */
function codexEntry({ launch, options }: PortableServer): JsonObject {
  const { enabled, startupTimeoutMs, requestTimeoutMs, includeTools, excludeTools } = options;
  const rest = optional({
    enabled,
    startup_timeout_sec: seconds(startupTimeoutMs),
    tool_timeout_sec: seconds(requestTimeoutMs),
    enabled_tools: includeTools,
    disabled_tools: excludeTools,
  });
  if (launch.kind === 'stdio') {
    const { command, args, env, cwd } = launch;
    const passed = Object.keys(env).filter((name) => env[name] === prefixed(name));
    const set = Object.entries(env).filter(([name]) => !passed.includes(name));
    return {
      command,
      ...optional({ args, env: Object.fromEntries(set), env_vars: passed, cwd }),
      ...rest,
    };
  }
  const referred = Object.entries(launch.headers).flatMap(([name, value]) => {
    const variable = /^\$\{env:(\w+)\}$/.exec(value)?.[1];
    return variable === undefined ? [] : [[name, variable] as const];
  });
  const bearer = Object.entries(launch.headers).flatMap(([name, value]) => {
    const variable = /^Bearer \$\{env:(\w+)\}$/i.exec(value)?.[1];
    return name.toLowerCase() === 'authorization' && variable !== undefined
      ? [[name, variable]]
      : [];
  });
  const known = new Set([...referred, ...bearer].map(([name]) => name));
  const set = Object.entries(launch.headers).filter(([name]) => !known.has(name));
  return {
    url: launch.url,
    ...optional({
      http_headers: Object.fromEntries(set),
      env_http_headers: Object.fromEntries(referred),
      bearer_token_env_var: bearer[0]?.[1],
    }),
    ...rest,
  };
}

/**
 * goose passes variables on by their names, and replaces those in headers.
 * https://block.github.io/goose/docs/guides/config-files
 */
function gooseEntry({ name, launch, options }: PortableServer): JsonObject {
  const { enabled = true, requestTimeoutMs } = options;
  const common = { name, enabled, ...optional({ timeout: seconds(requestTimeoutMs) }) };
  if (launch.kind === 'http') {
    const named = Object.values(launch.headers).flatMap((value) =>
      [...value.matchAll(/\$\{(\w+)\}/g)].map(([, variable = '']) => variable),
    );
    return {
      type: launch.isSse ? 'sse' : 'streamable_http',
      ...common,
      uri: launch.url,
      ...optional({ headers: launch.headers, env_keys: [...new Set(named)] }),
    };
  }
  const { command, args, env } = launch;
  const passed = Object.keys(env).filter((key) => env[key] === `\${${key}}`);
  const set = Object.entries(env).filter(([key]) => !passed.includes(key));
  return {
    type: 'stdio',
    ...common,
    cmd: command,
    args,
    ...optional({ envs: Object.fromEntries(set), env_keys: passed }),
  };
}

/** Every text in quotes, which YAML reads as JSON does. */
function yamlOf(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) {
    return ` ${JSON.stringify(value)}\n`;
  }
  const lines = Array.isArray(value)
    ? value.map((item) => `${indent}-${yamlOf(item, `${indent}  `)}`)
    : Object.entries(value).map(
        ([key, item]) => `${indent}${yamlKey(key)}:${yamlOf(item, `${indent}  `)}`,
      );
  return `\n${lines.join('')}`;
}

/** Words that YAML takes for something else are quoted, and so is all that is no word. */
function yamlKey(key: string): string {
  const isWord =
    /^[a-zA-Z_][\w-]*$/.test(key) && !/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(key);
  return isWord ? key : JSON.stringify(key);
}

/** What hides or turns text as an escape; TOML has no halves of characters. */
function escapedToml(text: string): string {
  const codeOf = (one: string) => (one.codePointAt(0) ?? 0).toString(16).padStart(8, '0');
  return [...text].map((one) => (showHidden(one) === one ? one : `\\U${codeOf(one)}`)).join('');
}

/** As the file of the client would hold the servers. */
export function writeServers(
  { block, language }: ClientFormat,
  servers: Readonly<Record<string, JsonObject>>,
  inputs: readonly JsonObject[],
): string {
  const document = { [block]: servers, ...optional({ inputs }) };
  switch (language) {
    case 'toml':
      return escapedToml(`${stringify(document).trim()}\n`);
    case 'yaml':
      return showHidden(yamlOf(document).trimStart());
    case 'json':
      return showHidden(`${JSON.stringify(document, null, 2)}\n`);
  }
}

/** Without what has no value, and without empty lists and maps. */
function optional(fields: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) =>
        value !== undefined &&
        !(typeof value === 'object' && value !== null && Object.keys(value).length === 0),
    ),
  );
}

function seconds(ms: unknown): number | undefined {
  return typeof ms === 'number' ? Math.ceil(ms / 1000) : undefined;
}
