/** What a state says to the user: one sentence, one word, one icon and one primary action per state. */
import * as l10n from '@vscode/l10n';
import { showText } from '../base/text/showText.js';
import { gravestProblem } from '../config/definition.js';
import { traitText } from '../config/launch/launchTraitText.js';
import { identityText } from '../platform/folderIdentityText.js';
import type {
  ConnectingNote,
  McpListKind,
  McpServerState,
  SlowLists,
  TrustReason,
} from './mcpTypes.js';
import { invalidText, type StateWord, stateWord } from './stateWord.js';

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
interface StateText extends StateWord {
  /** A full sentence. */
  readonly sentence: string;
  /** The next step as a full sentence; `undefined` when there is nothing to do. */
  readonly remedy?: string | undefined;
  readonly action: StateAction;
}

export function stateText(state: McpServerState): StateText {
  return { ...stateWord(state), ...saidOf(state) };
}

function saidOf(state: McpServerState): Omit<StateText, keyof StateWord> {
  switch (state.kind) {
    case 'disabled':
      return { ...disabledText(state), action: 'enable' };
    case 'invalid':
      return {
        sentence: invalidText(state.problems),
        remedy: gravestProblem(state.problems)?.remedy,
        action: 'openFile',
      };
    case 'trust_required':
      return { ...trustText(state.reason), sentence: trustSentence(state.reason) };
    case 'idle':
      return {
        sentence: l10n.t('The server is not running. It connects when one of its tools is used.'),
        action: 'probe',
      };
    case 'connecting':
      return { sentence: connectingSentence(state.note), action: 'stop' };
    case 'connected':
      return {
        sentence: [
          l10n.t('The server is connected.'),
          ...(state.slowLists ? [slowListsSentence(state.slowLists)] : []),
        ].join(' '),
        action: 'stop',
      };
    case 'needs_auth':
      return {
        sentence: state.failure.message,
        remedy: state.failure.remedy,
        action: 'signIn',
      };
    case 'error':
      return {
        sentence: state.failure.message,
        remedy: state.failure.remedy,
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

function trustText({ kind }: TrustReason): Pick<StateText, 'remedy' | 'action'> {
  return kind === 'workspace_untrusted'
    ? {
        remedy: l10n.t('Trust the workspace to use its servers.'),
        action: 'manageWorkspaceTrust',
      }
    : {
        remedy: l10n.t('Review the server, then trust it or its folder.'),
        action: 'trust',
      };
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

export function trustSentence(reason: TrustReason): string {
  switch (reason.kind) {
    case 'workspace_untrusted':
      return l10n.t(
        'The workspace is in Restricted Mode: nothing that its files declare is started.',
      );
    case 'never_consented':
      return l10n.t('The server waits for your consent before it runs.');
    case 'agent_wrote':
      return l10n.t(
        'The agent wrote this entry, or a command of it did: the server waits for your consent before it runs, also in a trusted folder.',
      );
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
        reason.traits.map((trait) => traitText(trait)).join(', '),
      );
  }
}

function disabledText(
  state: Extract<McpServerState, { kind: 'disabled' }>,
): Pick<StateText, 'sentence' | 'remedy'> {
  switch (state.by) {
    case 'server':
      return {
        sentence: l10n.t('The server is switched off.'),
        remedy: l10n.t('Enable the server to use it.'),
      };
    case 'master':
      return {
        sentence: l10n.t('All servers are switched off at the top of a configuration file.'),
        remedy: l10n.t(
          'Remove "disabled" at the top of your own file or of the file of the folder.',
        ),
      };
    case 'folder':
      return {
        sentence: l10n.t(
          'The server is switched off for the folder "{0}", in {1}.',
          showText(state.folderName),
          showText(state.path),
        ),
        remedy: l10n.t('Choose the folders of the server to use it there.'),
      };
  }
}
