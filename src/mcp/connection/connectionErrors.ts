import * as l10n from '@vscode/l10n';
import { errorCode, errorMessage, HumanError, isHumanError } from '../../base/errors.js';
import { rpcCode } from '../../base/jsonRpc.js';
import { maskSecrets } from '../../config/secrets/redact.js';
import type { McpServerFailure } from '../mcpTypes.js';
import type { UsedAccount } from '../oauth/serverAuthorization.js';
import { authorizationFailure, refusalFailure } from './authorizationFailure.js';
import { ConnectTimeoutError } from './connectDeadline.js';
import type { SessionLostError, StreamDroppedError } from './http/httpWatch.js';
import {
  findCertificateTrouble,
  isSilence,
  isUnreachable,
  networkErrorCode,
} from './http/networkErrors.js';
import { cutText, maxErrorLength } from './reading/serverBounds.js';
import type { ProcessExit, StdioEnd } from './stdio/stdioTransport.js';

const maxShownFolders = 12;

/** What is known about the connection that an error happened on. */
export interface FailureContext {
  /** Values that are masked in every text of the failure. */
  readonly secrets: readonly string[];
  /** Executable as written, for stdio. */
  readonly command?: string | undefined;
  /** What runs, as one line. */
  readonly commandLine?: string | undefined;
  /** For remote servers. */
  readonly url?: string | undefined;
  /** False when the entry's own token or switch rules OAuth out. Default true. */
  readonly maySignIn?: boolean | undefined;
  /** Of a user who is signed in and cannot connect. */
  readonly account?: UsedAccount | undefined;
  readonly stderrTail?: readonly string[] | undefined;
  readonly exit?: ProcessExit | undefined;
  readonly end?: StdioEnd | undefined;
}

/** Texts and codes before the context is added and secrets are masked. */
type Finding = Pick<
  McpServerFailure,
  'code' | 'message' | 'remedy' | 'httpStatus' | 'retryAfterMs'
>;

/** A connection that could not be opened; carries the failure that becomes the server's state. */
export class ConnectionFailedError extends HumanError {
  override readonly name = 'ConnectionFailedError';

  constructor(
    readonly failure: McpServerFailure,
    cause?: unknown,
  ) {
    super(failure.code, failure.message, { remedy: failure.remedy, cause });
  }
}

/** The server runs and takes messages, but answers nothing. */
export class UnresponsiveError extends Error {
  override readonly name = 'UnresponsiveError';

  /** @param silentMs for how long it was asked. */
  constructor(readonly silentMs: number) {
    super(`No answer to pings for ${silentMs} ms`);
  }
}

/** Says what any error thrown while connecting, talking or ending means for the user. */
export function classifyFailure(error: unknown, context: FailureContext): McpServerFailure {
  return completeFailure(findCause(error, context), context);
}

/** Where a command was looked for in vain. */
export interface ExecutableSearchFailure {
  readonly command: string;
  /** Folders of the PATH that the server would have had. */
  readonly searched: readonly string[];
  /** Where a login shell finds it; undefined when it does not either. */
  readonly inLoginShell: string | undefined;
}

/** A launch whose executable is nowhere on the PATH or at its path. */
export function executableNotFound(
  { command, searched, inLoginShell }: ExecutableSearchFailure,
  context: FailureContext,
): McpServerFailure {
  const isPath = /[/\\]/.test(command);
  const remedy = inLoginShell
    ? l10n.t(
        'A login shell finds it at "{0}": write that path in "command", or remove PATH from "env".',
        inLoginShell,
      )
    : l10n.t('Install it, or write the full path of the executable in "command".');
  const finding: Finding = {
    code: 'spawn_enoent',
    message: isPath
      ? l10n.t('The command "{0}" does not exist.', command)
      : l10n.t(
          'The command "{0}" was not found in any of the {1} folders of PATH.',
          command,
          searched.length,
        ),
    remedy: isPath ? remedy : `${remedy} ${searchedText(searched)}`,
  };
  return completeFailure(finding, context);
}

function searchedText(searched: readonly string[]): string {
  const shown = searched.slice(0, maxShownFolders).join(', ');
  return searched.length > maxShownFolders
    ? l10n.t('Searched: {0} and {1} more.', shown, searched.length - maxShownFolders)
    : l10n.t('Searched: {0}.', shown);
}

export function executableForbidden(path: string, context: FailureContext): McpServerFailure {
  const finding: Finding = {
    code: 'spawn_eacces',
    message: l10n.t('The file "{0}" may not be executed.', path),
    remedy: l10n.t('Make it executable, or run it through its interpreter in "command".'),
  };
  return completeFailure(finding, context);
}

export function folderMissing(cwd: string, context: FailureContext): McpServerFailure {
  const finding: Finding = {
    code: 'spawn_cwd',
    message: l10n.t('The folder "{0}", in which the server should start, does not exist.', cwd),
    remedy: l10n.t('Create the folder, or correct "cwd" in the configuration.'),
  };
  return completeFailure(finding, context);
}

function completeFailure(finding: Finding, context: FailureContext): McpServerFailure {
  const mask = (text: string) => maskSecrets(text, context.secrets);
  const { exitCode, signal } = context.exit ?? {};
  return {
    ...finding,
    message: cutText(mask(finding.message), maxErrorLength),
    remedy: mask(finding.remedy),
    stderrTail: (context.stderrTail ?? []).map(mask),
    ...(context.commandLine === undefined ? {} : { ran: mask(context.commandLine) }),
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(signal ? { signal } : {}),
  };
}

function findCause(error: unknown, context: FailureContext): Finding {
  return (
    findTimeout(error) ??
    findHuman(error) ??
    findProcessEnd(context) ??
    findSpawnError(error, context) ??
    findSession(error) ??
    findNetworkError(error, context) ??
    findHttpStatus(error, context) ??
    findProtocolError(error) ?? {
      code: 'failed',
      message: l10n.t('The connection failed: {0}', errorMessage(error)),
      remedy: l10n.t('See the log of the server for details.'),
    }
  );
}

/** Failures that were put into words where they happened, such as those of an authorization. */
function findHuman(error: unknown): Finding | undefined {
  return isHumanError(error)
    ? {
        code: error.code,
        message: error.message,
        remedy: error.remedy ?? l10n.t('See the log of the server for details.'),
        ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
      }
    : undefined;
}

function findTimeout(error: unknown): Finding | undefined {
  if (error instanceof UnresponsiveError) {
    return {
      code: 'unresponsive',
      message: l10n.t('The server runs but answered no ping for {0} s.', error.silentMs / 1000),
      remedy: l10n.t('Read its log for what it was doing when it stopped answering.'),
    };
  }
  return error instanceof ConnectTimeoutError
    ? {
        code: 'initialize_timeout',
        message: l10n.t('The server did not finish starting within {0} s.', error.timeoutMs / 1000),
        remedy: error.isInstall
          ? l10n.t('Run its command in a terminal to see why its package does not arrive.')
          : l10n.t(
              'Look at its log; if it only needs longer, for instance to download a package, raise "startupTimeoutMs".',
            ),
      }
    : undefined;
}

function findProcessEnd({ exit, end }: FailureContext): Finding | undefined {
  const remedy = l10n.t(
    'Read the last lines it wrote to stderr, and run its command in a terminal.',
  );
  if (end === 'stdout_closed' || end === 'stdin_closed') {
    return {
      code: end,
      message:
        end === 'stdout_closed'
          ? l10n.t('The server closed its stdout and was stopped.')
          : l10n.t('The server closed its stdin and was stopped.'),
      remedy,
    };
  }
  if (end !== 'exited' || !exit) {
    return undefined;
  }
  return {
    code: 'exited',
    message: exit.signal
      ? l10n.t('The server was ended by signal {0}.', exit.signal)
      : l10n.t('The server exited with code {0}.', exit.exitCode ?? 0),
    remedy,
  };
}

function findSpawnError(error: unknown, context: FailureContext): Finding | undefined {
  if (context.command === undefined || context.end !== undefined) {
    return undefined;
  }
  const code = errorCode(error);
  return code === undefined
    ? undefined
    : {
        code: `spawn_${code.toLowerCase()}`,
        message: l10n.t('The command "{0}" could not be started: {1}.', context.command, code),
        remedy: l10n.t('Check "command", "args" and "cwd" in the configuration.'),
      };
}

/** Nothing of the request was executed: the server refused it, since it no longer knows the session. */
export function isSessionRefusal(error: unknown): boolean {
  // by name, since engines are bundles of their own with classes of their own
  const isLoss = error instanceof Error && error.name === 'SessionLostError';
  return isLoss && (error as SessionLostError).isRefusal;
}

function findSession(error: unknown): Finding | undefined {
  // by name, since engines are bundles of their own with classes of their own
  if (error instanceof Error && error.name === 'SessionLostError') {
    return {
      code: 'session_lost',
      message: l10n.t('The server no longer knows this session.'),
      remedy: l10n.t('Connect again; nothing else is needed.'),
      httpStatus: (error as SessionLostError).status,
    };
  }
  return error instanceof Error && error.name === 'StreamDroppedError'
    ? {
        code: (error as StreamDroppedError).isSilent ? 'stream_silent' : 'stream_dropped',
        message: l10n.t('The server ended the event stream.'),
        remedy: l10n.t('Connect again; if it keeps happening, look at the log of the server.'),
      }
    : undefined;
}

function findNetworkError(error: unknown, { url }: FailureContext): Finding | undefined {
  if (url === undefined) {
    return undefined;
  }
  const code = networkErrorCode(error);
  const place = describeUrl(url);
  const certificateTrouble = findCertificateTrouble(error, place);
  if (certificateTrouble) {
    return certificateTrouble;
  }
  if (isSilence(error)) {
    return {
      code: 'request_timeout',
      message: l10n.t('The server sent nothing for minutes.'),
      remedy: l10n.t('Try again; a server that works longer should send progress meanwhile.'),
    };
  }
  if (!isUnreachable(error) && !(error instanceof TypeError)) {
    return undefined;
  }
  return {
    code: 'unreachable',
    message:
      code === undefined
        ? l10n.t('The server at {0} cannot be reached.', place)
        : l10n.t('The server at {0} cannot be reached: {1}.', place, code),
    remedy: l10n.t(
      'Check that it is running, that "url" is right, and the settings of a proxy if there is one.',
    ),
  };
}

function findHttpStatus(error: unknown, context: FailureContext): Finding | undefined {
  const httpStatus = httpStatusOf(error);
  if (httpStatus === undefined) {
    return undefined;
  }
  if (httpStatus === 401) {
    return { ...authorizationFailure(context.maySignIn ?? true), httpStatus };
  }
  if (httpStatus === 403) {
    return { ...refusalFailure(context.account), httpStatus };
  }
  if (httpStatus >= 300 && httpStatus < 400) {
    return {
      code: 'redirected',
      message: l10n.t('{0} (HTTP {1}).', redirectText(error), httpStatus),
      remedy: l10n.t('If you trust that address, write it in "url".'),
      httpStatus,
    };
  }
  return {
    code: 'http_status',
    message: l10n.t('The server answered with HTTP {0}.', httpStatus),
    remedy:
      httpStatus === 429 || httpStatus >= 500
        ? l10n.t('Try again later; the server or something before it is overloaded or broken.')
        : l10n.t('Check that "url" is the address of an MCP endpoint.'),
    httpStatus,
  };
}

/** Codes of JSON-RPC errors, apart from those that the SDK makes up itself. */
function findProtocolError(error: unknown): Finding | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  const text = errorMessage(error).replace(/^MCP error -?\d+: /, '');
  if (code === rpcCode.requestTimeout && text === 'Request timed out') {
    return {
      code: 'request_timeout',
      message: l10n.t('The server did not answer in time.'),
      remedy: l10n.t('Try again, or raise "requestTimeoutMs" if its work needs longer.'),
    };
  }
  if (code === rpcCode.connectionClosed && text === 'Connection closed') {
    return {
      code: 'closed',
      message: l10n.t('The connection was closed.'),
      remedy: l10n.t('Connect again; see the log of the server for details.'),
    };
  }
  if (text.includes('protocol version is not supported')) {
    return {
      code: 'protocol_version',
      message: l10n.t('The server speaks a protocol version that is not supported: {0}', text),
      remedy: l10n.t('Update the server.'),
    };
  }
  return typeof code === 'number'
    ? {
        code: 'server_error',
        message: l10n.t('The server reported an error: {0}', text),
        remedy: l10n.t('See the log and the documentation of the server.'),
      }
    : undefined;
}

/** The SDK's transports keep the status as `code`, except where the legacy one posts. */
function httpStatusOf(error: unknown): number | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  if (typeof code === 'number' && code >= 300 && code < 600) {
    return code;
  }
  const match = /\(HTTP (\d{3})\)/.exec(errorMessage(error));
  return match ? Number(match[1]) : undefined;
}

function redirectText(error: unknown): string {
  return (
    /Redirect to \S+ not followed|Redirect from https to plain http not followed/.exec(
      errorMessage(error),
    )?.[0] ?? l10n.t('The server redirects to another place')
  );
}

/** Without user name, password and query, which may hold secrets. */
function describeUrl(url: string): string {
  try {
    const { origin, pathname } = new URL(url);
    return origin + pathname;
  } catch {
    // not a URL at all; the scheme check says more elsewhere
    return l10n.t('its address');
  }
}
