/** For each cause: why in at most six words, and the one fix. */
import * as l10n from '@vscode/l10n';
import type { ErrorCode } from '../../base/errorCodes.js';
import type { McpServerFailure } from '../mcpTypes.js';
import { tellingLine } from './failureOutput.js';
import { type Fix, type FixKind, fixOf } from './fix.js';

/** What is known about a failure before it is anybody's state. */
export type KnownFailure = Pick<
  McpServerFailure,
  | 'code'
  | 'message'
  | 'remedy'
  | 'stderrTail'
  | 'facts'
  | 'exitCode'
  | 'signal'
  | 'httpStatus'
  | 'ran'
>;

interface Finding {
  readonly reason: string;
  readonly kind: FixKind;
  readonly target?: string | undefined;
}

const maxReasonWords = 6;
/** Characters: a path is one word. */
const maxReasonLength = 72;

/** @param how what to do, as the surface says it */
export function findReason(
  failure: KnownFailure,
  how: string | undefined,
): { readonly reason: string; readonly fix: Fix } {
  const { reason, kind, target } = (
    findings[failure.code] ?? (failure.code.startsWith('spawn_') ? cannotStart : otherFailure)
  )(failure);
  return { reason, fix: fixOf(kind, how, target) };
}

type Find = (failure: KnownFailure) => Finding;

const cannotStart: Find = () => ({
  reason: l10n.t('Cannot start'),
  kind: 'openSettings',
  target: 'command',
});
const otherFailure: Find = () => ({ reason: l10n.t('Failed'), kind: 'showLog' });
const connectionLost: Find = () => ({ reason: l10n.t('Connection lost'), kind: 'restart' });
const noHandshake: Find = () => ({
  reason: l10n.t('Not a valid MCP server'),
  kind: 'showTraffic',
});
const badAccountSettings: Find = () => ({
  reason: l10n.t('Invalid OAuth settings'),
  kind: 'openSettings',
  target: 'oauth',
});
const unsafeSignIn: Find = () => ({
  reason: l10n.t('Unsafe sign-in blocked'),
  kind: 'copyReport',
});
const unfinishedSignIn: Find = () => ({
  reason: l10n.t('Sign-in not completed'),
  kind: 'signIn',
});
const signInServerDown: Find = () => ({
  reason: l10n.t('Sign-in server unavailable'),
  kind: 'tryAgain',
});

const findings: Readonly<{ readonly [Code in ErrorCode]?: Find }> = {
  // launch
  invalid_entry: () => ({ reason: l10n.t('Invalid entry'), kind: 'openLine' }),
  variable_unknown: ({ facts }) => ({
    reason: l10n.t('Unknown variable {0}', facts?.variable ?? ''),
    kind: 'openLine',
    target: facts?.line?.toString(),
  }),
  variable_unset: ({ facts }) => ({
    reason: l10n.t('Missing {0}', facts?.variable ?? ''),
    kind: 'setValue',
    target: facts?.variable,
  }),
  env_file: () => ({
    reason: l10n.t('Cannot read env file'),
    kind: 'openSettings',
    target: 'envFile',
  }),
  command_failed: () => ({ reason: l10n.t('Secret command failed'), kind: 'runInTerminal' }),
  spawn_enoent: findMissingCommand,
  spawn_cwd: () => ({ reason: l10n.t('Folder missing'), kind: 'openSettings', target: 'cwd' }),
  // connections
  initialize_timeout: ({ facts }) => ({
    reason: l10n.t('No answer in {0} s', facts?.seconds ?? 0),
    kind: facts?.isInstall ? 'runInTerminal' : 'waitLonger',
  }),
  exited: findExit,
  stdin_closed: connectionLost,
  stdout_closed: connectionLost,
  closed: connectionLost,
  session_lost: connectionLost,
  stream_dropped: connectionLost,
  stream_silent: connectionLost,
  stopped: () => ({ reason: l10n.t('Stopped'), kind: 'start' }),
  bad_handshake: noHandshake,
  not_mcp: noHandshake,
  not_http: () => ({ reason: l10n.t('Not an HTTP server'), kind: 'editUrl', target: 'url' }),
  protocol_version: noHandshake,
  unresponsive: () => ({ reason: l10n.t('Not responding'), kind: 'restart' }),
  request_timeout: () => ({ reason: l10n.t('Not responding'), kind: 'restart' }),
  server_error: () => ({ reason: l10n.t('Server reported error'), kind: 'showTraffic' }),
  unreachable: ({ facts }) => ({
    reason: l10n.t('Cannot connect'),
    // a name that nobody knows is spelt wrong; a host that does not answer may come back
    ...(facts?.systemCode === 'ENOTFOUND'
      ? { kind: 'editUrl', target: 'url' }
      : { kind: 'tryAgain' }),
  }),
  certificate: () => ({ reason: l10n.t('Certificate not trusted'), kind: 'showHow' }),
  redirected: ({ facts }) => ({
    reason: l10n.t('Redirects to another site'),
    kind: facts?.url === undefined ? 'editUrl' : 'useUrl',
    target: facts?.url ?? 'url',
  }),
  http_status: ({ httpStatus = 0 }) => ({
    reason: l10n.t('HTTP {0}', httpStatus),
    ...(httpStatus === 429 || httpStatus >= 500
      ? { kind: 'tryAgain' }
      : { kind: 'editUrl', target: 'url' }),
  }),
  // accounts
  unauthorized: ({ facts }) => ({
    reason: l10n.t('Sign in'),
    kind: facts?.hasNoSignIn ? 'setToken' : 'signIn',
  }),
  token_refused: () => ({ reason: l10n.t('Token rejected'), kind: 'setToken' }),
  forbidden: () => ({ reason: l10n.t('Access denied'), kind: 'setToken' }),
  account_refused: () => ({ reason: l10n.t('Access denied'), kind: 'signIn' }),
  account_unavailable: signInServerDown,
  sign_in_busy: signInServerDown,
  sign_in_failed: signInServerDown,
  no_authorization_server: signInServerDown,
  sign_in_cancelled: unfinishedSignIn,
  sign_in_refused: unfinishedSignIn,
  sign_in_timeout: unfinishedSignIn,
  device_expired: unfinishedSignIn,
  callback_port: ({ facts }) => ({
    reason: l10n.t('Port {0} in use', facts?.port ?? ''),
    kind: 'openSettings',
    target: 'oauth',
  }),
  oauth_settings: badAccountSettings,
  grant_refused: badAccountSettings,
  credentials_in_address: unsafeSignIn,
  inner_authorization: unsafeSignIn,
  insecure_authorization: unsafeSignIn,
  foreign_issuer: unsafeSignIn,
  foreign_metadata: unsafeSignIn,
  foreign_redirect: unsafeSignIn,
  foreign_return: unsafeSignIn,
  no_pkce: unsafeSignIn,
};

/** What brings a command that many servers need. */
const installers = /^(?:npx|node|npm|uvx|uv|docker|podman|nerdctl|python3?|bunx?|deno)$/;

function findMissingCommand({ facts }: KnownFailure): Finding {
  const reason = l10n.t('Command not found');
  const { foundAt, command = '' } = facts ?? {};
  if (foundAt !== undefined) {
    return { reason, kind: 'usePath', target: foundAt };
  }
  return installers.test(command)
    ? { reason, kind: 'install', target: command }
    : { reason, kind: 'editCommand', target: 'command' };
}

const variableName = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/;
const wantsValue =
  /\b(?:required|missing|not set|unset|undefined|must|need(?:s|ed)?|provide|set)\b/i;

function findExit({ stderrTail, exitCode, signal }: KnownFailure): Finding {
  const line = tellingLine(stderrTail);
  const variable =
    line !== undefined && wantsValue.test(line) ? variableName.exec(line)?.[0] : undefined;
  const ended =
    signal === undefined ? l10n.t('Exit code {0}', exitCode ?? 0) : l10n.t('Signal {0}', signal);
  return {
    reason: line === undefined ? ended : shortReason(line),
    ...(variable === undefined
      ? { kind: 'runInTerminal' }
      : { kind: 'setValue', target: variable }),
  };
}

/** The first words of a line. */
function shortReason(line: string): string {
  const words = line.trim().split(/\s+/);
  const some = words.slice(0, maxReasonWords).join(' ');
  const characters = [...some];
  const isCut = words.length > maxReasonWords || characters.length > maxReasonLength;
  return isCut ? `${characters.slice(0, maxReasonLength).join('')}…` : some;
}
