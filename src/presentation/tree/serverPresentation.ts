import * as l10n from '@vscode/l10n';
import { nameToken } from '../../base/text/nameToken.js';
import { commandIds, itemFlags } from '../../contributions.js';
import { usesAccount } from '../../mcp/accountUse.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import type { McpCatalog, McpServerFailure, McpServerState } from '../../mcp/mcpTypes.js';
import { awaitsReview, isBlocked, isRunning, isTrouble } from '../../mcp/stateKinds.js';
import { runningTasksText } from '../../mcp/tasks/taskText.js';
import { stateIcon, stateText } from '../../mcp/trouble/stateText.js';
import { isDoubledUnasked, otherUseFacts, otherUseFlags } from './otherUse.js';
import {
  type NodePresentation,
  type OtherUse,
  type PresentationContext,
  toolCount,
} from './presentation.js';
import { toolsInUse } from './toolsInUse.js';
import { waitedSeconds } from './waitedTime.js';

export function presentServer(
  server: McpServer,
  context: PresentationContext,
  hasChildren: boolean,
): NodePresentation {
  const { definition } = server;
  const state = server.state.value;
  const tools = server.catalog.value.tools.length;
  const works = !isTrouble(state);
  const question = context.openQuestion?.(server);
  const runningTasks = runningTasksText(server.tasks);
  const otherUse = context.otherUse?.(server) ?? {};
  const said = stateFact(state, context.now);
  const changes = changedDefinitions(server.catalog.value);
  // whether one is off takes their count of tokens, which no row of a server waits for
  const isNarrowed = context.profileOf?.(definition.folder?.uri) !== undefined;
  const inUse = isNarrowed ? toolsInUse(server, context) : undefined;
  const others = [
    // in a narrow view what is cut is at the end
    ...otherUseFacts(server, otherUse),
    ...(question === undefined ? [] : [l10n.t('waits for your answer')]),
    ...(changes === undefined ? [] : [changes]),
    ...(state.kind === 'connected' && state.slowLists ? [l10n.t('lists read rarely')] : []),
    ...(runningTasks === undefined ? [] : [runningTasks]),
    ...(tools > 0 && works ? [inUse ?? toolCount(tools)] : []),
    ...(definition.origin.layer === 'local' ? [l10n.t('only you')] : []),
    ...(definition.hides.length > 0 ? [l10n.t('hides another entry')] : []),
    ...(showsApps(server, context) ? [l10n.t('shows apps')] : []),
  ];
  const place = definition.folder ? l10n.t('folder {0}', definition.folder.name) : l10n.t('User');
  return {
    label: nameToken(definition.name),
    // of one that works, the icon says so
    description: (works && tools > 0 && state.kind !== 'connecting'
      ? others
      : [said, ...others]
    ).join(' · '),
    ...rowIcon(server, question, otherUse),
    // takes time and code: `serverTooltip` has it once it is about to show
    tooltip: [],
    spoken: [definition.name, said, ...others, place].join(', '),
    flags: serverFlags(server, context).join(' '),
    expansion: hasChildren ? 'collapsed' : 'none',
    command: { id: commandIds.openServer, title: l10n.t('Open Server') },
  };
}

/** `undefined` when nothing is other than it was trusted. */
export function changedDefinitions({ changes = [] }: McpCatalog): string | undefined {
  return changes.length === 0 ? undefined : l10n.t('changed definitions: {0}', changes.length);
}

/** What somebody should look at comes before the state, which the words say as well. */
function rowIcon(
  { state, definition }: McpServer,
  question: string | undefined,
  otherUse: OtherUse,
): Pick<NodePresentation, 'icon' | 'color'> {
  const color = 'list.warningForeground';
  if (question !== undefined) {
    return { icon: 'question', color };
  }
  return isDoubledUnasked(definition, otherUse) && isRunning(state.value)
    ? { icon: 'versions', color }
    : { icon: stateIcon(state.value), color: stateColor(state.value) };
}

function stateFact(state: McpServerState, now: number | undefined): string {
  const { reason } = stateText(state);
  const seconds = waitedSeconds(state, now);
  return seconds === undefined ? reason : l10n.t('{0}, {1} s', reason, seconds);
}

/** Only the user can change its state; invalid entries and folders that need a decision included. */
export function needsUser({ state }: McpServer): boolean {
  return ['trust_required', 'needs_auth', 'error', 'invalid'].includes(state.value.kind);
}

/** Waits for a sign-in that the user can do. */
function isSignedOut({ definition, state }: McpServer): boolean {
  return state.value.kind === 'needs_auth' && usesAccount(definition.launch);
}

function showsApps(server: McpServer, { appConsents }: PresentationContext): boolean {
  return (appConsents?.(server).length ?? 0) > 0;
}

function serverFlags(server: McpServer, context: PresentationContext): readonly string[] {
  const { definition } = server;
  const state = server.state.value;
  const { changes = [] } = server.catalog.value;
  const trust = definition.folder && context.folderTrust(definition.folder.uri);
  const isRestricted =
    state.kind === 'trust_required' && state.reason.kind === 'workspace_untrusted';
  return [
    itemFlags.server,
    definition.enabled ? itemFlags.switchedOn : itemFlags.switchedOff,
    ...(trust && trust.kind !== 'none' ? [itemFlags.hasConsent] : []),
    ...(awaitsReview(server) || changes.length > 0 ? [itemFlags.awaitsConsent] : []),
    ...(isRestricted ? [itemFlags.restricted] : []),
    ...(isBlocked(state) ? [] : [itemFlags.startable]),
    ...accountFlags(server, context),
    ...(context.openQuestion?.(server) === undefined ? [] : [itemFlags.asking]),
    ...(isRunning(state) ? [itemFlags.running] : []),
    ...(showsApps(server, context) ? [itemFlags.showsApps] : []),
    ...(failureOf(state) ? [itemFlags.failing] : []),
    ...otherUseFlags(context.otherUse?.(server) ?? {}),
  ];
}

function accountFlags(server: McpServer, context: PresentationContext): readonly string[] {
  if (server.definition.launch?.kind !== 'http') {
    return [];
  }
  const { hasTokens = false, hasClient = false } = context.storedAccount?.(server) ?? {};
  return [
    ...(isSignedOut(server) ? [itemFlags.signedOut] : []),
    ...(maySignIn(server, context) ? [itemFlags.canSignIn] : []),
    ...(hasTokens ? [itemFlags.signedIn] : []),
    ...(hasTokens || hasClient ? [itemFlags.registered] : []),
  ];
}

/** Who is connected without tokens needs no account. */
export function maySignIn(
  server: McpServer,
  { storedAccount }: Pick<PresentationContext, 'storedAccount'>,
): boolean {
  const { launch } = server.definition;
  const isOffered =
    launch?.kind === 'http' &&
    usesAccount(launch) &&
    !storedAccount?.(server).hasTokens &&
    server.state.value.kind !== 'connected';
  return isOffered || isSignedOut(server);
}

function stateColor(state: McpServerState): string | undefined {
  switch (state.kind) {
    case 'connected':
      return 'testing.iconPassed';
    case 'error':
      return 'list.errorForeground';
    case 'invalid':
    case 'needs_auth':
    case 'trust_required':
      return 'list.warningForeground';
    case 'disabled':
    case 'idle':
      return 'disabledForeground';
    case 'connecting':
      return undefined;
  }
}

/** Why the server does not work; `undefined` where it was not tried or works. */
export function failureOf(state: McpServerState): McpServerFailure | undefined {
  return state.kind === 'error' || state.kind === 'needs_auth' ? state.failure : undefined;
}
