/** What a row says of a state. */
import * as l10n from '@vscode/l10n';
import { type ConfigProblem, gravestProblem } from '../config/definition.js';
import type { ConnectingNote, McpServerState } from './mcpTypes.js';

export interface StateWord {
  /** One or two words, for lists and screen readers. */
  readonly word: string;
  /** Name of a codicon. */
  readonly icon: string;
}

export function stateWord(state: McpServerState): StateWord {
  switch (state.kind) {
    case 'disabled':
      return { word: l10n.t('disabled'), icon: 'circle-slash' };
    case 'invalid':
      return { word: l10n.t('invalid'), icon: 'warning' };
    case 'trust_required':
      return {
        word:
          state.reason.kind === 'workspace_untrusted'
            ? l10n.t('restricted')
            : l10n.t('trust required'),
        icon: 'shield',
      };
    case 'idle':
      return { word: l10n.t('idle'), icon: 'circle-outline' };
    case 'connecting':
      return { word: connectingWord(state.note), icon: 'loading~spin' };
    case 'connected':
      return { word: l10n.t('connected'), icon: 'pass-filled' };
    case 'needs_auth':
      return {
        word:
          state.failure.httpStatus === 403 ? l10n.t('account refused') : l10n.t('sign-in required'),
        icon: 'key',
      };
    case 'error':
      return { word: l10n.t('error'), icon: 'error' };
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

/** What keeps an entry from being used. */
export function invalidText(problems: readonly ConfigProblem[]): string {
  return gravestProblem(problems)?.message ?? l10n.t('The entry cannot be used as it is written.');
}
