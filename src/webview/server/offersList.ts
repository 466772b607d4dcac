/** What a server offers beside tools: each opens in an editor; what can go with a message has a button for that. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { hasWords, queryWords } from '../../base/text/searched.js';
import { showHidden } from '../../base/text/showHidden.js';
import {
  type OfferKind,
  offerKinds,
  type ServerOfferView,
} from '../../protocol/server/serverProtocol.js';
import { iconButton } from '../shared/buttons.js';
import { picture } from '../shared/icon.js';
import type { ServerPage } from './serverPage.js';

/** Rows of a kind: more are found by their words. */
const maxRows = 200;

const kindWords: Readonly<Record<OfferKind, () => string>> = {
  resource: () => l10n.t('Resources'),
  prompt: () => l10n.t('Prompts'),
  skill: () => l10n.t('Skills'),
};

export function matchingOffers(
  offers: readonly ServerOfferView[],
  filter: string,
): readonly ServerOfferView[] {
  const words = queryWords(filter);
  return offers.filter(({ name, detail }) => hasWords([name, detail], words));
}

export function offersList(
  offers: readonly ServerOfferView[],
  page: ServerPage,
): readonly TemplateResult[] {
  return offerKinds.flatMap((kind) => {
    const all = offers.filter((one) => one.kind === kind);
    const more = all.length - maxRows;
    return all.length === 0
      ? []
      : [
          html`<h2>${kindWords[kind]()}</h2>
            <ul aria-label=${kindWords[kind]()}>
              ${repeat(
                all.slice(0, maxRows),
                ({ key }) => key,
                (offer) => row(offer, page),
              )}
            </ul>
            ${more > 0 ? html`<p class="dim">${l10n.t('{0} more', more)}</p>` : nothing}`,
        ];
  });
}

function row(offer: ServerOfferView, page: ServerPage): TemplateResult {
  const { kind, key, name, detail, picture: own } = offer;
  return html`<li>
    <button type="button" class="tool-row" @click=${() => page.useOffer({ kind, key, use: 'open' })}>
      <span class="tool-name">${picture(own)}${showHidden(name)}</span>
      ${detail ? html`<span class="dim figures">${showHidden(detail)}</span>` : nothing}
    </button>
    ${
      kind === 'prompt'
        ? nothing
        : iconButton(`${l10n.t('Attach to Pi Agent')}: ${showHidden(name)}`, 'attach', () =>
            page.useOffer({ kind, key, use: 'attach' }),
          )
    }
  </li>`;
}
