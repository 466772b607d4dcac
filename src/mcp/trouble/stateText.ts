/** What any state says: what is wrong, or else what a server does that works, with one icon and one next step. */
import * as l10n from '@vscode/l10n';
import type { ConnectingNote, McpListKind, McpServerState, SlowLists } from '../mcpTypes.js';
import { type Fix, fixOf } from './fix.js';
import { type Trouble, troubleOf } from './trouble.js';

export interface StateText extends Omit<Trouble, 'fix'> {
  /** Name of a codicon. */
  readonly icon: string;
  /** `undefined` where nothing has to be done. */
  readonly fix?: Fix;
}

export function stateText(state: McpServerState): StateText {
  return { icon: stateIcon(state), ...(troubleOf(state) ?? calmText(state)) };
}

export function stateIcon({ kind }: McpServerState): string {
  switch (kind) {
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

function calmText(state: McpServerState): Omit<StateText, 'icon'> {
  const evidence: readonly string[] = [];
  if (state.kind === 'connecting') {
    return { ...connectingText(state.note), evidence, fix: fixOf('stop') };
  }
  if (state.kind === 'connected') {
    const slow = state.slowLists ? [slowListsSentence(state.slowLists)] : [];
    const sentence = [l10n.t('The server is connected.'), ...slow].join(' ');
    return { reason: l10n.t('Connected'), sentence, evidence };
  }
  return {
    reason: l10n.t('Not running'),
    sentence: l10n.t('The server is not running. It starts when one of its tools is used.'),
    evidence,
    fix: fixOf('start'),
  };
}

function connectingText(note: ConnectingNote | undefined): Pick<Trouble, 'reason' | 'sentence'> {
  switch (note) {
    case 'fetching':
      return {
        reason: l10n.t('Downloading package'),
        sentence: l10n.t('The package of the server is being downloaded for the first time.'),
      };
    case 'waiting':
      return { reason: l10n.t('Waiting to download'), sentence: l10n.t('Starting…') };
    case 'listing':
      return { reason: l10n.t('Loading tools'), sentence: l10n.t('Starting…') };
    default:
      return { reason: l10n.t('Starting'), sentence: l10n.t('Starting…') };
  }
}

/** Lists that are read after a pause only. */
function slowListsSentence({ lists, pauseMs }: SlowLists): string {
  return l10n.t(
    'Too many change notifications; refreshing {0} every {1} s.',
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
