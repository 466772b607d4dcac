/** What the page of a server says of it: its head, what is wrong, and the overview. Plain Node; no `vscode`. */
import * as l10n from '@vscode/l10n';
import type { ToolFacts } from '../../agent/tools/toolOverview.js';
import type { JsonObject } from '../../base/json.js';
import { counted } from '../../base/text/counted.js';
import { nameToken } from '../../base/text/nameToken.js';
import { isAdvice, type ToolOverride } from '../../config/definition.js';
import { traitsOf } from '../../config/launch/launchTraits.js';
import { rootsLabel, rootsText } from '../../config/roots/rootFolders.js';
import { overrideFor } from '../../config/toolOverrides.js';
import { durationPercentile, errorCount } from '../../mcp/catalog/records/statisticFigures.js';
import { toolTitle } from '../../mcp/catalog/search/reading/toolText.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import type { McpSkill, McpTool } from '../../mcp/mcpTypes.js';
import { isBlocked, isRunning, isTrouble } from '../../mcp/stateKinds.js';
import { taskProgress } from '../../mcp/tasks/taskText.js';
import { hasEnded } from '../../mcp/taskTypes.js';
import { stateText } from '../../mcp/trouble/stateText.js';
import { launchLines } from '../../mcp/trust/launchLines.js';
import type {
  ServerAction,
  ServerBanner,
  ServerFact,
  ServerSection,
  ServerToolView,
  ServerView,
} from '../../protocol/server/serverProtocol.js';
import { skillFileText } from '../questions/skillCard.js';
import { missingServerText } from '../tabState.js';
import { itemPicture } from '../tree/below/itemPicture.js';
import { claimsOf, statesOf, statisticText, toolCost } from '../tree/below/toolPresentation.js';
import { handOverWord } from '../tree/otherUse.js';
import {
  firstLine,
  offersText,
  type PresentationContext,
  poolLabel,
  problemWithRemedy,
  serverProblems,
} from '../tree/presentation.js';
import { changedDefinitions, maySignIn } from '../tree/serverPresentation.js';
import { folderTrustTexts } from '../tree/tooltips/nodeTooltip.js';
import { doubleStartSentences, stoppableCopies } from '../tree/tooltips/otherUseTooltip.js';
import { accountLabel } from './accountLabel.js';
import { entryFacts, fact } from './entryFacts.js';
import { serverOffers } from './serverOffers.js';
import type { ServerUpdates, UpdateFacts } from './serverUpdates.js';

type Service = Pick<McpService, 'getPool' | 'getServer' | 'pools'>;

/** @param name of one that is not there any more */
export function serverPageView(
  service: Service,
  { id, name }: { readonly id: string; readonly name: string },
  context: PresentationContext,
  updates?: Pick<ServerUpdates, 'facts'>,
): ServerView {
  const subject: JsonObject = { server: id, name };
  const server = service.getServer(id);
  return server
    ? { subject, ...liveView(server, service, { context, update: updates?.facts(server) }) }
    : { subject, ...goneView(name, missingServerText(service, id)) };
}

function goneView(name: string, sentence: string): Omit<ServerView, 'subject'> {
  return {
    name,
    state: 'gone',
    icon: 'circle-slash',
    reason: '',
    place: '',
    isEnabled: false,
    lifecycle: [],
    banner: { isError: false, sentence, more: [], evidence: [] },
    sections: [],
    suggestions: [],
    tools: [],
    noTools: '',
    offers: [],
  };
}

interface Known {
  readonly context: PresentationContext;
  readonly update: UpdateFacts | undefined;
}

function liveView(
  server: McpServer,
  service: Service,
  { context, update }: Known,
): Omit<ServerView, 'subject'> {
  const { definition, catalog } = server;
  const state = server.state.value;
  const { icon, reason, fix, sentence } = stateText(state);
  const pool = service.getPool(definition.poolId);
  // an entry that cannot be used says why as its state
  const problems = serverProblems(server, context)
    .filter(({ message }) => message !== sentence)
    .sort((one, other) => Number(isAdvice(one)) - Number(isAdvice(other)));
  return {
    name: definition.name,
    ...itemPicture(catalog.value.serverInfo),
    state: state.kind,
    icon,
    reason,
    place: pool ? poolLabel(pool) : '',
    isEnabled: definition.enabled,
    fix: isTrouble(state) ? fix?.title : undefined,
    lifecycle: isBlocked(state) ? [] : isRunning(state) ? ['stop', 'restart'] : ['start'],
    banner: bannerOf(server),
    sections: sectionsOf(server, service.pools, { context, update }).filter(
      ({ facts, actions }) => facts.length + actions.length > 0,
    ),
    suggestions: [...problems.map(problemWithRemedy), ...catalog.value.notices],
    instructions: catalog.value.instructions,
    tools: catalog.value.tools.map((tool) => toolView(server, tool, context)),
    noTools: noToolsText(server),
    offers: serverOffers(server),
  };
}

function bannerOf({ state: { value: state } }: McpServer): ServerBanner | undefined {
  const { sentence, fix, nextTry, evidence } = stateText(state);
  if (!isTrouble(state)) {
    return undefined;
  }
  const more = [fix?.how, nextTry].filter((text) => text !== undefined && text !== sentence);
  const isError = state.kind === 'error' || state.kind === 'invalid';
  return { isError, sentence, more: more as readonly string[], evidence };
}

function noToolsText({ state }: McpServer): string {
  return state.value.kind === 'connected'
    ? l10n.t('No tools')
    : l10n.t('Tools are known once the server has run.');
}

function sectionsOf(
  server: McpServer,
  pools: McpService['pools'],
  { context, update }: Known,
): readonly ServerSection[] {
  return [
    section(l10n.t('State'), stateFacts(server, context), [
      ...when(context.openQuestion?.(server) !== undefined, 'answer', l10n.t('Answer Question')),
      ...when(runningTasks(server).length > 0, 'tasks', l10n.t('Show Tasks…')),
      ...when(!isBlocked(server.state.value), 'log', l10n.t('Show Log')),
    ]),
    section(l10n.t('Launch'), launchFacts(server)),
    ...(update ? [updateSection(update)] : []),
    section(l10n.t('Entry'), entryFacts(server, pools), [
      ['openFile', l10n.t('Open File')],
      ...when(server.definition.origin.layer !== 'import', 'move', l10n.t('Change Scope…')),
      ...when(server.definition.scope === 'global', 'folders', l10n.t('Choose Folders…')),
    ]),
    section(l10n.t('Server'), offerFacts(server, context)),
    trustSection(server, context),
    accountSection(server, context),
    otherUseSection(server, context),
  ];
}

function section(
  title: string,
  facts: readonly ServerFact[],
  actions: readonly (readonly [ServerAction, string])[] = [],
): ServerSection {
  return { title, facts, actions: actions.map(([action, label]) => ({ action, title: label })) };
}

function when(
  isOffered: boolean,
  action: ServerAction,
  title: string,
): readonly (readonly [ServerAction, string])[] {
  return isOffered ? [[action, title]] : [];
}

function stateFacts(server: McpServer, context: PresentationContext): readonly ServerFact[] {
  const state = server.state.value;
  const statistic = context.serverStatistic?.(server);
  const connected =
    state.kind === 'connected'
      ? `${l10n.t('{0} s', (state.connectMs / 1000).toFixed(1))} · ${state.transport}`
      : undefined;
  return [
    ...fact(l10n.t('State'), isTrouble(state) ? undefined : stateText(state).sentence),
    ...fact(l10n.t('connected in'), connected),
    ...fact(l10n.t('waits for your answer'), context.openQuestion?.(server)),
    ...runningTasks(server).flatMap(({ tool, taskId, state: task }) =>
      fact(nameToken(tool ?? taskId), l10n.t('Task: {0}', taskProgress(task.value))),
    ),
    ...fact(l10n.t('calls'), statistic && statisticText(statistic)),
  ];
}

function runningTasks({ tasks }: McpServer): McpServer['tasks']['all'] {
  return tasks.all.filter(({ state }) => !hasEnded(state.value)).slice(0, 5);
}

function launchFacts({ definition }: McpServer): readonly ServerFact[] {
  const { launch } = definition;
  return launch
    ? [
        ...launchLines(launch).flatMap(({ kind, label, text }) =>
          fact(label, text, kind === 'command' || kind === 'address'),
        ),
        ...fact(rootsLabel(), rootsText(definition)),
      ]
    : [];
}

function updateSection({
  name,
  version,
  newest,
  skipped,
  asked,
  launch,
  asks,
  changes,
}: UpdateFacts): ServerSection {
  return section(
    l10n.t('Version'),
    [
      ...fact(l10n.t('Package'), name, true),
      ...fact(
        l10n.t('Version'),
        newest === undefined ? version : l10n.t('{0}; {1} is available', version, newest),
      ),
      ...fact(l10n.t('would run'), launch, true),
      ...fact(l10n.t('asks also for'), asks.join('\n') || undefined),
      ...fact(l10n.t('skipped'), skipped),
      ...fact(l10n.t('registry asked'), asked),
      ...changes,
    ],
    [
      ...when(newest !== undefined, 'compareTools', l10n.t('Compare Tools…')),
      ...when(newest !== undefined, 'update', l10n.t('Update…')),
      ...when(newest !== undefined, 'skipVersion', l10n.t('Skip This Version')),
      ['checkUpdates', l10n.t('Check for Updates')],
    ],
  );
}

function offerFacts(server: McpServer, context: PresentationContext): readonly ServerFact[] {
  const { serverInfo: info, protocolVersion, ...lists } = server.catalog.value;
  const cost = toolCost(server, context);
  return [
    ...fact(l10n.t('Name'), info && `${info.title ?? info.name} ${info.version}`),
    ...fact(l10n.t('protocol'), protocolVersion),
    ...fact(l10n.t('offers'), offersText(server)),
    ...fact(
      l10n.t('Tools'),
      cost && l10n.t('{0} tokens in every request, {1} with all', cost.standing, cost.all),
    ),
    ...(lists.skills ?? []).flatMap((skill) => fact(l10n.t('Skill'), skillSummary(skill))),
  ];
}

function skillSummary({ name, description, files }: McpSkill): string {
  return [`${name}: ${description.replace(/\s+/g, ' ')}`, ...files.map(skillFileText)].join('\n');
}

function trustSection(server: McpServer, context: PresentationContext): ServerSection {
  const { folder } = server.definition;
  const trust = folder && context.folderTrust(folder.uri);
  const hasApps = (context.appConsents?.(server).length ?? 0) > 0;
  const isWaiting = server.state.value.kind === 'trust_required';
  const changes = changedDefinitions(server.catalog.value);
  const text = isWaiting
    ? stateText(server.state.value).reason
    : trust?.kind === 'servers' && isTrustedAlone(server)
      ? l10n.t('trusted')
      : trust && folderTrustTexts[trust.kind]();
  return section(
    l10n.t('Trust'),
    [
      ...fact(l10n.t('Trust'), text),
      ...fact(l10n.t('Changed definitions'), changes),
      ...fact(l10n.t('note'), hasApps ? l10n.t('shows apps') : undefined),
    ],
    [
      ...when(isWaiting || changes !== undefined, 'review', l10n.t('Review…')),
      ...when(hasApps || (trust?.kind ?? 'none') !== 'none', 'trust', l10n.t('Manage Trust…')),
    ],
  );
}

/** It may run, and could not without consent to just this launch; others of its folder may need none. */
function isTrustedAlone({ definition: { launch, origin }, state }: McpServer): boolean {
  const needsConsent = launch?.kind === 'stdio' || (launch && traitsOf(launch, false).length > 0);
  return needsConsent === true && origin.layer !== 'local' && !isBlocked(state.value);
}

function accountSection(server: McpServer, context: PresentationContext): ServerSection {
  const account = context.storedAccount?.(server);
  const { hasTokens = false, hasClient = false, names = [] } = account ?? {};
  const isSignedIn = hasTokens || hasClient;
  const isOffered = maySignIn(server, context);
  const text = hasTokens ? l10n.t('You are signed in.') : l10n.t('You are not signed in.');
  return section(
    l10n.t('Account'),
    [
      ...fact(l10n.t('Account'), isSignedIn || isOffered ? text : undefined),
      ...fact(l10n.t('Name'), names.length > 0 ? accountLabel(account?.name) : undefined),
    ],
    [
      ...when(isOffered, 'signIn', l10n.t('Sign In')),
      ...when(isSignedIn, 'signOut', l10n.t('Sign Out')),
      ...when(hasTokens || names.length > 0, 'useAccount', l10n.t('Use Another Account…')),
    ],
  );
}

function otherUseSection(server: McpServer, context: PresentationContext): ServerSection {
  const { handOver, start } = context.otherUse?.(server) ?? {};
  const texts = [
    ...(handOver === undefined ? [] : [handOverWord(handOver)]),
    ...(start ? doubleStartSentences(start) : []),
  ];
  return section(
    l10n.t('Other Clients'),
    texts.flatMap((text) => fact(l10n.t('note'), text)),
    [
      ...when(stoppableCopies(start).length > 0, 'stopCopies', l10n.t('Stop the Copy…')),
      ...when(texts.length > 0, 'share', l10n.t('Choose Who Starts Servers')),
    ],
  );
}

function toolView(server: McpServer, tool: McpTool, context: PresentationContext): ServerToolView {
  const facts = context.toolFacts?.(server, tool.name);
  const statistic = facts?.statistic;
  return {
    name: tool.name,
    title: toolTitle(tool),
    description: firstLine(tool.description)?.slice(0, 300),
    ...itemPicture(tool),
    badges: [...claimsOf(tool.annotations), ...(facts ? statesOf(facts) : [])],
    figures: [
      ...(facts ? [tokensText(facts)] : []),
      ...(statistic
        ? [
            counted(l10n.t('1 call|{0} calls'), statistic.calls),
            ...(errorCount(statistic) > 0 ? [l10n.t('{0} failed', errorCount(statistic))] : []),
            l10n.t('{0} ms', durationPercentile(statistic, 50) ?? 0),
          ]
        : []),
    ].join(' · '),
    override: overrideText(overrideFor(server.definition.options.toolOverrides, tool.name)),
    isOn: facts === undefined ? undefined : facts.isOn && facts.refusal === undefined,
  };
}

function tokensText({ tokens, tokensBefore }: ToolFacts): string {
  return tokensBefore === undefined
    ? l10n.t('{0} tokens', tokens)
    : l10n.t('{0} tokens, {1} before', tokens, tokensBefore);
}

/** Names of arguments, never what they are fixed to. */
function overrideText(override: ToolOverride | undefined): string | undefined {
  const { description, descriptionPrefix, title, readOnly, hidden } = override ?? {};
  const fixed = Object.keys(override?.arguments ?? {}).map((name) => nameToken(name));
  const parts = [
    ...((description ?? descriptionPrefix) === undefined ? [] : [l10n.t('description')]),
    ...(title === undefined ? [] : [l10n.t('title')]),
    ...(readOnly === undefined ? [] : [readOnly ? l10n.t('read-only') : l10n.t('not read-only')]),
    ...(fixed.length > 0 ? [l10n.t('fixed: {0}', fixed.join(', '))] : []),
    ...(hidden ? [l10n.t('hidden')] : []),
  ];
  return parts.length > 0 ? l10n.t('The file says: {0}', parts.join(' · ')) : undefined;
}
