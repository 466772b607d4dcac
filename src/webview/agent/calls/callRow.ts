/** A call in one line, which opens what there is to see of it. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { AgentPage } from '../agentPage.js';
import type { ToolEntry } from '../pageState.js';
import { exitCodeOf } from './terminal.js';

/** How calls are drawn. */
export interface CallLook {
  /** As cards, whole. */
  readonly isFull: boolean;
  /** The latest change of a file while Pi works. */
  readonly isNewestEdit: boolean;
  /** The last plan, which nobody decided on: it can be started now. */
  readonly startsPlan: boolean;
}

/** Lines of the end of an output that show by themselves. */
export const runningLines = 5;
export const failedLines = 6;

/** What is under way, went wrong, or is there to be looked at shows by itself. */
function opensByItself(entry: ToolEntry, { isNewestEdit }: CallLook): boolean {
  const { status, words, why, app, task, result, awaitsReview, byUser } = entry;
  // what the user ran is there to be read
  if (words?.kind === 'plan' || byUser) {
    return true;
  }
  switch (status) {
    case 'running':
      return words?.kind === 'command' || task !== undefined || awaitsReview === true;
    case 'background':
    case 'failed':
      return true;
    case 'done':
      return (
        app !== undefined ||
        result.some(({ kind }) => kind === 'image') ||
        // the question has shown it
        (isNewestEdit && why?.asked === undefined)
      );
    default:
      return false;
  }
}

/** Part under which the page keeps that the user has it otherwise than it is by itself. */
function foldOf(entry: ToolEntry, look: CallLook): string {
  return `${entry.id}/${opensByItself(entry, look) ? 'call-shut' : 'call'}`;
}

export function isCallOpen(
  entry: ToolEntry,
  expanded: ReadonlySet<string>,
  look: CallLook,
): boolean {
  return opensByItself(entry, look) !== expanded.has(foldOf(entry, look));
}

export function callRow(
  entry: ToolEntry,
  {
    isOpen,
    look,
    page,
  }: { readonly isOpen: boolean; readonly look: CallLook; readonly page: AgentPage },
  parts: { readonly head: TemplateResult; readonly status: TemplateResult },
): TemplateResult {
  const fold = foldOf(entry, look);
  const exit = !isOpen && entry.status === 'failed' ? exitCodeOf(entry) : undefined;
  return html`<button
    type="button"
    class="call-row"
    aria-expanded=${isOpen}
    data-fold=${fold}
    @click=${() => page.toggle(fold)}
  >
    ${parts.head}${
      exit === undefined
        ? nothing
        : html`<span class="call-note">${l10n.t('Exit code {0}', exit)}</span>`
    }${parts.status}
  </button>`;
}
