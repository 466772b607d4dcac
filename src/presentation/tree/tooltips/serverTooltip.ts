import * as l10n from '@vscode/l10n';
import { nameToken } from '../../../base/text/nameToken.js';
import {
  type ConfigOrigin,
  type ConfigProblem,
  isAdvice,
  type McpServerDefinition,
} from '../../../config/definition.js';
import { isFolderLayer } from '../../../config/parse/configLocations.js';
import { rootsLine } from '../../../config/roots/rootFolders.js';
import { type CommandId, commandIds } from '../../../contributions.js';
import type { McpServer } from '../../../mcp/mcpApi.js';
import type { McpServerState } from '../../../mcp/mcpTypes.js';
import { isBlocked } from '../../../mcp/stateKinds.js';
import { taskProgress } from '../../../mcp/tasks/taskText.js';
import { hasEnded } from '../../../mcp/taskTypes.js';
import { stateText } from '../../../mcp/trouble/stateText.js';
import { troubleLines, troubleOf } from '../../../mcp/trouble/trouble.js';
import { launchLine, launchLines } from '../../../mcp/trust/launchLines.js';
import { failureParts } from '../below/failurePresentation.js';
import { statisticText, toolCost } from '../below/toolPresentation.js';
import {
  type PresentationContext,
  problemWithRemedy,
  serverProblems,
  type TooltipAction,
  type TooltipPart,
} from '../presentation.js';
import { otherUseParts } from './otherUseTooltip.js';

/** Characters; a tooltip is no place for a manual. */
const maxInstructions = 600;
const maxTasks = 5;
const maxProblems = 5;

/** Everything that the row of a server has to say. */
export function wholeTooltip(
  server: McpServer,
  context: PresentationContext,
): readonly TooltipPart[] {
  return [
    ...serverTooltip(server, serverProblems(server, context)),
    ...otherUseParts(server, context.otherUse?.(server) ?? {}),
    ...questionParts(context.openQuestion?.(server)),
    ...taskParts(server),
    ...statisticParts(server, context),
    ...costParts(server, context),
  ];
}

/** Command line or address of a server as its file writes it, secrets hidden. */
export function launchText(definition: McpServerDefinition): string | undefined {
  const { launch } = definition;
  return launch && launchLine(launch);
}

/** What the tools cost a model. Counting them takes time: only for a tooltip that is about to show. */
function costParts(server: McpServer, context: PresentationContext): readonly TooltipPart[] {
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
      text: l10n.t('{0} Task: {1}', taskProgress(state.value), nameToken(tool ?? taskId)),
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
          { kind: 'paragraph', text: shorten(catalog.instructions) } as const,
        ]
      : []),
    { kind: 'paragraph', text: l10n.t('From {0}', definition.origin.path) },
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
  const texts = sorted.slice(0, maxProblems).map(problemWithRemedy);
  const more = sorted.length - texts.length;
  return [...texts, ...(more > 0 ? [l10n.t('… and {0} more', more)] : [])].map((text) => ({
    kind: 'paragraph',
    text,
  }));
}

/** The next steps about a server, what its state asks for first. */
function serverActions(server: McpServer): readonly TooltipAction[] {
  const state = server.state.value;
  const { fix } = stateText(state);
  const action = (title: string, command: CommandId) => ({ title, command, argument: server.id });
  return [
    fix
      ? action(fix.title, commandIds.fixServer)
      : action(l10n.t('Restart'), commandIds.restartServer),
    ...(fix?.kind === 'showLog' ? [] : [action(l10n.t('Show Log'), commandIds.showLog)]),
    action(l10n.t('Inspect'), commandIds.inspectServer),
    action(l10n.t('Edit'), commandIds.editServer),
  ];
}

/** What else the launch does, beside its command or address. */
function launchParts(definition: McpServerDefinition): readonly TooltipPart[] {
  const { launch } = definition;
  const [, ...others] = launch ? launchLines(launch) : [];
  const roots = rootsLine(definition);
  const lines = others.map(({ label, text: value }) => `${label}: ${value}`);
  const text = [...lines, ...(roots === undefined ? [] : [roots])].join('\n');
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
