import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { SentAttachment } from '../../../protocol/sending.js';
import { icon } from '../../shared/icon.js';
import type { AgentPage } from '../agentPage.js';
import type { AgentPageState } from '../pageState.js';

/** Resources that go with the next message. */
export function attachmentList(
  { inputs }: AgentPageState,
  page: AgentPage,
): TemplateResult | typeof nothing {
  if (inputs.attachments.length === 0) {
    return nothing;
  }
  return html`<ul class="attachments" aria-label=${l10n.t('Attached resources')}>
    ${inputs.attachments.map(
      ({ id, label, server }) => html`<li>
        ${icon('file')}<span class="attachment-label" title=${`${server}: ${label}`}>${label}</span>
        <button
          type="button"
          aria-label=${l10n.t('Remove {0}', label)}
          title=${l10n.t('Remove {0}', label)}
          @click=${() => page.run((send) => send('detach', { id }))}
        >
          ${icon('close')}
        </button>
      </li>`,
    )}
  </ul>`;
}

export function attachButton(page: AgentPage): TemplateResult {
  const label = l10n.t('Attach Resource…');
  return html`<button
    type="button"
    class="attach"
    aria-label=${label}
    title=${label}
    @click=${() => page.run((send) => send('attach', undefined))}
  >
    ${icon('attach')}
  </button>`;
}

/** What went with a message that was sent. */
export function sentAttachments(
  attachments: readonly SentAttachment[] = [],
): TemplateResult | typeof nothing {
  if (attachments.length === 0) {
    return nothing;
  }
  return html`<ul class="attachments sent" aria-label=${l10n.t('Sent with the message')}>
    ${attachments.map(
      ({ label, detail, isImage }) => html`<li title=${detail}>
        ${icon(isImage ? 'file-media' : 'file')}<span class="attachment-label">${label}</span>
      </li>`,
    )}
  </ul>`;
}
