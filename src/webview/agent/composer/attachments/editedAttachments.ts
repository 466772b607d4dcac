/** What goes with a message that the user changes: what it has, without what is taken out, and what is put in. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { PictureRef } from '../../../../protocol/attachments.js';
import type { SentAttachment } from '../../../../protocol/sending.js';
import { iconButton } from '../../../shared/buttons.js';
import type { AgentPage } from '../../agentPage.js';
import { addedTo } from '../../pageState.js';
import { attachmentView, sentPicture } from './attachmentList.js';

export interface EditedParts {
  /** Of the message, as the extension knows it. */
  readonly key: string;
  readonly has: readonly SentAttachment[];
  /** Places in it. */
  readonly removed: readonly number[];
  readonly remove: (place: number) => void;
  /** @param index among the pictures of the message */
  readonly picture: (index: number) => PictureRef;
}

export function editedAttachments(
  { key, has, removed, remove, picture }: EditedParts,
  page: AgentPage,
): TemplateResult {
  const added = addedTo(key, page.state);
  const images = has.filter(({ isImage }) => isImage);
  return html`<div class="edited-attachments">
    ${
      added.length + has.length > removed.length
        ? html`<ul class="attachments" aria-label=${l10n.t('Attached')}>
            ${has.map((one, place) =>
              removed.includes(place)
                ? nothing
                : html`<li title=${one.detail} data-kind=${one.kind ?? (one.isImage ? 'image' : 'resource')}>
                    ${sentPicture(one, one.isImage ? picture(images.indexOf(one)) : undefined, page)}<span
                      class="attachment-label"
                      >${one.label}</span
                    >${iconButton(l10n.t('Remove {0}', one.label), 'close', () => remove(place))}
                  </li>`,
            )}
            ${added.map((one) => attachmentView(one, page, key))}
          </ul>`
        : nothing
    }
    ${iconButton(l10n.t('Attach…'), 'attach', () => page.intakeInto(key).chooseFiles())}
  </div>`;
}
