/** What is wrong with a server, as one value: every surface, error and command line reads it and writes none of its own. */
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import { showText } from '../../base/text/showText.js';
import { type ConfigProblem, gravestProblem } from '../../config/definition.js';
import { traitText } from '../../config/launch/launchTraits.js';
import { identityText } from '../../platform/folderIdentityText.js';
import type { BlockedState, McpServerFailure, McpServerState, TrustReason } from '../mcpTypes.js';
import { findReason, type KnownFailure } from './failureReasons.js';
import { type Fix, fixOf } from './fix.js';

/** Where it is said: a way out names what can be done there. */
export type Surface = 'editor' | 'console';

export interface Trouble {
  /** At most six words. */
  readonly reason: string;
  /** A full sentence. */
  readonly sentence: string;
  /** What shows it, line by line: what was run, the last that it wrote, how it ended. Masked. */
  readonly evidence: readonly string[];
  readonly fix: Fix;
  /** When the server is tried again by itself. */
  readonly nextTry?: string;
}

/** `undefined` for a server that works, or could. */
export function troubleOf(state: McpServerState, surface: Surface = 'editor'): Trouble | undefined {
  switch (state.kind) {
    case 'idle':
    case 'connecting':
    case 'connected':
      return undefined;
    case 'needs_auth':
    case 'error':
      return failedTrouble(state, surface);
    default:
      return blockedTrouble(state, surface);
  }
}

export function failedTrouble(
  state: Extract<McpServerState, { kind: 'needs_auth' | 'error' }>,
  surface: Surface,
): Trouble {
  const trouble = failureTrouble(state.failure, surface);
  return state.kind === 'error' && state.nextRetryAt !== undefined
    ? {
        ...trouble,
        nextTry: l10n.t('Next try at {0}', new Date(state.nextRetryAt).toLocaleTimeString()),
      }
    : trouble;
}

/** What a failed connect or call comes to, before it is anybody's state. */
export function failureTrouble(failure: KnownFailure, surface: Surface = 'editor'): Trouble {
  const isSignIn = surface === 'console' && failure.code === 'unauthorized';
  const how = isSignIn ? l10n.t('Sign in with "pi-mcp login SERVER".') : failure.remedy;
  return {
    ...findReason(failure, how || undefined),
    sentence: failure.message,
    evidence: evidenceOf(failure),
  };
}

function evidenceOf({ ran, stderrTail, exitCode, signal, code }: KnownFailure): readonly string[] {
  // what we ended ourselves says nothing about why
  const isOurs = code === 'initialize_timeout' || code === 'stdout_closed';
  return [
    ...(ran === undefined ? [] : [`$ ${ran}`]),
    ...stderrTail.filter((line) => line.trim() !== ''),
    ...(exitCode === undefined ? [] : [l10n.t('Exit code {0}', exitCode)]),
    ...(signal === undefined || isOurs ? [] : [l10n.t('Signal {0}', signal)]),
  ];
}

export function blockedTrouble(state: BlockedState, surface: Surface): Trouble {
  const trouble = blockedWords(state);
  const how = surface === 'console' ? consoleWay(state) : undefined;
  return { ...trouble, evidence: [], fix: how ? { ...trouble.fix, how } : trouble.fix };
}

/** What a state that keeps a server from running answers to whoever wants to use it from there. */
export function blockedError(state: BlockedState, surface: Surface = 'editor'): HumanError {
  const { sentence, fix } = blockedTrouble(state, surface);
  return new HumanError(state.kind, sentence, fix.how === undefined ? {} : { remedy: fix.how });
}

/** One after the other, nothing twice. */
export function troubleLines(trouble: Trouble): readonly string[] {
  const { reason, sentence, fix, nextTry } = trouble;
  const lines = [isQuoted(trouble) ? reason : undefined, sentence, fix.how, nextTry];
  return [...new Set(lines)].filter((line) => line !== undefined);
}

/** The reason is what the server wrote: it says more than the sentence, which otherwise says it whole. */
function isQuoted({ reason, evidence }: Trouble): boolean {
  return evidence.some((line) => line.includes(reason.replace(/…$/, '')));
}

/** The same as one text. A reason is no sentence: before another one it gets its full stop. */
export function troubleText(trouble: Trouble): string {
  return troubleLines(trouble)
    .map((line, index, lines) =>
      index === lines.length - 1 || /[.!?:…]$/.test(line) ? line : `${line}.`,
    )
    .join(' ');
}

/** What a call is told that does not start the server again so soon. */
export function duringPause(failure: McpServerFailure, restMs: number): McpServerFailure {
  const seconds = Math.ceil(restMs / 1000);
  const again = l10n.t(
    'Its last start failed a moment ago: calls try again in {0} s, "Restart" at once.',
    seconds,
  );
  return { ...failure, remedy: `${failure.remedy} ${again}` };
}

type BlockedWords = Omit<Trouble, 'evidence' | 'nextTry'>;

function blockedWords(state: BlockedState): BlockedWords {
  switch (state.kind) {
    case 'disabled':
      return disabledWords(state);
    case 'invalid': {
      const problem = gravestProblem(state.problems);
      return {
        reason: problemReason(problem?.code),
        sentence: problem?.message ?? l10n.t('The entry cannot be used.'),
        fix:
          problem?.code === 'folder_virtual'
            ? fixOf('openFolder', problem.remedy)
            : fixOf('openLine', problem?.remedy, problem?.line?.toString()),
      };
    }
    case 'trust_required':
      return { ...trustWords(state.reason), sentence: trustSentence(state.reason) };
  }
}

function disabledWords(state: Extract<McpServerState, { kind: 'disabled' }>): BlockedWords {
  switch (state.by) {
    case 'server':
      return {
        reason: l10n.t('Disabled'),
        sentence: l10n.t('The server is disabled.'),
        fix: fixOf('enable'),
      };
    case 'master':
      return {
        reason: l10n.t('All disabled'),
        sentence: l10n.t('All servers are disabled in a configuration file.'),
        fix: fixOf(
          'enable',
          l10n.t('Remove "disabled" at the top of the user file or of the file of the folder.'),
        ),
      };
    case 'folder':
      return {
        reason: l10n.t('Disabled in this folder'),
        sentence: l10n.t(
          'The server is disabled for the folder "{0}", in {1}.',
          showText(state.folderName),
          showText(state.path),
        ),
        fix: fixOf('enable', l10n.t('Choose the folders of the server to use it there.')),
      };
  }
}

function trustWords({ kind }: TrustReason): Omit<BlockedWords, 'sentence'> {
  return kind === 'workspace_untrusted'
    ? {
        reason: l10n.t('Restricted Mode'),
        fix: fixOf('trustWorkspace', l10n.t('Trust the workspace first.')),
      }
    : { reason: consentReason(kind), fix: fixOf('review', l10n.t('Review and trust it first.')) };
}

function consentReason(kind: TrustReason['kind']): string {
  switch (kind) {
    case 'changed':
      return l10n.t('Changed since trusted');
    case 'folder_replaced':
      return l10n.t('Folder was replaced');
    default:
      return l10n.t('Needs trust');
  }
}

export function trustSentence(reason: TrustReason): string {
  switch (reason.kind) {
    case 'workspace_untrusted':
      return l10n.t('Restricted Mode: nothing in this workspace is started.');
    case 'never_consented':
      return l10n.t('The server waits for your trust before it runs.');
    case 'agent_wrote':
      return l10n.t(
        'The agent or one of its commands wrote this entry: the server waits for your trust before it runs, also in a trusted folder.',
      );
    case 'changed':
      return l10n.t('The server changed since you trusted it.');
    case 'folder_replaced':
      return l10n.t(
        'You trusted another folder at this path: it was {0}, and is now {1}.',
        identityText(reason.before),
        identityText(reason.now),
      );
    case 'sensitive_remote':
      return l10n.t(
        'The server waits for your trust: {0}.',
        reason.traits.map((trait) => traitText(trait)).join(', '),
      );
  }
}

function consoleWay(state: BlockedState): string | undefined {
  if (state.kind === 'disabled' && state.by === 'folder') {
    return l10n.t('Enable it with "pi-mcp enable SERVER --scope local".');
  }
  return state.kind === 'trust_required' && state.reason.kind !== 'workspace_untrusted'
    ? l10n.t('Review it with "pi-mcp trust", or give "--trust" for one run.')
    : undefined;
}

/** @param code of the gravest problem; `undefined` when none is known */
function problemReason(code: ConfigProblem['code'] | undefined): string {
  return (code && reasons[code]?.()) ?? l10n.t('Invalid entry');
}

const reasons: Readonly<{ readonly [Code in ConfigProblem['code']]?: () => string }> = {
  'bad-oauth': () => l10n.t('Invalid OAuth settings'),
  'bad-url': () => l10n.t('Invalid URL'),
  'command-and-url': () => l10n.t('Both command and URL'),
  'duplicate-name': () => l10n.t('Duplicate name'),
  'no-command-or-url': () => l10n.t('No command or URL'),
  folder_virtual: () => l10n.t('Folder not on disk'),
};
