import { parseArgs } from 'node:util';
import * as l10n from '@vscode/l10n';
import { errorMessage, HumanError } from '../base/errors.js';
import { isJsonObject, type JsonObject } from '../base/json.js';

export interface CliFlags {
  readonly folder: string;
  readonly json: boolean;
  readonly trust: boolean;
  readonly server: string | undefined;
  /** Milliseconds. */
  readonly timeoutMs: number | undefined;
  readonly home: string | undefined;
  /** Print the address of a sign-in and open nothing. */
  readonly noBrowser: boolean;
  /** Sign in with a code on another device. */
  readonly device: boolean;
}

export type CliCommand =
  | { readonly kind: 'help' }
  | { readonly kind: 'list' | 'probe' | 'tools' | 'doctor' }
  | { readonly kind: 'login' | 'logout'; readonly server: string }
  | { readonly kind: 'search'; readonly query: string }
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

export const usage = `Usage: pi-mcp <command> [options]

Commands:
  list                    servers with scope, kind, state, source and problems; connects nothing
  probe                   connects and shows state, tools and timings
  tools                   the tools as a model sees them, with their cost in tokens
  search QUERY            the tools that fit a query, best first
  call SERVER TOOL JSON   calls a tool
  login SERVER            signs in to a remote server; the account is used by later runs
  logout SERVER           gives its tokens back and forgets them
  doctor                  a Markdown report for a bug report, without secrets

Options:
  --folder DIR    workspace folder (default: the current one)
  --home DIR      where the user's files are looked up
  --server NAME   only this server
  --timeout MS    limit for connecting and for calls
  --trust         consent to the folder's servers for this run only
  --json          one JSON document on stdout, nothing else
  --no-browser    print the address of a sign-in and open nothing, as without a terminal
  --device        sign in with a code on another device, where the server offers that

Accounts of "login" are kept unencrypted in pi-mcp/accounts.json beside the user's mcp.json of
Pi (~/.pi/agent), a file that only you may read. The editor keeps its own in its secret storage.

Exit status: 0 all well, 1 a server or call failed, 2 bad usage or configuration.
`;

/** @throws {HumanError} with code `usage`. */
export function parseArguments(argv: readonly string[], cwd: string): CliArguments {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(argv);
  } catch (error) {
    throw usageError(errorMessage(error));
  }
  const { values, positionals } = parsed;
  return {
    command: values.help ? { kind: 'help' } : parseCommand(positionals),
    flags: {
      folder: values.folder ?? cwd,
      json: values.json ?? false,
      trust: values.trust ?? false,
      server: values.server,
      timeoutMs: parseTimeout(values.timeout),
      home: values.home,
      noBrowser: values['no-browser'] ?? false,
      device: values.device ?? false,
    },
  };
}

function parse(argv: readonly string[]) {
  return parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      folder: { type: 'string' },
      home: { type: 'string' },
      server: { type: 'string' },
      timeout: { type: 'string' },
      trust: { type: 'boolean' },
      json: { type: 'boolean' },
      'no-browser': { type: 'boolean' },
      device: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
}

function parseCommand(positionals: readonly string[]): CliCommand {
  const [name, ...rest] = positionals;
  switch (name) {
    case 'list':
    case 'probe':
    case 'tools':
    case 'doctor':
      assertCount(name, rest, 0, 0);
      return { kind: name };
    case 'login':
    case 'logout':
      assertCount(name, rest, 1, 1);
      return { kind: name, server: rest[0] ?? '' };
    case 'search':
      assertCount(name, rest, 1, 1);
      return { kind: 'search', query: rest[0] ?? '' };
    case 'call':
      assertCount(name, rest, 2, 3);
      return {
        kind: 'call',
        server: rest[0] ?? '',
        tool: rest[1] ?? '',
        args: parseToolArguments(rest[2] ?? '{}'),
      };
    case 'help':
      return { kind: 'help' };
    default:
      throw usageError(
        name === undefined
          ? l10n.t('No command was given.')
          : l10n.t('There is no command "{0}".', name),
      );
  }
}

function assertCount(command: string, rest: readonly string[], least: number, most: number): void {
  if (rest.length < least || rest.length > most) {
    throw usageError(l10n.t('The command "{0}" got {1} arguments.', command, rest.length));
  }
}

function parseToolArguments(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // the check below says what is wrong
  }
  if (!isJsonObject(value)) {
    throw usageError(l10n.t('The arguments of the tool must be a JSON object.'));
  }
  return value;
}

function parseTimeout(text: string | undefined): number | undefined {
  if (text === undefined) {
    return undefined;
  }
  const ms = Number(text);
  if (!Number.isFinite(ms) || ms <= 0) {
    throw usageError(l10n.t('"--timeout" takes milliseconds, not "{0}".', text));
  }
  return ms;
}

function usageError(message: string): HumanError {
  return new HumanError('usage', message, { remedy: l10n.t('See "pi-mcp --help".') });
}
