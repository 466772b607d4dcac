import * as l10n from '@vscode/l10n';
import {
  type ConfigProblem,
  isAdvice,
  type McpServerDefinition,
} from '../../../config/definition.js';
import { type CommandId, commandIds } from '../../../contributions.js';
import type { McpServer } from '../../../mcp/mcpApi.js';
import { stateText } from '../../../mcp/trouble/stateText.js';
import { troubleOf, troubleText } from '../../../mcp/trouble/trouble.js';
import { launchLine } from '../../../mcp/trust/launchLines.js';
import { failureParts } from '../below/failurePresentation.js';
import { problemWithRemedy, type TooltipAction, type TooltipPart } from '../presentation.js';

const maxProblems = 5;

/** Command line or address of a server as its file writes it, secrets hidden. */
export function launchText(definition: McpServerDefinition): string | undefined {
  const { launch } = definition;
  return launch && launchLine(launch);
}

/** State, launch and file; the page of the server has the rest. */
export function serverTooltip({ definition, state }: McpServer): readonly TooltipPart[] {
  const trouble = troubleOf(state.value);
  const launch = launchText(definition);
  return [
    paragraph(trouble ? troubleText(trouble) : stateText(state.value).sentence),
    ...(launch ? [{ kind: 'code', text: launch, language: 'shellscript' } as const] : []),
    paragraph(l10n.t('From: {0}', definition.origin.path)),
  ];
}

/** At its name in its file: what is wrong there, and the next steps. */
export function entryTooltip(
  server: McpServer,
  problems: readonly ConfigProblem[],
): readonly TooltipPart[] {
  const { sentence } = stateText(server.state.value);
  return [
    { kind: 'title', text: server.definition.name },
    ...serverTooltip(server),
    { kind: 'actions', actions: serverActions(server) },
    ...failureParts(server.state.value),
    ...problemParts(problems.filter(({ message }) => message !== sentence)),
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
  return [...texts, ...(more > 0 ? [l10n.t('{0} more', more)] : [])].map(paragraph);
}

/** What the state asks for first. */
function serverActions(server: McpServer): readonly TooltipAction[] {
  const { fix } = stateText(server.state.value);
  const action = (title: string, command: CommandId) => ({ title, command, argument: server.id });
  return [
    fix
      ? action(fix.title, commandIds.fixServer)
      : action(l10n.t('Restart'), commandIds.restartServer),
    action(l10n.t('Open'), commandIds.openServer),
  ];
}

function paragraph(text: string): TooltipPart {
  return { kind: 'paragraph', text };
}
