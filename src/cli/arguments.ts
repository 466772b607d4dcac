import { possibleDelay } from '../base/async/possibleDelay.js';
import type { JsonObject } from '../base/json.js';
import type { NewServer } from '../config/configuration.js';
import { type ImportSource, importSources } from '../config/definition.js';
import { type ExportClient, exportClients } from '../config/export/clientFormats.js';
import { type CommandName, commandSpec, isCommand } from './options/commandTable.js';
import { completionScripts, shells } from './options/completion.js';
import { addedServer, parseObject } from './options/newServer.js';
import { type LogFormat, optionNamed, type Scope } from './options/optionTable.js';
import {
  assertOptions,
  commandIn,
  readLine,
  refuseOptions,
  separateCommandLine,
  usageError,
  type WrittenLine,
  wrongCount,
  wrongValue,
} from './options/readOptions.js';

export interface CliFlags {
  readonly folder: string;
  readonly json: boolean;
  readonly trust: boolean;
  readonly server: string | undefined;
  /** Name of the profile that narrows the tools. */
  readonly profile: string | undefined;
  /** Tools and tokens are counted, for which servers are connected. */
  readonly tokens: boolean;
  /** Milliseconds. */
  readonly timeoutMs: number | undefined;
  readonly home: string | undefined;
  /** The user's configuration file, in place of Pi's own. */
  readonly config: string | undefined;
  /** `NAME=VALUE`, as written. */
  readonly inputs: readonly string[];
  /** Of lines like {@link inputs}. */
  readonly inputFile: string | undefined;
  /** Print the address of a sign-in and open nothing. */
  readonly noBrowser: boolean;
  /** Sign in with a code on another device. */
  readonly device: boolean;
  /** Servers of other programs are shown as they are there, and not copied. */
  readonly link: boolean;
  /** Consent is for all that the folder's files declare, now and later. */
  readonly folderTrust: boolean;
  readonly definitions: boolean;
  /** Every question is answered with yes. */
  readonly yes: boolean;
  /** Whose the server is that a command is about, or that it makes. */
  readonly scope: Scope | undefined;
}

/** What is named, and nothing else. */
type NamingCommand = 'get' | 'remove' | 'enable' | 'disable';

export interface AccountCommand {
  readonly kind: 'login' | 'logout';
  readonly server: string;
  /** Empty: the one without a name. Default: the one that the folder uses. */
  readonly account: string | undefined;
}

export interface MoveTarget {
  readonly scope: Scope;
  /** Which one is meant. Default: there is one alone. */
  readonly from: Scope | undefined;
  /** Default: stays. */
  readonly name: string | undefined;
}

export interface MockCommand {
  readonly kind: 'mock';
  /** Of the recording, as written. */
  readonly path: string;
  /** Default: over standard input and output. */
  readonly port: number | undefined;
  readonly isDelayed: boolean;
}

export type CliCommand =
  | { readonly kind: 'help'; readonly about: CommandName | undefined }
  | { readonly kind: 'list' | 'probe' | 'tools' | 'doctor' | 'revoke' }
  | { readonly kind: 'gateway'; readonly port: number }
  | MockCommand
  | {
      readonly kind: 'log';
      /** Milliseconds since the epoch. */
      readonly since: number;
      /** Also one that is not configured any more. */
      readonly server: string | undefined;
      /** Default: for people. */
      readonly format: LogFormat | undefined;
    }
  | { readonly kind: NamingCommand; readonly server: string }
  | AccountCommand
  | { readonly kind: 'move' | 'copy'; readonly server: string; readonly target: MoveTarget }
  | {
      readonly kind: 'import';
      readonly sources: readonly ImportSource[];
      /** The only one that is meant. */
      readonly server: string | undefined;
    }
  | {
      readonly kind: 'export';
      readonly client: ExportClient;
      readonly servers: readonly string[];
    }
  | { readonly kind: 'trust'; readonly servers: readonly string[] }
  | { readonly kind: 'add' | 'add-json'; readonly added: NewServer }
  /** Default: as the bundle calls itself. */
  | { readonly kind: 'add-bundle'; readonly path: string; readonly name: string | undefined }
  | { readonly kind: 'profile-list' }
  /** Default: none, so that every tool is in. */
  | { readonly kind: 'profile-use'; readonly name: string | undefined }
  | { readonly kind: 'search'; readonly query: string }
  | { readonly kind: 'completion'; readonly script: string }
  | { readonly kind: 'complete'; readonly words: readonly string[] }
  | {
      readonly kind: 'call';
      readonly server: string;
      readonly tool: string;
      readonly args: JsonObject;
    };

export interface CliArguments {
  readonly command: CliCommand;
  readonly flags: CliFlags;
}

/** @throws {HumanError} with code `usage`. */
export function parseArguments(argv: readonly string[], cwd: string): CliArguments {
  const line = readLine(commandIn(argv) === 'add' ? separateCommandLine(argv) : argv);
  const command = parseCommand(line);
  return {
    command,
    flags: {
      folder: line.text('folder') ?? cwd,
      json: line.has('json'),
      trust: line.has('trust'),
      server: line.text('server') ?? narrowing(command, line.words),
      profile: line.text('profile'),
      tokens: line.has('tokens'),
      timeoutMs: parseTimeout(line.text('timeout')),
      home: line.text('home'),
      config: line.text('config'),
      inputs: line.all('input'),
      inputFile: line.text('input-file'),
      noBrowser: line.has('no-browser'),
      device: line.has('device'),
      link: line.has('link'),
      folderTrust: line.has('folder-trust'),
      definitions: line.has('definitions'),
      yes: line.has('yes'),
      scope: line.text('scope') as Scope | undefined,
    },
  };
}

/** The server to which the word behind a command narrows it. */
function narrowing({ kind }: CliCommand, [, word]: readonly string[]): string | undefined {
  return kind === 'probe' || kind === 'tools' ? word : undefined;
}

/** Where a line that is not finished looks for files. */
export function readPlaces(
  words: readonly string[],
): Partial<Pick<CliFlags, 'folder' | 'home' | 'config'>> {
  const places = (['folder', 'home', 'config'] as const).flatMap((name) => {
    const at = words.slice(0, -1).findLastIndex((word) => optionNamed(word) === name);
    const [written = '', next] = words.slice(at, at + 2);
    const value = written.includes('=') ? written.slice(written.indexOf('=') + 1) : next;
    return at < 0 ? [] : [[name, value] as const];
  });
  return Object.fromEntries(places);
}

function parseCommand(line: WrittenLine): CliCommand {
  const [name, ...rest] = line.words;
  if (name === 'help' || (name === undefined && line.has('help'))) {
    const [about] = rest;
    return { kind: 'help', about: about !== undefined && isCommand(about) ? about : undefined };
  }
  if (name === undefined || !isCommand(name)) {
    throw usageError(
      name === undefined ? 'No command was given.' : `The command "${name}" does not exist.`,
    );
  }
  if (line.has('help')) {
    return { kind: 'help', about: name };
  }
  assertOptions(line, name);
  assertCount(name, rest);
  return toCommand(name, rest, line);
}

function toCommand(name: CommandName, words: readonly string[], line: WrittenLine): CliCommand {
  const [first = '', second = '', third = '{}'] = words;
  switch (name) {
    case 'list':
    case 'probe':
    case 'tools':
    case 'doctor':
    case 'revoke':
      return { kind: name };
    case 'gateway':
      return { kind: name, port: parsePort(line.text('port'), name) };
    case 'mock': {
      const isHttp = line.has('http') || line.text('port') !== undefined;
      const port = isHttp ? parsePort(line.text('port'), name) : undefined;
      return { kind: name, path: first, port, isDelayed: line.has('delays') };
    }
    case 'log': {
      const format = line.text('format') as LogFormat | undefined;
      return {
        kind: name,
        since: parseSince(line.text('since')),
        server: line.text('server'),
        format,
      };
    }
    case 'get':
    case 'remove':
    case 'enable':
    case 'disable':
      return { kind: name, server: first };
    case 'login':
    case 'logout':
      return { kind: name, server: first, account: line.text('account') };
    case 'import':
      return {
        kind: name,
        sources: words.map((word) => oneOf(importSources, word, name)),
        server: line.text('server'),
      };
    case 'export':
      return { kind: name, client: oneOf(exportClients, first, name), servers: words.slice(1) };
    case 'trust':
      return { kind: name, servers: words };
    case 'move':
    case 'copy':
      return { kind: name, server: first, target: moveTarget(line, name) };
    case 'add':
      return addCommand(words, line);
    case 'add-json':
      return { kind: name, added: { name: first, entry: parseObject(second, name) } };
    case 'profile':
      return profileCommand(words, line.has('none'));
    case 'completion':
      return { kind: name, script: completionScripts[oneOf(shells, first, name)] };
    case 'complete':
      return { kind: name, words };
    case 'search':
      return { kind: name, query: first };
    case 'call':
      return { kind: name, server: first, tool: second, args: parseObject(third, name) };
  }
}

function addCommand(words: readonly string[], line: WrittenLine): CliCommand {
  const [path = '', name, ...more] = words;
  if (/\.(?:mcpb|dxt)$/i.test(path) && more.length === 0) {
    refuseOptions(line, 'add FILE.mcpb', ['transport', 'env', 'header']);
    return { kind: 'add-bundle', path, name };
  }
  if (words.length < 2) {
    throw wrongCount('add', true);
  }
  refuseOptions(line, 'add NAME', ['input']);
  return { kind: 'add', added: addedServer(words, line) };
}

function profileCommand(words: readonly string[], isNone: boolean): CliCommand {
  const [action, name] = words;
  if (action === 'list' && name === undefined && !isNone) {
    return { kind: 'profile-list' };
  }
  if (action === 'use' && (name === undefined) === isNone) {
    return { kind: 'profile-use', name };
  }
  throw wrongValue('profile', 'list, use NAME, use --none', words.join(' '), 'profile');
}

function oneOf<T extends string>(known: readonly T[], word: string, command: CommandName): T {
  const found = known.find((one) => one === word);
  if (found === undefined) {
    throw wrongValue(command, known.join(', '), word, command);
  }
  return found;
}

function moveTarget(line: WrittenLine, command: CommandName): MoveTarget {
  const scope = line.text('scope') as Scope | undefined;
  if (scope === undefined) {
    throw usageError('"--scope" says where the server goes.', command);
  }
  return { scope, from: line.text('from') as Scope | undefined, name: line.text('name') };
}

function assertCount(command: CommandName, { length }: readonly string[]): void {
  const { least, most } = commandSpec(command);
  if (length < least || length > most) {
    throw wrongCount(command, length < least);
  }
}

/** 0: any that is free. */
function parsePort(text: string | undefined, command: CommandName): number {
  const port = Number(text ?? 0);
  if (text !== undefined && (!/^\d{1,5}$/.test(text) || port > 65_535)) {
    throw wrongValue('--port', '0–65535', text, command);
  }
  return port;
}

/** @returns milliseconds since the epoch; 0 for all */
function parseSince(text: string | undefined): number {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text ?? '') ?? [];
  if (text === undefined) {
    return 0;
  }
  const at =
    count === undefined
      ? Date.parse(text)
      : Date.now() -
        Number(count) * { m: 60_000, h: 3_600_000, d: 86_400_000 }[unit as 'm' | 'h' | 'd'];
  if (!Number.isFinite(at)) {
    throw wrongValue('--since', '30m, 12h, 7d, 2026-01-31', text, 'log');
  }
  return at;
}

function parseTimeout(text: string | undefined): number | undefined {
  if (text === undefined) {
    return undefined;
  }
  const ms = Number(text);
  if (!Number.isFinite(ms) || ms <= 0) {
    throw wrongValue('--timeout', '1, 2, … ms', text);
  }
  // a timer takes whole ones, and fires at once for more than it can wait for
  return possibleDelay(Math.ceil(ms));
}
