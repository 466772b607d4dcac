/** What a state says to the user: one sentence, one word, one icon and one primary action per state. */
import * as l10n from '@vscode/l10n';
import { HumanError } from '../base/errors.js';
import { gravestProblem, type McpServerDefinition } from '../config/definition.js';
import { traitText } from '../config/launch/launchTraits.js';
import { identityText } from '../platform/folderIdentity.js';
import type {
  BlockedState,
  ConnectingNote,
  McpListKind,
  McpServerState,
  SlowLists,
  TrustReason,
} from './mcpTypes.js';

/** What the user can do next about a state. */
export type StateAction =
  | 'enable'
  | 'openFile'
  | 'trust'
  | 'manageWorkspaceTrust'
  | 'signIn'
  | 'probe'
  | 'stop'
  | 'showLog';

/** What a state that keeps a server from running answers to whoever wants to use it. */
export function stateError(state: BlockedState): HumanError {
  const remedy = stateRemedy(state);
  return new HumanError(state.kind, stateSentence(state), remedy ? { remedy } : {});
}

/** The state in one or two words, for lists and screen readers. */
export function stateWord(state: McpServerState): string {
  switch (state.kind) {
    case 'disabled':
      return l10n.t('disabled');
    case 'invalid':
      return l10n.t('invalid');
    case 'trust_required':
      return state.reason.kind === 'workspace_untrusted'
        ? l10n.t('restricted')
        : l10n.t('trust required');
    case 'idle':
      return l10n.t('idle');
    case 'connecting':
      return connectingWord(state.note);
    case 'connected':
      return l10n.t('connected');
    case 'needs_auth':
      return state.failure.httpStatus === 403
        ? l10n.t('account refused')
        : l10n.t('sign-in required');
    case 'error':
      return l10n.t('error');
  }
}

/** The state as a full sentence. */
export function stateSentence(state: McpServerState): string {
  switch (state.kind) {
    case 'disabled':
      return state.by === 'master'
        ? l10n.t('All servers are switched off at the top of a configuration file.')
        : l10n.t('The server is switched off.');
    case 'invalid':
      return (
        gravestProblem(state.problems)?.message ??
        l10n.t('The entry cannot be used as it is written.')
      );
    case 'trust_required':
      return trustSentence(state.reason);
    case 'idle':
      return l10n.t('The server is not running. It connects when one of its tools is used.');
    case 'connecting':
      return connectingSentence(state.note);
    case 'connected':
      return [
        l10n.t('The server is connected.'),
        ...(state.slowLists ? [slowListsSentence(state.slowLists)] : []),
      ].join(' ');
    case 'needs_auth':
    case 'error':
      return state.failure.message;
  }
}

/** Lists that are read after a pause only. */
function slowListsSentence({ lists, pauseMs }: SlowLists): string {
  return l10n.t(
    'It says again and again that its {0} have changed: they are read every {1} s until they really have.',
    lists.map(listWord).join(', '),
    pauseMs / 1000,
  );
}

function listWord(list: McpListKind): string {
  switch (list) {
    case 'tools':
      return l10n.t('tools');
    case 'resources':
      return l10n.t('resources');
    case 'prompts':
      return l10n.t('prompts');
  }
}

function connectingWord(note: ConnectingNote | undefined): string {
  switch (note) {
    case 'fetching':
      return l10n.t('fetching its package');
    case 'waiting':
      return l10n.t('waiting to fetch its package');
    case 'starting':
      return l10n.t('waiting for initialize');
    case 'listing':
      return l10n.t('reading its lists');
    case undefined:
      return l10n.t('connecting');
  }
}

function connectingSentence(note: ConnectingNote | undefined): string {
  switch (note) {
    case 'fetching':
      return l10n.t('The package of the server is being fetched for the first time.');
    case 'waiting':
      return l10n.t('The package of the server will be fetched when that of another one is there.');
    case 'starting':
      return l10n.t('The server has been started and has not answered "initialize" yet.');
    case 'listing':
      return l10n.t('The server has started; its lists are being read.');
    case undefined:
      return l10n.t('The server is connecting.');
  }
}

/** The next step as a full sentence; `undefined` when there is nothing to do. */
export function stateRemedy(state: McpServerState): string | undefined {
  switch (state.kind) {
    case 'disabled':
      return state.by === 'master'
        ? l10n.t('Remove "disabled" at the top of your own file or of the file of the folder.')
        : l10n.t('Enable the server to use it.');
    case 'invalid':
      return gravestProblem(state.problems)?.remedy;
    case 'trust_required':
      return state.reason.kind === 'workspace_untrusted'
        ? l10n.t('Trust the workspace to use its servers.')
        : l10n.t('Review the server, then trust it or its folder.');
    case 'needs_auth':
    case 'error':
      return state.failure.remedy;
    default:
      return undefined;
  }
}

/** Name of a codicon. */
export function stateIcon(state: McpServerState): string {
  switch (state.kind) {
    case 'disabled':
      return 'circle-slash';
    case 'invalid':
      return 'warning';
    case 'trust_required':
      return 'shield';
    case 'idle':
      return 'circle-outline';
    case 'connecting':
      return 'loading~spin';
    case 'connected':
      return 'pass-filled';
    case 'needs_auth':
      return 'key';
    case 'error':
      return 'error';
  }
}

export function stateAction(state: McpServerState): StateAction {
  switch (state.kind) {
    case 'disabled':
      return 'enable';
    case 'invalid':
      return 'openFile';
    case 'trust_required':
      return state.reason.kind === 'workspace_untrusted' ? 'manageWorkspaceTrust' : 'trust';
    case 'needs_auth':
      return 'signIn';
    case 'idle':
      return 'probe';
    case 'connecting':
    case 'connected':
      return 'stop';
    case 'error':
      return 'showLog';
  }
}

/** Waits for consent that the user can give now; in Restricted Mode nobody can. */
export function awaitsConsent({
  state,
}: {
  readonly state: { readonly value: McpServerState };
}): boolean {
  return stateAction(state.value) === 'trust';
}

/** Servers that fail or wait for the user first, else in their order. */
export function byUrgency<T extends { readonly state: { readonly value: McpServerState } }>(
  servers: readonly T[],
): readonly T[] {
  return [...servers].sort((a, b) => urgency(a.state.value) - urgency(b.state.value));
}

function urgency({ kind }: McpServerState): number {
  switch (kind) {
    case 'error':
    case 'invalid':
      return 0;
    case 'needs_auth':
    case 'trust_required':
      return 1;
    default:
      return 2;
  }
}

export function trustSentence(reason: TrustReason): string {
  switch (reason.kind) {
    case 'workspace_untrusted':
      return l10n.t(
        'The workspace is in Restricted Mode: nothing that its files declare is started.',
      );
    case 'never_consented':
      return l10n.t('The server waits for your consent before it runs.');
    case 'changed':
      return l10n.t('The server changed since you consented to it.');
    case 'folder_replaced':
      return l10n.t(
        'You consented to another folder at this path: it was {0}, and is now {1}.',
        identityText(reason.before),
        identityText(reason.now),
      );
    case 'sensitive_remote':
      return l10n.t(
        'The server waits for your consent: {0}.',
        reason.traits.map(traitText).join(', '),
      );
  }
}

/** `stdio` or `http` as users know it; `invalid` for an entry that is neither. */
export function launchKind(definition: McpServerDefinition): 'stdio' | 'http' | 'invalid' {
  return definition.launch?.kind ?? 'invalid';
}
