/** What a restore would do, above the input, before the user decides. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { counted } from '../../../base/text/counted.js';
import type { ChangesView } from '../../../protocol/fileChanges.js';
import type { RestoredFileView, RestorePart, RestoreView } from '../../../protocol/restoring.js';
import type { Announcer } from '../../shared/announcer.js';
import { iconButton, mainButton, sideButton } from '../../shared/buttons.js';
import { icon } from '../../shared/icon.js';
import { isChecked } from '../../shared/inputs.js';
import { repeatById } from '../../shared/repeatById.js';
import type { AgentPage } from '../agentPage.js';
import { focusComposer } from '../composer/caret.js';
import type { AgentPageState } from '../pageState.js';
import { undoneText } from './changeBar.js';
import { countsText, countsView } from './diffView.js';
import { currentChoices, type RestoreChoices } from './restoreChoices.js';

export function restoreCard(
  model: AgentPageState,
  page: AgentPage,
): TemplateResult | typeof nothing {
  const view = model.state?.restore;
  if (!view) {
    return nothing;
  }
  const choices = currentChoices(view, model.restore);
  const isRunning = model.state?.status === 'running';
  const isPossible = view.parts.some((part) => choices.parts.has(part));
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      void leave(page);
    }
  };
  return html`<section
    class="restore"
    role="group"
    tabindex="-1"
    aria-labelledby="restore-title"
    @keydown=${onKey}
  >
    <h2 id="restore-title">
      ${icon('history')}<span>${l10n.t('Restore to before "{0}"', view.title)}</span>
    </h2>
    ${view.isChanged ? html`<p class="restore-changed">${icon('info')}<span>${l10n.t('The files were changed meanwhile.')}</span></p>` : nothing}
    ${view.parts.includes('conversation') ? conversationPart(view, choices, page) : nothing}
    ${view.parts.includes('files') ? filesPart(view, choices, page) : nothing}
    ${view.notes.map((note) => html`<p class="dim">${note}</p>`)}
    <div class="restore-buttons">
      ${
        view.parts.length > 0
          ? mainButton(
              isRunning ? l10n.t('Stop and Restore') : l10n.t('Restore'),
              () => restore(view, page),
              { isEnabled: isPossible },
            )
          : nothing
      }
      ${sideButton(l10n.t('Cancel'), () => leave(page))}
    </div>
  </section>`;
}

/** Says what is asked, and moves the focus to it unless the user writes. */
export class RestoreAttention {
  /** What a redo would bring back; absent before the page has shown anything. */
  private done: string | undefined;
  private shown: { readonly id: string; readonly stamp: string } | undefined;

  constructor(
    private readonly root: HTMLElement,
    private readonly announcer: Announcer,
  ) {}

  attend({ state }: AgentPageState): void {
    this.sayWhatIsDone(state?.changes);
    const view = state?.restore;
    const before = this.shown;
    this.shown = view && { id: view.id, stamp: view.stamp };
    if (!view || (view.id === before?.id && view.stamp === before.stamp)) {
      return;
    }
    this.announcer.say(announcement(view));
    if (view.id !== before?.id && document.hasFocus()) {
      this.root.querySelector<HTMLElement>('.restore')?.focus();
    }
  }

  private sayWhatIsDone(changes: ChangesView | undefined): void {
    const canRedo = changes && (changes.undone > 0 || changes.isConversationLeft);
    const text = canRedo ? undoneText(changes) : '';
    if (text !== '' && this.done !== undefined && text !== this.done) {
      this.announcer.say(text);
    }
    this.done = text;
  }
}

function announcement({ title, files, isChanged }: RestoreView): string {
  return [
    l10n.t('Restore to before "{0}"', title),
    ...(isChanged ? [l10n.t('The files were changed meanwhile.')] : []),
    filesText(files),
  ].join('. ');
}

function filesText({ length }: RestoreView['files']): string {
  return counted(l10n.t('1 file|{0} files'), length);
}

function conversationPart(
  view: RestoreView,
  choices: RestoreChoices,
  page: AgentPage,
): TemplateResult {
  return html`<div class="restore-part">
    ${partBox('conversation', l10n.t('Conversation'), { view, choices, page })}
    <p class="dim">${l10n.t('What followed stays as another version.')}</p>
  </div>`;
}

function filesPart(view: RestoreView, choices: RestoreChoices, page: AgentPage): TemplateResult {
  const { files } = view;
  const isOn = choices.parts.has('files');
  const label = filesText(files);
  return html`<div class="restore-part">
    ${partBox('files', label, { view, choices, page })}
    <ul class="restore-files" aria-label=${label}>
      ${repeatById(files, (file) => html`<li>${fileRow(file, { view, choices, page, isOn })}</li>`)}
    </ul>
    <p class="dim">${l10n.t('What the files hold now is kept: Redo brings it back.')}</p>
  </div>`;
}

interface Drawing {
  readonly view: RestoreView;
  readonly choices: RestoreChoices;
  readonly page: AgentPage;
}

function partBox(part: RestorePart, label: string, { view, choices, page }: Drawing) {
  return html`<label class="restore-box">
    <input
      type="checkbox"
      data-part=${part}
      .checked=${choices.parts.has(part)}
      @change=${(event: Event) => page.restoring.choosePart(view, part, isChecked(event))}
    /><span>${label}</span>
  </label>`;
}

function fileRow(
  file: RestoredFileView,
  { view, choices, page, isOn }: Drawing & { readonly isOn: boolean },
): TemplateResult {
  const { id, path, becomes, remarks } = file;
  const isChosen = choices.files.get(id) ?? file.isChosen;
  return html`<div class="restore-file" role="group" aria-label=${path}>
      <label class="restore-box">
        <input
          type="checkbox"
          aria-label=${rowLabel(file)}
          ?disabled=${!isOn || becomes === 'left'}
          .checked=${isOn && isChosen}
          @change=${(event: Event) => page.restoring.chooseFile(view, id, isChecked(event))}
        /><span class="changed-path"><bdi>${path}</bdi></span>
      </label>
      ${becomes === 'left' ? nothing : effectView(file, page)}
    </div>
    ${remarks.map((remark) => html`<p class="dim">${remark}</p>`)}`;
}

function effectView({ id, becomes, ...counts }: RestoredFileView, page: AgentPage) {
  return html`<span class="restore-effect">
    ${becomes === 'changed' ? nothing : html`<span class="dim">${becomesWords[becomes]()}</span>`}
    ${becomes === 'deleted' ? nothing : countsView(counts)}
    ${iconButton(l10n.t('Open Diff'), 'diff', () => page.run((send) => send('showRestoreDiff', { id })))}
  </span>`;
}

function rowLabel(file: RestoredFileView): string {
  const { path, becomes, remarks } = file;
  const counts = file.added + file.removed > 0 ? [countsText(file)] : [];
  return [path, becomesWords[becomes](), ...counts, ...remarks].join(', ');
}

const becomesWords: Readonly<Record<RestoredFileView['becomes'], () => string>> = {
  changed: () => l10n.t('is changed'),
  created: () => l10n.t('comes back'),
  deleted: () => l10n.t('is deleted'),
  left: () => l10n.t('is left as it is'),
};

async function restore(view: RestoreView, page: AgentPage): Promise<void> {
  if (await page.restoring.restore(view)) {
    focusComposer();
  }
}

async function leave(page: AgentPage): Promise<void> {
  await page.restoring.leave();
  focusComposer();
}
