import * as l10n from '@vscode/l10n';
import type { ConfigProblem, FileProblem } from '../../../config/definition.js';
import { commandIds, itemFlags } from '../../../contributions.js';
import type { NodePresentation } from '../presentation.js';

export function presentProblem({ problem, path }: FileProblem): NodePresentation {
  // the whole path would push the cause out of sight; the tooltip has it
  const message = problem.message.replaceAll(path, shortPath(path));
  return {
    label: message,
    ...severityIcon(problem),
    tooltip: [
      { kind: 'paragraph', text: problem.message },
      { kind: 'paragraph', text: problem.remedy },
      { kind: 'code', text: path },
    ],
    spoken: spokenProblem(problem, message),
    flags: itemFlags.problem,
    expansion: 'none',
    command: { id: commandIds.openConfiguration, title: l10n.t('Open File at Problem') },
  };
}

function severityIcon({ severity }: ConfigProblem): Pick<NodePresentation, 'icon' | 'color'> {
  switch (severity) {
    case 'error':
      return { icon: 'error', color: 'list.errorForeground' };
    case 'warning':
      return { icon: 'warning', color: 'list.warningForeground' };
    case 'info':
      return { icon: 'info' };
    case 'hint':
      return { icon: 'lightbulb' };
  }
}

function spokenProblem({ severity, remedy }: ConfigProblem, message: string): string {
  switch (severity) {
    case 'error':
      return l10n.t('error: {0} {1}', message, remedy);
    case 'warning':
      return l10n.t('warning: {0} {1}', message, remedy);
    case 'info':
    case 'hint':
      return l10n.t('advice: {0} {1}', message, remedy);
  }
}

/** `.mcp.json`, but `.pi/mcp.json`. */
function shortPath(path: string): string {
  const parts = path.split(/[\\/]/);
  return parts.slice(parts.at(-1) === 'mcp.json' ? -2 : -1).join('/');
}
