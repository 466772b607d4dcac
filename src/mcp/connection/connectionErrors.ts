import * as l10n from '@vscode/l10n';
import { type ErrorFacts, errorMessage, isHumanError } from '../../base/errors.js';
import type { MaskText } from '../../config/secrets/secretMask.js';
import { executableRemedy } from '../../config/sentences.js';
import type { McpServerFailure } from '../mcpTypes.js';
import type { UsedAccount } from '../oauth/serverAuthorization.js';
import { authorizationFailure, refusalFailure } from './authorizationFailure.js';
import { connectionFailure } from './connectionFailure.js';
import { certificateTrouble, isHangUp, proxyRemedy, withProxy } from './http/networkErrors.js';
import { cutText, maxErrorLength } from './reading/serverBounds.js';
import { type EngineError, type EngineErrorKind, isEngineError } from './session/engine.js';
import type { ProcessExit, StdioEnd } from './stdio/stdioTransport.js';

const maxShownFolders = 12;

/** What is known about the connection that an error happened on. */
export interface FailureContext {
  /** For every text of the failure. */
  readonly mask: MaskText;
  /** Executable as written, for stdio. */
  readonly command?: string | undefined;
  /** What runs, as one line. */
  readonly commandLine?: string | undefined;
  /** For remote servers. */
  readonly url?: string | undefined;
  /** What its requests go through, as host and port. Default: nothing that is known. */
  readonly proxy?: string | undefined;
  /** False when the entry's own token or switch rules OAuth out. Default true. */
  readonly maySignIn?: boolean | undefined;
  /** The entry brings an authorization of its own. Default false. */
  readonly hasToken?: boolean | undefined;
  /** The entry names the transport, so no other is tried. Default false. */
  readonly isTransportNamed?: boolean | undefined;
  /** Of a user who is signed in and cannot connect. */
  readonly account?: UsedAccount | undefined;
  /** The server was asked how to sign in, and says nothing. Default: it says how, or was not asked. */
  readonly hasNoSignIn?: boolean | undefined;
  readonly stderrTail?: readonly string[] | undefined;
  readonly exit?: ProcessExit | undefined;
  readonly end?: StdioEnd | undefined;
}

/** Texts and codes before the context is added and secrets are masked. */
type Finding = Pick<
  McpServerFailure,
  'code' | 'message' | 'remedy' | 'httpStatus' | 'retryAfterMs' | 'facts'
>;

/** Says what any error thrown while connecting, talking or ending means for the user. */
export function classifyFailure(error: unknown, context: FailureContext): McpServerFailure {
  return connectionFailure(error) ?? completeFailure(findCause(error, context), context);
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
  const remedy = executableRemedy(command, inLoginShell);
  const finding: Finding = {
    code: 'spawn_enoent',
    message: isPath
      ? l10n.t('The file "{0}" does not exist.', command)
      : l10n.t(
          'The command "{0}" was not found in any of the {1} folders of PATH.',
          command,
          searched.length,
        ),
    remedy: isPath ? remedy : `${remedy} ${searchedText(searched)}`,
    facts: { command, foundAt: inLoginShell },
  };
  return completeFailure(finding, context);
}

function searchedText(searched: readonly string[]): string {
  const shown = searched.slice(0, maxShownFolders).join(', ');
  const surplus = searched.length - maxShownFolders;
  return l10n.t('Searched: {0}.', surplus > 0 ? l10n.t('{0} and {1} more', shown, surplus) : shown);
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
    message: l10n.t('The folder "{0}" does not exist.', cwd),
    remedy: l10n.t('Create it, or correct "{0}".', 'cwd'),
  };
  return completeFailure(finding, context);
}

function completeFailure(finding: Finding, context: FailureContext): McpServerFailure {
  const { mask } = context;
  const { exitCode, signal } = context.exit ?? {};
  return {
    ...finding,
    message: cutText(mask(finding.message), maxErrorLength),
    remedy: mask(finding.remedy),
    facts: finding.facts && withoutSecrets(finding.facts, mask),
    stderrTail: (context.stderrTail ?? []).map(mask),
    ran: context.commandLine === undefined ? undefined : mask(context.commandLine),
    exitCode,
    signal,
  };
}

/** A fact that holds a secret is of no use, masked or not. */
function withoutSecrets(facts: ErrorFacts, mask: MaskText): ErrorFacts {
  return Object.fromEntries(
    Object.entries(facts).filter(([, fact]) => typeof fact !== 'string' || mask(fact) === fact),
  );
}

function findCause(error: unknown, context: FailureContext): Finding {
  return (
    findHuman(error) ??
    findProcessEnd(context) ??
    (isEngineError(error) ? findings[error.kind](error, context) : undefined) ?? {
      code: 'failed',
      message: l10n.t('The connection failed: {0}', errorMessage(error)),
      remedy: seeLog(),
    }
  );
}

/** Failures that were put into words where they happened, such as those of an authorization. */
function findHuman(error: unknown): Finding | undefined {
  return isHumanError(error)
    ? {
        code: error.code,
        message: error.message,
        remedy: error.remedy ?? seeLog(),
        retryAfterMs: error.retryAfterMs,
        facts: error.facts,
      }
    : undefined;
}

function seeLog(): string {
  return l10n.t('See the log of the server for details.');
}

function findProcessEnd({ exit, end }: FailureContext): Finding | undefined {
  const remedy = l10n.t(
    'Read the last lines it wrote to stderr, and run its command in a terminal.',
  );
  if (end === 'stdout_closed' || end === 'stdin_closed') {
    return {
      code: end,
      message: l10n.t(
        'The server closed its {0} and was stopped.',
        end === 'stdout_closed' ? 'stdout' : 'stdin',
      ),
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

const findings: Readonly<
  Record<EngineErrorKind, (error: EngineError, context: FailureContext) => Finding>
> = {
  server_error: ({ message }) => ({
    code: 'server_error',
    message: l10n.t('The server reported an error: {0}', message),
    remedy: l10n.t('See the log of the server for details.'),
  }),
  request_timeout: (_error, { proxy }) => ({
    code: 'request_timeout',
    message: withProxy(l10n.t('The server did not answer in time.'), proxy),
    remedy: l10n.t('Try again, or raise "requestTimeoutMs" if its work needs longer.'),
  }),
  silent: (_error, { proxy }) => ({
    code: 'request_timeout',
    message: withProxy(l10n.t('The server did not answer in time.'), proxy),
    remedy: l10n.t('Try again.'),
  }),
  closed: connectionClosed,
  ended_by_probe: connectionClosed,
  protocol_version: ({ message }) => ({
    code: 'protocol_version',
    message: l10n.t('The server speaks a protocol version that is not supported: {0}', message),
    remedy: l10n.t('Update the server.'),
  }),
  not_spawned: ({ systemCode = '' }, { command = '' }) => ({
    code: `spawn_${systemCode.toLowerCase()}`,
    message: l10n.t('The command "{0}" could not be started: {1}.', command, systemCode),
    remedy: l10n.t('Check "command", "args" and "cwd" in the configuration.'),
  }),
  http_status: findHttpStatus,
  redirected: ({ message, httpStatus = 0 }) => {
    const url = /^Redirect to (\S+) not/.exec(message)?.[1];
    // what the client refuses by itself names no address
    const place = /plain http/.test(message) ? 'http:' : (url ?? l10n.t('HTTP {0}', httpStatus));
    return {
      code: 'redirected',
      message: l10n.t('The server redirects to another place: {0}', place),
      remedy: l10n.t('If you trust that address, write it in "url".'),
      httpStatus,
      facts: { url },
    };
  },
  session_lost: sessionLost,
  session_refused: sessionLost,
  stream_dropped: () => ({ ...connectionClosed(), code: 'stream_dropped' }),
  stream_silent: () => ({ ...connectionClosed(), code: 'stream_silent' }),
  unreachable: ({ systemCode }, { url, proxy }) => ({
    code: 'unreachable',
    message: withProxy(unreachableSentence(systemCode, describeUrl(url)), proxy),
    remedy: unreachableRemedy(systemCode, proxy),
    facts: systemCode === undefined ? undefined : { systemCode },
  }),
  not_http: (_error, { url, proxy }) => ({
    code: 'not_http',
    message: withProxy(
      l10n.t(
        'What listens at {0} does not speak {1}.',
        describeUrl(url),
        isHttps(url) ? 'HTTPS' : 'HTTP',
      ),
      proxy,
    ),
    remedy: schemeRemedy(),
  }),
  not_mcp: ({ message }, { url }) => ({
    code: 'not_mcp',
    message: l10n.t('What answers at {0} is no MCP server: {1}.', describeUrl(url), message),
    remedy: l10n.t('Check that "url" is the address of an MCP endpoint.'),
  }),
  certificate: ({ systemCode = '' }, { url }) => certificateTrouble(systemCode, describeUrl(url)),
};

function connectionClosed(): Finding {
  return {
    code: 'closed',
    message: l10n.t('The connection was closed.'),
    remedy: l10n.t('Connect again; see the log of the server for details.'),
  };
}

function sessionLost({ httpStatus }: EngineError): Finding {
  return {
    code: 'session_lost',
    message: l10n.t('The server no longer knows this session.'),
    remedy: l10n.t('Connect again; see the log of the server for details.'),
    httpStatus,
  };
}

function findHttpStatus({ httpStatus = 0 }: EngineError, context: FailureContext): Finding {
  if (httpStatus === 401) {
    return {
      ...authorizationFailure(context.maySignIn ?? true, context.hasToken ?? false),
      httpStatus,
      facts: { hasNoSignIn: context.hasNoSignIn },
    };
  }
  if (httpStatus === 403) {
    return { ...refusalFailure(context.account), httpStatus };
  }
  return {
    code: 'http_status',
    message: l10n.t('The server answered with HTTP {0}.', httpStatus),
    remedy: statusRemedy(httpStatus, context.isTransportNamed ?? false),
    httpStatus,
  };
}

function statusRemedy(httpStatus: number, isTransportNamed: boolean): string {
  if (httpStatus === 429 || httpStatus >= 500) {
    return l10n.t('Try again later; the server or something before it is overloaded or broken.');
  }
  return isTransportNamed
    ? l10n.t(
        'Check that "url" is the address of an MCP endpoint, and leave out "transport" unless the server knows that one alone.',
      )
    : l10n.t('Check that "url" is the address of an MCP endpoint.');
}

function unreachableSentence(systemCode: string | undefined, place: string): string {
  if (isHangUp(systemCode)) {
    return l10n.t('What listens at {0} closed the connection without an answer.', place);
  }
  return systemCode === undefined
    ? l10n.t('{0} cannot be reached.', place)
    : l10n.t('{0} cannot be reached ({1}).', place, systemCode);
}

function unreachableRemedy(systemCode: string | undefined, proxy: string | undefined): string {
  if (proxy !== undefined) {
    return proxyRemedy();
  }
  return isHangUp(systemCode)
    ? schemeRemedy()
    : l10n.t(
        'Check that it is running, that "url" is right, and the settings of a proxy if there is one.',
      );
}

function schemeRemedy(): string {
  return l10n.t('Check host and port in "url", and whether it begins with http:// or https://.');
}

function isHttps(url = ''): boolean {
  return url.toLowerCase().startsWith('https:');
}

/** Without user name, password and query, which may hold secrets. */
function describeUrl(url = ''): string {
  try {
    const { origin, pathname } = new URL(url);
    return origin + pathname;
  } catch {
    // not a URL at all; the scheme check says more elsewhere
    return l10n.t('its address');
  }
}
