/** The lines of a changed file, in a card, a question and the list of changes. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { DiffLine, FileChangeView } from '../../../protocol/fileChanges.js';
import { actionLink } from '../../shared/buttons.js';

/** Lines that are shown before the user asks for all. */
const shortLines = 40;

export interface DiffActions {
  readonly isWhole: boolean;
  /** Lines before the user asks for all. Default: {@link shortLines}. */
  readonly atFirst?: number;
  readonly showAll: () => void;
  /** Absent where there is nothing to open. */
  readonly open?: () => void;
}

export function diffView(
  { path, hunks, omitted, notes }: FileChangeView,
  { isWhole, atFirst = shortLines, showAll, open }: DiffActions,
): TemplateResult {
  const lines = hunks.reduce((count, hunk) => count + hunk.length, 0);
  const isShort = isWhole || lines <= atFirst;
  return html`${
    lines > 0
      ? html`<div
          class="diff"
          tabindex="0"
          role="group"
          aria-label=${l10n.t('{0}: {1}', l10n.t('Changes'), path)}
        >${(isShort ? hunks : beginningOf(hunks, atFirst)).map(hunkView)}</div>`
      : nothing
  }${notes.map((note) => html`<p class="dim">${note}</p>`)}
  <div class="diff-actions">
    ${isShort ? nothing : actionLink(l10n.t('Show All'), showAll)}
    ${omitted > 0 ? html`<span class="dim">${l10n.t('{0} more', omitted)}</span>` : nothing}
    ${open ? actionLink(l10n.t('Open Diff'), open, { glyph: 'diff' }) : nothing}
  </div>`;
}

/** Such as `+3 −1`, in words for those who do not see it. */
export function countsView({ added, removed }: Pick<FileChangeView, 'added' | 'removed'>) {
  return html`<span class="counts"
    ><span aria-hidden="true"
      >${added > 0 ? html`<span class="count-added">+${added}</span>` : nothing}
      ${removed > 0 ? html`<span class="count-removed">−${removed}</span>` : nothing}</span
    ><span class="visually-hidden">${countsText({ added, removed })}</span></span
  >`;
}

export function countsText({ added, removed }: Pick<FileChangeView, 'added' | 'removed'>): string {
  return l10n.t('lines: {0} added, {1} removed', added, removed);
}

export function changeTitle({ kind, path }: FileChangeView): string {
  switch (kind) {
    case 'edit':
      return l10n.t('Edit {0}', path);
    case 'create':
      return l10n.t('Write {0} (new)', path);
    case 'overwrite':
    case 'write':
      return l10n.t('Write {0}', path);
  }
}

export function hunkView(hunk: readonly DiffLine[]): TemplateResult {
  return html`<div class="hunk">${hunk.map(lineView)}</div>`;
}

function lineView({ kind, number, text }: DiffLine): TemplateResult {
  const sign = kind === 'added' ? '+' : kind === 'removed' ? '−' : ' ';
  return html`<div class="diff-line ${kind}"><span class="diff-number" aria-hidden="true">${number ?? ''}</span
    ><span class="diff-sign">${sign}</span><span class="diff-text">${text}</span></div>`;
}

function beginningOf(
  hunks: readonly (readonly DiffLine[])[],
  atFirst: number,
): readonly (readonly DiffLine[])[] {
  let left = atFirst;
  return hunks.flatMap((hunk) => {
    const shown = hunk.slice(0, left);
    left -= shown.length;
    return shown.length > 0 ? [shown] : [];
  });
}
