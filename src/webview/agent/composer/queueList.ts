/** Messages that wait for Pi, above the input. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { QueueCall, QueuedMessageView, SendKind } from '../../../protocol/sending.js';
import { iconButton, mainButton, sideButton } from '../../shared/buttons.js';
import { icon } from '../../shared/icon.js';
import { repeatById } from '../../shared/repeatById.js';
import type { AgentPage } from '../agentPage.js';
import type { AgentPageState } from '../pageState.js';
import type { EditedQueued } from '../savedPage.js';
import { editedText } from './editedText.js';
import { queueEditorId } from './mentions/editedMentions.js';

export function queueList(model: AgentPageState, page: AgentPage): TemplateResult | typeof nothing {
  const { messages, pause } = model.state?.queue ?? { messages: [] };
  if (messages.length === 0) {
    return nothing;
  }
  return html`<section class="queue" aria-label=${l10n.t('Queue')}>
    <div class="queue-head">
      <h2>${l10n.t('Queue ({0})', messages.length)}</h2>
      ${
        pause
          ? html`<span class="queue-pause">${icon('debug-pause')}${l10n.t('Paused')}</span>
              ${sideButton(l10n.t('Resume'), () =>
                page.run((send) => send('resumeQueue', undefined)),
              )}`
          : nothing
      }
    </div>
    <ol>
      ${repeatById(messages, (message, index) =>
        model.edited?.id === message.id
          ? editorRow(message, model.edited, page)
          : row(message, messages[index - 1], messages[index + 1], page),
      )}
    </ol>
  </section>`;
}

function row(
  { id, kind, text, attachments, isSending }: QueuedMessageView,
  before: QueuedMessageView | undefined,
  after: QueuedMessageView | undefined,
  page: AgentPage,
): TemplateResult {
  const call = (what: QueueCall) => page.run((send) => send('callQueued', { id, call: what }));
  // the second click of a double one was meant for what stood there before, such as Stop
  const remove = ({ detail }: MouseEvent) => detail > 1 || call('remove');
  const labels = attachments.map(({ label }) => label);
  const canPass = (other: QueuedMessageView | undefined) =>
    other?.kind === kind && !other.isSending && !isSending;
  return html`<li data-queued=${id}>
    <button
      type="button"
      class="queue-kind"
      data-action="turn"
      title=${kindTitle(kind)}
      aria-describedby=${`queued-${id}`}
      ?disabled=${isSending}
      @click=${() => call(kind === 'next' ? 'after' : 'next')}
    >${kind === 'next' ? l10n.t('next') : l10n.t('after')}</button>
    <span class="queue-text" id=${`queued-${id}`}>${text || labels.join(', ')}</span>
    ${
      attachments.length > 0
        ? html`<span class="queue-attachments" title=${labels.join('\n')}
            >${icon('attach')}<span aria-hidden="true">${attachments.length}</span
            ><span class="visually-hidden">${text === '' ? '' : labels.join(', ')}</span></span
          >`
        : nothing
    }
    <span class="queue-actions">
      ${action(id, 'edit', l10n.t('Edit'), 'edit', !isSending, () => page.sending.editQueued(id))}
      ${action(id, 'up', l10n.t('Move Up'), 'arrow-up', canPass(before), () => call('up'))}
      ${action(id, 'down', l10n.t('Move Down'), 'arrow-down', canPass(after), () => call('down'))}
      ${action(id, 'send', l10n.t('Stop and Send'), 'send', !isSending, () => call('send'))}
      ${action(id, 'remove', l10n.t('Remove'), 'close', !isSending, remove)}
    </span>
  </li>`;
}

function action(
  id: string,
  name: string,
  label: string,
  glyph: string,
  isEnabled: boolean,
  run: (event: MouseEvent) => unknown,
): TemplateResult {
  return iconButton(label, glyph, run, { action: name, describedBy: `queued-${id}`, isEnabled });
}

function editorRow(
  { id, attachments }: QueuedMessageView,
  { text, removed }: EditedQueued,
  page: AgentPage,
): TemplateResult {
  const key = `queue/${id}`;
  const save = () => page.sending.endEditQueued(true);
  const leave = () => page.sending.endEditQueued(false);
  return html`<li data-queued=${id} data-into=${key} class="queue-edited">
    ${editedText(
      {
        id: queueEditorId,
        key,
        label: l10n.t('Message'),
        rows: 3,
        text,
        has: attachments,
        removed,
        mentions: page.queuedMentions,
        change: (part) => page.sending.changeQueued(part),
        picture: (index) => ({ of: 'queue', id, index }),
        save,
        leave,
      },
      page,
    )}
    <span class="queue-actions">
      ${mainButton(l10n.t('Save'), save, { isEnabled: page.sending.hasQueued() })}
      ${sideButton(l10n.t('Cancel'), leave)}
    </span>
  </li>`;
}

export function kindTitle(kind: SendKind): string {
  return kind === 'next'
    ? l10n.t('Goes into this run, before its next step (Enter)')
    : l10n.t('Is sent after this run (Ctrl+Enter)');
}

/** A row that moves or goes takes no focus with it. Call before drawing. @returns what to call after it */
export function keepQueueFocus(root: HTMLElement): () => void {
  const focused = document.activeElement;
  const before = focused?.closest<HTMLElement>('[data-queued]');
  const id = before?.dataset.queued;
  if (!focused || id === undefined) {
    return () => undefined;
  }
  // the editor of a message goes back to the button that opened it
  const name = (focused instanceof HTMLElement && focused.dataset.action) || 'edit';
  const rows = () => [...root.querySelectorAll<HTMLElement>('[data-queued]')];
  const index = rows().findIndex((one) => one.dataset.queued === id);
  return () => {
    if (document.activeElement === focused && !focused.matches(':disabled')) {
      return;
    }
    const now = rows();
    const target =
      now.find((one) => one.dataset.queued === id) ?? now[Math.min(index, now.length - 1)];
    // a message at the end of its kind can only go back
    const names = name === 'down' ? ['down', 'up'] : name === 'up' ? ['up', 'down'] : [name];
    const button = ['textarea', ...names.map((one) => `[data-action="${one}"]:enabled`)]
      .map((selector) => target?.querySelector<HTMLElement>(selector))
      .find((found) => found);
    const first = target?.querySelector<HTMLElement>('[data-action]:enabled');
    (button ?? first ?? root.querySelector<HTMLElement>('#composer-text'))?.focus();
  };
}
