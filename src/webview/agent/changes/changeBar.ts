/** What the agent changed and the user has neither kept nor undone, above the input. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { counted } from '../../../base/text/counted.js';
import type {
  ChangeAction,
  ChangedFileView,
  ChangesView,
  HunkView,
} from '../../../protocol/fileChanges.js';
import { actionLink, iconButton } from '../../shared/buttons.js';
import { icon } from '../../shared/icon.js';
import { repeatById } from '../../shared/repeatById.js';
import type { AgentPage } from '../agentPage.js';
import type { AgentPageState } from '../pageState.js';
import { countsView, hunkView } from './diffView.js';

export function changeBar(model: AgentPageState, page: AgentPage): TemplateResult | typeof nothing {
  const changes = model.state?.changes;
  // a restore is about the same files, and decided first
  if (!changes || model.state?.restore) {
    return nothing;
  }
  const count = changes.files.length + changes.more;
  const isOpen = model.changed.isOpen && count > 0;
  return html`<section class="changes" aria-label=${l10n.t('Changes')}>
    <div class="changes-head">
      ${count > 0 ? headView(changes, count, isOpen, page) : undoneView(changes)}
      ${count > 0 ? actionButton(page, 'review', l10n.t('Review')) : nothing}
      ${count > 0 ? actionButton(page, 'keep', count > 1 ? l10n.t('Keep All') : l10n.t('Keep')) : nothing}
      ${changes.canUndoRun ? actionButton(page, 'undoRun', l10n.t('Undo Last Run')) : nothing}
      ${count > 0 ? actionButton(page, 'undo', count > 1 ? l10n.t('Undo All') : l10n.t('Undo')) : nothing}
      ${changes.undone > 0 || changes.isConversationLeft ? actionButton(page, 'redo', l10n.t('Redo')) : nothing}
    </div>
    ${isOpen ? listView(changes, model, page) : nothing}
  </section>`;
}

function headView(
  changes: ChangesView,
  count: number,
  isOpen: boolean,
  page: AgentPage,
): TemplateResult {
  const text = counted(l10n.t('1 file|{0} files'), count);
  return html`<button
    type="button"
    class="link-button changes-toggle"
    aria-expanded=${isOpen}
    @click=${() => page.changed.toggleList()}
  >
    ${icon(isOpen ? 'chevron-down' : 'chevron-right')}<span>${text}</span> ${countsView(changes)}
  </button>`;
}

/** What a redo would bring back, in words. */
export function undoneText({ undone, isConversationLeft }: ChangesView): string {
  const files = l10n.t('Undone: {0}', counted(l10n.t('1 file|{0} files'), undone));
  const conversation = l10n.t('Conversation taken back');
  return isConversationLeft ? [conversation, ...(undone > 0 ? [files] : [])].join(' · ') : files;
}

function undoneView(changes: ChangesView): TemplateResult {
  const text = undoneText(changes);
  return html`<span class="changes-toggle">${text}</span>`;
}

function listView(
  { files, more, uncovered }: ChangesView,
  { changed: { hunks } }: AgentPageState,
  page: AgentPage,
): TemplateResult {
  return html`<ul class="changed-files">
      ${repeatById(files, (file) => html`<li>${fileView(file, hunks.get(file.id), page)}</li>`)}
    </ul>
    ${more > 0 ? html`<p class="dim">${l10n.t('{0} more', more)}</p>` : nothing}
    ${uncovered ? html`<p class="dim uncovered">${uncovered}</p>` : nothing}`;
}

function fileView(
  file: ChangedFileView,
  hunks: readonly HunkView[] | undefined,
  page: AgentPage,
): TemplateResult {
  const { id, path } = file;
  const isOpen = hunks !== undefined;
  const remark = remarkOn(file);
  return html`<div class="changed-file" role="group" aria-label=${path}>
      <button
        type="button"
        class="link-button changed-name"
        aria-expanded=${isOpen}
        title=${path}
        @click=${() => page.changed.toggle(id)}
      >
        ${icon(isOpen ? 'chevron-down' : 'chevron-right')}<span class="changed-path"><bdi>${path}</bdi></span>
      </button>
      ${file.kind === 'created' ? html`<span class="dim">${l10n.t('new')}</span>` : nothing} ${countsView(file)}
      <span class="changed-actions">
        ${fileButton(page, 'openDiff', 'diff', l10n.t('Open Diff'), id)}
        ${fileButton(page, 'keep', 'check', l10n.t('Keep'), id)}
        ${fileButton(page, 'undo', 'discard', l10n.t('Undo'), id)}
      </span>
    </div>
    ${remark ? html`<p class="dim">${remark}</p>` : nothing}
    ${hunks?.map((hunk, index) => partView(file, hunk, index, page)) ?? nothing}`;
}

function partView(
  { id, path }: ChangedFileView,
  { id: hunk, lines, isMixed }: HunkView,
  index: number,
  page: AgentPage,
): TemplateResult {
  const act = (action: 'keep' | 'undo') => page.run((send) => send('hunk', { action, id, hunk }));
  const label = l10n.t('{0} of {1}', index + 1, path);
  return html`<div class="changed-part" role="group" aria-label=${label}>
    <div class="diff" tabindex="0" role="group" aria-label=${l10n.t('Changes')}>${hunkView(lines)}</div>
    ${isMixed ? html`<p class="dim">${l10n.t('Others changed the same lines since; those would be replaced.')}</p>` : nothing}
    <div class="diff-actions">
      ${actionLink(l10n.t('Keep'), () => act('keep'), { glyph: 'check' })}
      ${actionLink(l10n.t('Undo'), () => act('undo'), { glyph: 'discard' })}
    </div>
  </div>`;
}

function remarkOn({ kind, isMixed, sharedWith }: ChangedFileView): string | undefined {
  const shared = sharedWith === undefined ? '' : l10n.t('Changed since by “{0}”.', sharedWith);
  switch (kind) {
    case 'gone':
      return l10n.t('Deleted or moved since.');
    case 'unknown':
      return `${l10n.t('What it held is not kept.')} ${shared}`.trim();
    default:
      return isMixed
        ? `${l10n.t('Others changed the same lines since; those would be replaced.')} ${shared}`.trim()
        : shared;
  }
}

function actionButton(page: AgentPage, action: ChangeAction, label: string): TemplateResult {
  return actionLink(label, () => page.run((send) => send('changes', { action })));
}

function fileButton(
  page: AgentPage,
  action: ChangeAction,
  name: string,
  label: string,
  id: string,
): TemplateResult {
  return iconButton(label, name, () => page.run((send) => send('changes', { action, id })));
}
