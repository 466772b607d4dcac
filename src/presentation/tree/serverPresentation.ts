import * as l10n from '@vscode/l10n';
import {
  type ConfigOrigin,
  type ConfigProblem,
  isAdvice,
  type McpServerDefinition,
} from '../../config/definition.js';
import { isFolderLayer } from '../../config/parse/configLocations.js';
import { type CommandId, commandIds, itemFlags } from '../../contributions.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import type { McpServerState } from '../../mcp/mcpTypes.js';
import { usesAccount } from '../../mcp/oauth/authorizations.js';
import {
  awaitsConsent,
  isBlocked,
  isReadyToStart,
  isRunning,
  stateText,
} from '../../mcp/stateText.js';
import { runningTasksText, taskProgress } from '../../mcp/tasks/taskText.js';
import { hasEnded } from '../../mcp/taskTypes.js';
import { troubleLines, troubleOf } from '../../mcp/trouble.js';
import { launchLines } from '../../mcp/trust/launchLines.js';
import { failureOf, failureParts } from './failurePresentation.js';
import { isDoubledUnasked, otherUseFacts, otherUseFlags, otherUseParts } from './otherUse.js';
import {
  launchText,
  type NodePresentation,
  type OtherUse,
  type PresentationContext,
  problemText,
  serverProblems,
  type TooltipAction,
  type TooltipPart,
  toolCount,
} from './presentation.js';
import { statisticText, toolCost, toolsInProfile } from './toolPresentation.js';
import { waitedSeconds } from './waitedTime.js';

/** Characters; a tooltip is no place for a manual. */
const maxInstructions = 600;
const maxTasks = 5;
const maxProblems = 5;

export function presentServer(
  server: McpServer,
  context: PresentationContext,
  hasChildren: boolean,
): NodePresentation {
  const { definition } = server;
  const state = server.state.value;
  const tools = server.catalog.value.tools.length;
  const question = context.openQuestion?.(server);
  const runningTasks = runningTasksText(server.tasks);
  const otherUse = context.otherUse?.(server) ?? {};
  const isBroken = ['error', 'needs_auth', 'invalid'].includes(state.kind);
  const facts = [
    stateFact(state, context.now),
    // in a narrow view what is cut is at the end
    ...otherUseFacts(server, otherUse),
    ...(question === undefined ? [] : [l10n.t('waits for your answer')]),
    ...(isBroken ? [troubleText(state)] : []),
    ...(state.kind === 'connected' && state.slowLists ? [l10n.t('lists read rarely')] : []),
    ...(runningTasks === undefined ? [] : [runningTasks]),
    ...(tools > 0 ? [toolsInProfile(server, context) ?? toolCount(tools)] : []),
    ...(definition.origin.layer === 'local' ? [l10n.t('yours only')] : []),
    ...(definition.hides.length > 0 ? [l10n.t('hides another entry')] : []),
    ...(showsApps(server, context) ? [l10n.t('shows apps')] : []),
  ];
  const place = definition.folder ? l10n.t('folder {0}', definition.folder.name) : l10n.t('global');
  return {
    label: definition.name,
    description: facts.join(' · '),
    ...rowIcon(server, question, otherUse),
    tooltip: [
      ...serverTooltip(server, serverProblems(server, context)),
      ...otherUseParts(server, otherUse),
      ...questionParts(question),
      ...taskParts(server),
      ...statisticParts(server, context),
    ],
    spoken: [definition.name, ...facts, place].join(', '),
    flags: serverFlags(server, context).join(' '),
    expansion: hasChildren ? 'collapsed' : 'none',
    command:
      question === undefined
        ? serverCommand(server)
        : { id: commandIds.answerQuestion, title: l10n.t('Answer Question') },
  };
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
    : { icon: stateText(state.value).icon, color: stateColor(state.value) };
}

function stateFact(state: McpServerState, now: number | undefined): string {
  const { word } = stateText(state);
  const seconds = waitedSeconds(state, now);
  return seconds === undefined ? word : l10n.t('{0} since {1} s', word, seconds);
}

/** Only the user can change its state; invalid entries and folders that need a decision included. */
export function needsUser({ state }: McpServer): boolean {
  return ['trust_required', 'needs_auth', 'error', 'invalid'].includes(state.value.kind);
}

function serverCommand(server: McpServer): NodePresentation['command'] {
  const state = server.state.value;
  if (isSignedOut(server)) {
    return { id: commandIds.signIn, title: l10n.t('Sign In') };
  }
  if (state.kind !== 'trust_required') {
    return undefined;
  }
  return state.reason.kind === 'workspace_untrusted'
    ? { id: commandIds.manageWorkspaceTrust, title: l10n.t('Manage Workspace Trust') }
    : { id: commandIds.reviewServers, title: l10n.t('Review') };
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
  const trust = definition.folder && context.folderTrust(definition.folder.uri);
  const isRestricted =
    state.kind === 'trust_required' && state.reason.kind === 'workspace_untrusted';
  return [
    itemFlags.server,
    ...(definition.scope === 'global' ? [itemFlags.global] : []),
    definition.enabled ? itemFlags.switchedOn : itemFlags.switchedOff,
    ...(trust && trust.kind !== 'none' ? [itemFlags.hasConsent] : []),
    ...(awaitsConsent(server) ? [itemFlags.awaitsConsent] : []),
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

/** Who is connected without tokens needs no account. */
function accountFlags(
  server: McpServer,
  { storedAccount }: PresentationContext,
): readonly string[] {
  const { launch } = server.definition;
  if (launch?.kind !== 'http') {
    return [];
  }
  const { hasTokens = false, hasClient = false } = storedAccount?.(server) ?? {};
  const isOffered = usesAccount(launch) && !hasTokens && server.state.value.kind !== 'connected';
  return [
    ...(isSignedOut(server) ? [itemFlags.signedOut] : []),
    ...(isSignedOut(server) || isOffered ? [itemFlags.canSignIn] : []),
    ...(hasTokens ? [itemFlags.signedIn] : []),
    ...(hasTokens || hasClient ? [itemFlags.registered] : []),
  ];
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

/** What the tools cost a model. Counting them takes time: only for a tooltip that is about to show. */
export function costParts(server: McpServer, context: PresentationContext): readonly TooltipPart[] {
  const cost = toolCost(server, context);
  return cost
    ? [
        {
          kind: 'paragraph',
          text: l10n.t('Tools: {0} tokens, {1} of them in every request', cost.all, cost.standing),
        },
      ]
    : [];
}

function taskParts({ tasks }: McpServer): readonly TooltipPart[] {
  return tasks.all
    .filter(({ state }) => !hasEnded(state.value))
    .slice(0, maxTasks)
    .map(({ tool, taskId, state }) => ({
      kind: 'paragraph',
      text: l10n.t('Task {0}: {1}', tool ?? taskId, taskProgress(state.value)),
    }));
}

function statisticParts(
  server: McpServer,
  { serverStatistic }: PresentationContext,
): readonly TooltipPart[] {
  const statistic = serverStatistic?.(server);
  return statistic ? [{ kind: 'paragraph', text: statisticText(statistic) }] : [];
}

function questionParts(question: string | undefined): readonly TooltipPart[] {
  return question === undefined
    ? []
    : [{ kind: 'paragraph', text: l10n.t('It asks: {0}', question) }];
}

/** The server at length: state, launch, source and what it hides. */
export function serverTooltip(
  server: McpServer,
  problems: readonly ConfigProblem[],
): readonly TooltipPart[] {
  const { definition } = server;
  const state = server.state.value;
  const catalog = server.catalog.value;
  const { sentence } = stateText(state);
  const trouble = troubleOf(state);
  const texts = trouble ? troubleLines(trouble) : [sentence];
  const hasRun = state.kind === 'error' && state.failure.ran !== undefined;
  // what was run says more than what is written
  const launch = hasRun ? undefined : launchText(definition);
  const info = catalog.serverInfo;
  return [
    { kind: 'title', text: definition.name },
    ...texts.map((text) => ({ kind: 'paragraph', text }) as const),
    { kind: 'actions', actions: serverActions(server) },
    ...failureParts(state),
    ...(launch ? [{ kind: 'code', text: launch, language: 'shellscript' } as const] : []),
    ...launchParts(definition),
    ...problemParts(problems.filter(({ message }) => message !== sentence)),
    ...(info
      ? [{ kind: 'paragraph', text: `${info.title ?? info.name} ${info.version}` } as const]
      : []),
    ...(state.kind === 'connected'
      ? [{ kind: 'paragraph', text: connectionText(state) } as const]
      : []),
    ...(catalog.instructions
      ? [
          { kind: 'paragraph', text: l10n.t('The server says:') } as const,
          { kind: 'markdown', text: shorten(catalog.instructions) } as const,
        ]
      : []),
    { kind: 'paragraph', text: l10n.t('Declared in {0}', definition.origin.path) },
    ...definition.hides.map((origin) => ({
      kind: 'paragraph' as const,
      text: hidingText(origin, server),
    })),
  ];
}

/** Those that somebody should do something about first. */
function problemParts(problems: readonly ConfigProblem[]): readonly TooltipPart[] {
  const sorted = [
    ...problems.filter((problem) => !isAdvice(problem)),
    ...problems.filter((problem) => isAdvice(problem)),
  ];
  const texts = sorted.slice(0, maxProblems).map(problemText);
  const more = sorted.length - texts.length;
  return [...texts, ...(more > 0 ? [l10n.t('… and {0} more', more)] : [])].map((text) => ({
    kind: 'paragraph',
    text,
  }));
}

/** What is wrong, in as few words as are known. */
function troubleText(state: McpServerState): string {
  return troubleOf(state)?.cause ?? stateText(state).sentence;
}

/** The next steps about a server, what its state asks for first. */
function serverActions(server: McpServer): readonly TooltipAction[] {
  const state = server.state.value;
  const own = serverCommand(server);
  const action = (title: string, command: CommandId) => ({ title, command, argument: server.id });
  return [
    ...(own ? [action(own.title, own.id)] : []),
    ...(isReadyToStart(state) ? [action(l10n.t('Start'), commandIds.startServer)] : []),
    ...(state.kind === 'connected' ? [action(l10n.t('Restart'), commandIds.restartServer)] : []),
    action(l10n.t('Show Log'), commandIds.showLog),
    action(l10n.t('Inspect'), commandIds.inspectServer),
    action(l10n.t('Edit'), commandIds.editServer),
  ];
}

/** What else the launch does, beside its command or address. */
function launchParts({ launch }: McpServerDefinition): readonly TooltipPart[] {
  const [, ...others] = launch ? launchLines(launch) : [];
  const text = others.map(({ label, text: value }) => `${label}: ${value}`).join('\n');
  return text === '' ? [] : [{ kind: 'code', text }];
}

/** A server of the user is not hidden by one that may not run. */
function hidingText({ layer, path }: ConfigOrigin, { definition, state }: McpServer): string {
  const isOuter = definition.scope === 'folder' && !isFolderLayer(layer) && layer !== 'import';
  return isOuter && isBlocked(state.value)
    ? l10n.t('Hides the entry in {0} once it may run', path)
    : l10n.t('Hides the entry in {0}', path);
}

function shorten(text: string): string {
  const characters = [...text.trim()];
  return characters.length > maxInstructions
    ? `${characters.slice(0, maxInstructions).join('')}…`
    : text.trim();
}

function connectionText(state: Extract<McpServerState, { kind: 'connected' }>): string {
  const seconds = (state.connectMs / 1000).toFixed(1);
  return state.pid === undefined
    ? l10n.t('Connected by {0} in {1} s', state.transport, seconds)
    : l10n.t('Connected by {0} in {1} s, process {2}', state.transport, seconds, state.pid);
}
