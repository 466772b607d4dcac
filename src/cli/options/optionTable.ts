/** Every option of the command line: how it is read and what help says of it. */

interface CliOption {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  /** The name that another program has for it. */
  readonly alias?: string;
  /** What stands for the value in help. */
  readonly value?: string;
  /** May be given several times. */
  readonly multiple?: true;
  /** The only values. */
  readonly choices?: readonly string[];
  readonly text: string;
}

const scopes = ['user', 'project', 'local'] as const;
/** Whose a server is: of the user, of everybody who has the folder, or of the user in this folder. */
export type Scope = (typeof scopes)[number];

const formats = ['jsonl', 'csv'] as const;
export type LogFormat = (typeof formats)[number];

const transports = ['stdio', 'http', 'sse'] as const;

export const cliOptions = {
  folder: { type: 'string', value: 'DIR', text: 'workspace folder (default: the current one)' },
  home: { type: 'string', value: 'DIR', text: "where the user's files are looked up" },
  config: {
    type: 'string',
    alias: 'mcp-config',
    value: 'FILE',
    text: "the user's configuration file, instead of ~/.pi/agent/mcp.json; also --mcp-config, or MCP_CONFIG in the environment",
  },
  json: { type: 'boolean', text: 'one JSON document on stdout, nothing else' },
  help: { type: 'boolean', short: 'h', text: 'what a command does, and its options' },
  server: { type: 'string', value: 'NAME', text: 'only this server' },
  profile: {
    type: 'string',
    value: 'NAME',
    text: 'only the tools of this profile, from "settings.profiles" of the configuration files',
  },
  none: { type: 'boolean', text: 'no profile: every tool is in' },
  tokens: {
    type: 'boolean',
    text: 'connect the servers, and count the tools and tokens of each profile',
  },
  timeout: { type: 'string', value: 'MS', text: 'limit for connecting and for calls' },
  trust: { type: 'boolean', text: "trust the folder's servers for this run only" },
  input: {
    type: 'string',
    value: 'NAME=VALUE',
    multiple: true,
    text: 'value of an input, for this run only; may be repeated',
  },
  'input-file': {
    type: 'string',
    value: 'FILE',
    text: 'the same from a file, one a line: for values that others may not see',
  },
  'no-browser': {
    type: 'boolean',
    text: 'print the address of a sign-in and open nothing, as without a terminal',
  },
  device: {
    type: 'boolean',
    text: 'sign in with a code on another device, where the server offers that',
  },
  scope: {
    type: 'string',
    short: 's',
    value: 'SCOPE',
    choices: scopes,
    text: 'user: all your folders; project: .mcp.json of the folder, for everybody; local: you, in this folder',
  },
  transport: {
    type: 'string',
    short: 't',
    value: 'KIND',
    choices: transports,
    text: 'how the server is reached (default: http for an address, else stdio)',
  },
  env: {
    type: 'string',
    short: 'e',
    value: 'KEY=value',
    multiple: true,
    text: 'an environment variable of the process; may be repeated',
  },
  header: {
    type: 'string',
    short: 'H',
    value: "'Name: value'",
    multiple: true,
    text: 'a header of the requests; may be repeated',
  },
  name: { type: 'string', value: 'NAME', text: 'the name that the server gets there' },
  account: {
    type: 'string',
    value: 'NAME',
    text: 'which of several accounts; "" is the one without a name (default: the one that this folder uses)',
  },
  from: {
    type: 'string',
    value: 'SCOPE',
    choices: scopes,
    text: 'which one is meant, where several have the name',
  },
  link: {
    type: 'boolean',
    text: "show the program's servers as they are there from now on, instead of a copy",
  },
  port: {
    type: 'string',
    value: 'PORT',
    text: 'where it listens on this machine (default: any that is free)',
  },
  http: {
    type: 'boolean',
    text: 'over HTTP on this machine, instead of standard input and output',
  },
  delays: { type: 'boolean', text: 'each answer takes as long as it took; at most a minute' },
  'folder-trust': {
    type: 'boolean',
    text: 'the folder as a whole: what is added to its files later starts, too',
  },
  definitions: {
    type: 'boolean',
    text: 'connects, shows what servers changed in what models read of them, and accepts exactly that',
  },
  since: {
    type: 'string',
    value: 'TIME',
    text: 'calls from then on: 30m, 12h, 7d, or a date such as 2026-11-28 (default: all)',
  },
  format: {
    type: 'string',
    value: 'FORMAT',
    choices: formats,
    text: 'for other programs: a call on each line',
  },
  yes: { type: 'boolean', short: 'y', text: 'answer the question with yes' },
} as const satisfies Readonly<Record<string, CliOption>>;

export type OptionName = keyof typeof cliOptions;

export function optionOf(name: OptionName): CliOption {
  return cliOptions[name];
}

/** As it may be written behind two dashes. */
export function longNames(name: OptionName): readonly string[] {
  const { alias } = optionOf(name);
  return alias === undefined ? [name] : [name, alias];
}

/** Of every command. */
export const commonOptions: readonly OptionName[] = ['folder', 'home', 'config', 'json', 'help'];

/** The option that a word of a command line writes, such as `--scope=user` or `-s`. */
export function optionNamed(word: string): OptionName | undefined {
  const names = Object.keys(cliOptions) as OptionName[];
  return names.find((name) => {
    const { short } = optionOf(name);
    const [long] = word.split('=', 1);
    return longNames(name).some((one) => long === `--${one}`) || word === `-${short}`;
  });
}
