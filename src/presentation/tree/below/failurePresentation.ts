import * as l10n from '@vscode/l10n';
import type { McpServerFailure, McpServerState } from '../../../mcp/mcpTypes.js';
import type { NodePresentation, TooltipPart } from '../presentation.js';
import { failureOf } from '../serverPresentation.js';
import type { DetailRole } from '../topNodes.js';

const shownInTooltip = 8;

/** What a failed server is known to have run and said; empty for the other states. Secrets are masked before. */
export function failureParts(state: McpServerState): readonly TooltipPart[] {
  const failure = failureOf(state);
  if (!failure) {
    return [];
  }
  const facts = endFacts(failure);
  const lines = outputLines(failure).slice(-shownInTooltip);
  return [
    ...(facts.length > 0 ? [{ kind: 'paragraph', text: facts.join(' · ') } as const] : []),
    ...(lines.length > 0
      ? ([
          { kind: 'paragraph', text: l10n.t('The last that it wrote to stderr:') },
          { kind: 'code', text: lines.join('\n') },
        ] as const)
      : []),
    ...(failure.ran === undefined
      ? []
      : ([
          { kind: 'paragraph', text: l10n.t('It was run as:') },
          { kind: 'code', text: failure.ran, language: 'shellscript' },
        ] as const)),
  ];
}

/** Lines of stderr that are worth a row. */
export function outputLines({ stderrTail }: McpServerFailure): readonly string[] {
  return stderrTail.filter((line) => line.trim() !== '');
}

export function presentOutput(failure: McpServerFailure): NodePresentation {
  const label = l10n.t('Last output');
  const count = outputLines(failure).length;
  const lines = count === 1 ? l10n.t('1 line') : l10n.t('{0} lines', count);
  return {
    label,
    description: lines,
    icon: 'output',
    tooltip: [],
    spoken: [label, lines].join(', '),
    flags: 'output',
    expansion: 'collapsed',
  };
}

export function endFacts({ exitCode, signal, httpStatus }: McpServerFailure): readonly string[] {
  return [
    ...(exitCode === undefined ? [] : [l10n.t('Exit code {0}', exitCode)]),
    ...(signal === undefined ? [] : [l10n.t('Signal {0}', signal)]),
    ...(httpStatus === undefined ? [] : [l10n.t('HTTP status {0}', httpStatus)]),
  ];
}

const detailIcons: Readonly<Record<DetailRole, string>> = {
  cause: 'error',
  remedy: 'lightbulb',
  nextTry: 'history',
  stderr: 'output',
  notice: 'info',
};

export function presentDetail(role: DetailRole, text: string): NodePresentation {
  return {
    label: text,
    icon: detailIcons[role],
    tooltip: [{ kind: role === 'stderr' ? 'code' : 'paragraph', text }],
    spoken: role === 'stderr' ? l10n.t('the server wrote: {0}', text) : text,
    flags: 'detail',
    expansion: 'none',
  };
}
