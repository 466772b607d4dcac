/** What an empty conversation says, as data. Runs in plain Node, hence `@vscode/l10n`. */
import * as l10n from '@vscode/l10n';
import type { ListedConversation } from '../../agent/panel/library.js';
import { nameToken } from '../../base/text/nameToken.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import type { McpServerState } from '../../mcp/mcpTypes.js';
import { awaitsReview } from '../../mcp/stateKinds.js';
import type {
  RecentConversation,
  ServerStep,
  StartServers,
  StartView,
} from '../../protocol/start/startView.js';
import { formatAge } from '../consent/formatAge.js';
import { conversationStateWord, stateGlyph } from '../conversationWords.js';

const maxRecent = 3;

export interface StartParts {
  /** In the order of the list. */
  readonly conversations: readonly ListedConversation[];
  readonly servers: readonly McpServer[];
  readonly folder: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Such as `en`. */
  readonly language: string;
}

export function startView({
  conversations,
  servers,
  folder,
  now,
  language,
}: StartParts): StartView {
  const recent = conversations.filter(({ isShown }) => !isShown).slice(0, maxRecent);
  const states = startServers(servers);
  return {
    folder,
    recent: recent.map((one) => recentConversation(one, now, language)),
    servers: states,
  };
}

function recentConversation(
  { id, title, state, modifiedAt }: ListedConversation,
  now: number,
  language: string,
): RecentConversation {
  const age = formatAge(Math.max(0, now - modifiedAt), language);
  const facts = state === 'done' ? age : `${conversationStateWord(state)}, ${age}`;
  return { id, title, facts, icon: stateGlyph(state) };
}

/** `undefined` without servers. */
function startServers(servers: readonly McpServer[]): StartServers | undefined {
  if (servers.length === 0) {
    return undefined;
  }
  const enabled = servers.filter(({ state }) => state.value.kind !== 'disabled');
  const ready = enabled.filter(({ state }) => isReady(state.value)).length;
  const text =
    enabled.length === 0
      ? l10n.t('MCP servers: all disabled')
      : l10n.t('MCP servers: {0} of {1} ready', ready, enabled.length);
  return { text, steps: serverSteps(enabled) };
}

/** Its tools can be used, if only by connecting first. */
function isReady({ kind }: McpServerState): boolean {
  return kind === 'connected' || kind === 'idle';
}

function serverSteps(servers: readonly McpServer[]): readonly ServerStep[] {
  const signedOut = servers.filter(({ state }) => state.value.kind === 'needs_auth');
  const broken = servers.filter(({ state }) => /^(error|invalid)$/.test(state.value.kind));
  const waiting = servers.filter(awaitsReview);
  const [toSignIn] = signedOut;
  return [
    ...(waiting.length > 0 ? [{ kind: 'review', text: reviewText(waiting) } as const] : []),
    ...(toSignIn && signedOut.length === 1
      ? [
          {
            kind: 'signIn',
            text: l10n.t('{0}: {1}', l10n.t('Sign In'), nameToken(toSignIn.definition.name)),
            server: toSignIn.id,
          } as const,
        ]
      : []),
    ...(signedOut.length > 1
      ? [{ kind: 'show', text: l10n.t('{0} to sign in', signedOut.length) } as const]
      : []),
    ...(broken.length > 0 ? [{ kind: 'show', text: brokenText(broken) } as const] : []),
  ];
}

function reviewText(servers: readonly McpServer[]): string {
  const [first] = servers;
  return first && servers.length === 1
    ? l10n.t('{0}: {1}', l10n.t('Review'), nameToken(first.definition.name))
    : l10n.t('{0} to review', servers.length);
}

function brokenText(servers: readonly McpServer[]): string {
  const [first] = servers;
  return first && servers.length === 1
    ? l10n.t('{0}: {1}', l10n.t('Failed'), nameToken(first.definition.name))
    : l10n.t('{0} failed', servers.length);
}
