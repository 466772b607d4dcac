import * as l10n from '@vscode/l10n';
import type { McpServerFailure, McpServerState } from '../../mcp/mcpTypes.js';
import type { NodePresentation, TooltipPart } from './presentation.js';

const shownStderrLines = 8;

/** What a failed server is known to have run and said; empty for the other states. Secrets are masked before. */
export function failureParts(state: McpServerState): readonly TooltipPart[] {
  if (state.kind !== 'error' && state.kind !== 'needs_auth') {
    return [];
  }
  const { failure } = state;
  const facts = [...endFacts(failure), nextTry(state)].filter((fact) => fact !== undefined);
  const lines = lastLines(failure);
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
export function lastLines({ stderrTail }: McpServerFailure): readonly string[] {
  return stderrTail.filter((line) => line.trim() !== '').slice(-shownStderrLines);
}

/** When the server is tried again by itself; undefined when it is not. */
export function nextTry(state: McpServerState): string | undefined {
  return state.kind === 'error' && state.nextRetryAt !== undefined
    ? l10n.t('Next try at {0}', new Date(state.nextRetryAt).toLocaleTimeString())
    : undefined;
}

function endFacts({ exitCode, signal, httpStatus }: McpServerFailure): readonly string[] {
  return [
    ...(exitCode === undefined ? [] : [l10n.t('Exit code {0}', exitCode)]),
    ...(signal === undefined ? [] : [l10n.t('Signal {0}', signal)]),
    ...(httpStatus === undefined ? [] : [l10n.t('HTTP status {0}', httpStatus)]),
  ];
}

export type DetailRole = 'cause' | 'remedy' | 'nextTry' | 'stderr' | 'notice';

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
