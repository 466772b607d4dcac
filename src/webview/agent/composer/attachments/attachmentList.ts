import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { until } from 'lit-html/directives/until.js';
import type { AttachmentView, PictureRef } from '../../../../protocol/attachments.js';
import type { SentAttachment } from '../../../../protocol/sending.js';
import { iconButton } from '../../../shared/buttons.js';
import { icon } from '../../../shared/icon.js';
import { shortCount } from '../../../shared/numbers.js';
import type { AgentPage } from '../../agentPage.js';
import type { AgentPageState } from '../../pageState.js';
import { kindIcon, kindWord } from '../kinds.js';

/** What goes with the next message. */
export function attachmentList(
  { inputs }: AgentPageState,
  page: AgentPage,
): TemplateResult | typeof nothing {
  if (inputs.attachments.length === 0) {
    return nothing;
  }
  return html`<ul class="attachments" aria-label=${l10n.t('Attached')}>
    ${inputs.attachments.map((one) => attachmentView(one, page))}
  </ul>`;
}

/** @param into the message that it goes with. Default: the next one */
export function attachmentView(
  one: AttachmentView,
  page: AgentPage,
  into?: string,
): TemplateResult {
  const of = { into };
  const intake = into === undefined ? page.intake : page.intakeInto(into);
  const { id, kind, label, tokens } = one;
  return html`<li data-kind=${kind}>
    ${
      kind === 'image'
        ? html`${until(
            page.pictures.thumbnail({ of: 'draft', id, ...of }),
            icon('file-media'),
          )}<span class="attachment-label" title=${titleOf(one)}>${label}</span>`
        : html`${icon(kindIcon(kind))}<button
              type="button"
              class="attachment-label attachment-open"
              title=${titleOf(one)}
              @click=${() => page.run((send) => send('openAttachment', { id, ...of }))}
            >${label}</button>`
    }${
      tokens === undefined
        ? nothing
        : html`<span class="attachment-tokens" aria-hidden="true">${shortCount(tokens)}</span
            ><span class="visually-hidden">${l10n.t('about {0} tokens', tokens)}</span>`
    }
    ${
      kind === 'pasted'
        ? iconButton(l10n.t('Turn {0} Into Text', label), 'edit', () => intake.takeText(id))
        : nothing
    }${iconButton(l10n.t('Remove {0}', label), 'close', () => page.run((send) => send('detach', { id, ...of })))}
  </li>`;
}

function titleOf({ kind, detail, tokens }: AttachmentView): string {
  const cost = tokens === undefined ? [] : [l10n.t('about {0} tokens', tokens)];
  return [`${kindWord(kind)}: ${detail}`, ...cost].join('\n');
}

export function attachButton(page: AgentPage): TemplateResult {
  const label = l10n.t('Attach…');
  const hint = l10n.t('Or type @, paste, or drop files; hold Shift to drop what is in VS Code');
  return html`<button
    type="button"
    class="attach"
    aria-label=${label}
    title=${`${label}\n${hint}`}
    @click=${() => page.mentions.begin()}
  >
    ${icon('attach')}
  </button>`;
}

/** What went with a message that was sent. */
export function sentAttachments(
  attachments: readonly SentAttachment[] = [],
  pictures?: { readonly page: AgentPage; readonly messageId: string },
): TemplateResult | typeof nothing {
  if (attachments.length === 0) {
    return nothing;
  }
  const images = attachments.filter(({ isImage }) => isImage);
  return html`<ul class="attachments sent" aria-label=${l10n.t('Attached')}>
    ${attachments.map((one) => {
      const { kind = one.isImage ? 'image' : 'resource', label, detail } = one;
      const index = images.indexOf(one);
      const ref = { of: 'message', id: pictures?.messageId ?? '', index } as const;
      return html`<li title=${detail} data-kind=${kind}>
        ${sentPicture(one, index === -1 ? undefined : ref, pictures?.page)}<span class="attachment-label">${label}</span>
      </li>`;
    })}
  </ul>`;
}

/** The picture itself, or what stands for the kind. */
export function sentPicture(
  { kind, isImage }: SentAttachment,
  ref: PictureRef | undefined,
  page: AgentPage | undefined,
): unknown {
  return page && ref
    ? until(page.pictures.thumbnail(ref), icon('file-media'))
    : icon(kindIcon(kind ?? (isImage ? 'image' : 'resource')));
}
