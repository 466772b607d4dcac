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
type StateAction =
  | 'enable'
  | 'openFile'
  | 'trust'
  | 'manageWorkspaceTrust'
  | 'signIn'
  | 'probe'
  | 'stop'
  | 'showLog';

/** What a state says to the user. */
interface StateText {
  /** One or two words, for lists and screen readers. */
  readonly word: string;
  /** A full sentence. */
  readonly sentence: string;
  /** The next step as a full sentence; `undefined` when there is nothing to do. */
  readonly remedy?: string | undefined;
  /** Name of a codicon. */
  readonly icon: string;
  readonly action: StateAction;
}

/** What a state that keeps a server from running answers to whoever wants to use it. */
export function stateError(state: BlockedState): HumanError {
  const { sentence, remedy } = stateText(state);
  return new HumanError(state.kind, sentence, remedy ? { remedy } : {});
}

export function stateText(state: McpServerState): StateText {
  switch (state.kind) {
    case 'disabled':
      return {
        word: l10n.t('disabled'),
        ...(state.by === 'master'
          ? {
              sentence: l10n.t('All servers are switched off at the top of a configuration file.'),
              remedy: l10n.t(
                'Remove "disabled" at the top of your own file or of the file of the folder.',
              ),
            }
          : {
              sentence: l10n.t('The server is switched off.'),
              remedy: l10n.t('Enable the server to use it.'),
            }),
        icon: 'circle-slash',
        action: 'enable',
      };
    case 'invalid': {
      const problem = gravestProblem(state.problems);
      return {
        word: l10n.t('invalid'),
        sentence: problem?.message ?? l10n.t('The entry cannot be used as it is written.'),
        remedy: problem?.remedy,
        icon: 'warning',
        action: 'openFile',
      };
    }
    case 'trust_required':
      return { ...trustText(state.reason), sentence: trustSentence(state.reason), icon: 'shield' };
    case 'idle':
      return {
        word: l10n.t('idle'),
        sentence: l10n.t('The server is not running. It connects when one of its tools is used.'),
        icon: 'circle-outline',
        action: 'probe',
      };
    case 'connecting':
      return { ...connectingText(state.note), icon: 'loading~spin', action: 'stop' };
    case 'connected':
      return {
        word: l10n.t('connected'),
        sentence: [
          l10n.t('The server is connected.'),
          ...(state.slowLists ? [slowListsSentence(state.slowLists)] : []),
        ].join(' '),
        icon: 'pass-filled',
        action: 'stop',
      };
    case 'needs_auth':
      return {
        word:
          state.failure.httpStatus === 403 ? l10n.t('account refused') : l10n.t('sign-in required'),
        sentence: state.failure.message,
        remedy: state.failure.remedy,
        icon: 'key',
        action: 'signIn',
      };
    case 'error':
      return {
        word: l10n.t('error'),
        sentence: state.failure.message,
        remedy: state.failure.remedy,
        icon: 'error',
        action: 'showLog',
      };
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

function trustText({ kind }: TrustReason): Pick<StateText, 'word' | 'remedy' | 'action'> {
  return kind === 'workspace_untrusted'
    ? {
        word: l10n.t('restricted'),
        remedy: l10n.t('Trust the workspace to use its servers.'),
        action: 'manageWorkspaceTrust',
      }
    : {
        word: l10n.t('trust required'),
        remedy: l10n.t('Review the server, then trust it or its folder.'),
        action: 'trust',
      };
}

function connectingText(note: ConnectingNote | undefined): Pick<StateText, 'word' | 'sentence'> {
  switch (note) {
    case 'fetching':
      return {
        word: l10n.t('fetching its package'),
        sentence: l10n.t('The package of the server is being fetched for the first time.'),
      };
    case 'waiting':
      return {
        word: l10n.t('waiting to fetch its package'),
        sentence: l10n.t(
          'The package of the server will be fetched when that of another one is there.',
        ),
      };
    case 'starting':
      return {
        word: l10n.t('waiting for initialize'),
        sentence: l10n.t('The server has been started and has not answered "initialize" yet.'),
      };
    case 'listing':
      return {
        word: l10n.t('reading its lists'),
        sentence: l10n.t('The server has started; its lists are being read.'),
      };
    case undefined:
      return { word: l10n.t('connecting'), sentence: l10n.t('The server is connecting.') };
  }
}

/** Nothing may run; {@link stateError} says why. */
export function isBlocked(state: McpServerState): state is BlockedState {
  return state.kind === 'disabled' || state.kind === 'invalid' || state.kind === 'trust_required';
}

/** A process or a connection of it is there, or on its way. */
export function isRunning({ kind }: McpServerState): boolean {
  return kind === 'connected' || kind === 'connecting';
}

/** May run and does not. */
export function isReadyToStart(state: McpServerState): boolean {
  return !isBlocked(state) && !isRunning(state);
}

/** Waits for consent that the user can give now; in Restricted Mode nobody can. */
export function awaitsConsent({
  state: { value: state },
}: {
  readonly state: { readonly value: McpServerState };
}): boolean {
  return state.kind === 'trust_required' && state.reason.kind !== 'workspace_untrusted';
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
