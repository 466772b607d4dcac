import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { nameToken } from '../../base/text/nameToken.js';
import type { AddPlace, OfferWay } from '../../protocol/add/addProtocol.js';
import { boxField } from '../form/fieldParts.js';
import { fieldView } from '../form/fieldView.js';
import type { FormContext } from '../form/formContext.js';
import { linkButton, mainButton, sideButton } from '../shared/buttons.js';
import { placeField, radioField } from '../shared/choices.js';
import { errorBanner, icon } from '../shared/icon.js';
import { isChecked } from '../shared/inputs.js';
import { repeatById } from '../shared/repeatById.js';
import type { AddPage } from './addPage.js';
import type { AddCard } from './card.js';

export function offerCard(card: AddCard, page: AddPage): TemplateResult {
  const { details, added } = card;
  const titleId = `card-${details.id}`;
  return html`<section class="card" aria-labelledby=${titleId}>
    <h2 id=${titleId} tabindex="-1">${details.title}</h2>
    ${details.description === '' ? nothing : html`<p>${details.description}</p>`}
    ${
      details.facts.length === 0
        ? nothing
        : html`<ul class="facts dim">
            ${details.facts.map((fact) => html`<li>${fact}</li>`)}
          </ul>`
    }
    ${
      details.links.length === 0
        ? nothing
        : html`<p class="actions">
            ${details.links.map(({ id, label }) =>
              linkButton(label, () => page.openLink(details.id, id), {
                glyph: id === 'repository' ? 'repo' : 'link-external',
              }),
            )}
          </p>`
    }
    ${cautionsView(details.cautions)} ${added ? addedView(card, page) : formView(card, page)}
  </section>`;
}

function formView(card: AddCard, page: AddPage): TemplateResult {
  const { chosen, details } = card;
  if (!chosen) {
    return html`<p class="empty">
      ${l10n.t('The entry cannot be used.')}
    </p>`;
  }
  return html`<form
    novalidate
    class="schema-form"
    aria-labelledby=${`card-${details.id}`}
    @submit=${(event: Event) => event.preventDefault()}
  >
    ${details.ways.length > 1 ? wayField(card) : nothing}
    ${
      chosen.blocker === undefined
        ? html`${launchView(card)} ${nameField(card)} ${placeOf(card, page.places)}
          ${fields(card, chosen)} ${changeView(card, page.places)} ${footView(card, page)}`
        : html`<div class="banner warning">
              ${icon(chosen.isBundle ? 'package' : 'warning')}
              <p>${chosen.blocker}</p>
            </div>
            ${chosen.isBundle ? bundleView(card, page) : nothing}`
    }
  </form>`;
}

function bundleView(card: AddCard, page: AddPage): TemplateResult {
  return html`${errorBanner(card.error)}
    <div class="actions">
      ${mainButton(
        card.isAdding ? l10n.t('Loading…') : l10n.t('Download and Show'),
        () => page.openPackage(card),
        { isEnabled: !card.isAdding },
      )}
    </div>`;
}

function wayField(card: AddCard): TemplateResult {
  const { details, way } = card;
  const ways = details.ways.map(({ id, title }) => ({ value: id, label: title }));
  return radioField(l10n.t('What Runs'), `way-${details.id}`, ways, way, (id) =>
    card.chooseWay(id),
  );
}

/** The same words as the question about consent has. */
function launchView({ preview }: AddCard): TemplateResult | typeof nothing {
  return !preview || preview.lines.length === 0
    ? html`<p class="empty">${l10n.t('Fill in what is needed to see what would run.')}</p>`
    : html`<dl class="launch">
          ${preview.lines.map(
            ({ label, text }) => html`<div><dt>${label}</dt><dd><code>${text}</code></dd></div>`,
          )}
        </dl>
        ${cautionsView(preview.cautions)}`;
}

function nameField(card: AddCard): TemplateResult {
  const { details, name } = card;
  const trouble = card.trouble('name');
  return boxField(
    {
      id: `name-${details.id}`,
      title: l10n.t('Name'),
      text: name,
      problems: trouble === undefined ? [] : [trouble],
      isAlert: true,
    },
    (typed) => card.edit({ name: typed }),
  );
}

function placeOf(card: AddCard, places: readonly AddPlace[]): TemplateResult {
  const { details, place } = card;
  const choices = places.map((one) => ({ ...one, value: one.id }));
  const chosen = choices.find(({ id }) => id === place);
  return placeField(`place-${details.id}`, choices, chosen, (id) => card.edit({ place: id }));
}

function pathOf({ place }: AddCard, places: readonly AddPlace[]): string {
  return places.find(({ id }) => id === place)?.path ?? '';
}

function fields(card: AddCard, { secrets }: OfferWay): unknown {
  const context: FormContext = {
    problems: card.problems(),
    combo: card.combo,
    draw: (draft) => fieldView(draft, context),
    changed: () => card.changed(),
  };
  return repeatById(card.root.children, (draft) => {
    const { name } = draft.field;
    return html`<div @focusout=${() => card.leave(name)}>
        ${context.draw(draft)}
        ${
          secrets.includes(name)
            ? html`<label class="choice store">
                <input
                  type="checkbox"
                  aria-label=${`${l10n.t('Store securely')}: ${draft.field.title}`}
                  .checked=${live(!card.plain.has(name))}
                  @change=${(event: Event) => card.setPlain(name, !isChecked(event))}
                />
                <span>${l10n.t('Store securely')}</span>
              </label>`
            : nothing
        }
      </div>`;
  });
}

function changeView(card: AddCard, places: readonly AddPlace[]): TemplateResult | typeof nothing {
  const text = card.preview?.text ?? '';
  // without the braces around it
  const lines = text.split('\n').slice(1, -1);
  return lines.length === 0
    ? nothing
    : html`<details class="change">
        <summary>${l10n.t('{0}: proposed change', pathOf(card, places))}</summary>
        <pre tabindex="0">${lines.map((line) => html`<ins>+${line}</ins>`)}</pre>
      </details>`;
}

function cautionsView(cautions: readonly string[]): TemplateResult | typeof nothing {
  return cautions.length === 0
    ? nothing
    : html`<div class="banner warning">
        ${icon('warning')}
        <ul>
          ${cautions.map((caution) => html`<li>${caution}</li>`)}
        </ul>
      </div>`;
}

function footView(card: AddCard, page: AddPage): TemplateResult {
  const { isAdding, name } = card;
  const shown = nameToken(name);
  return html`${errorBanner(card.error)}
    <div class="actions">
      ${mainButton(l10n.t('Add and Start'), () => void page.add(card, true), {
        isEnabled: !isAdding,
        label: `${l10n.t('Add and Start')}: ${shown}`,
        className: 'start',
      })}
      ${sideButton(l10n.t('Add'), () => void page.add(card, false), {
        isEnabled: !isAdding,
        label: `${l10n.t('Add')}: ${shown}`,
      })}
    </div>`;
}

function addedView({ added }: AddCard, page: AddPage): TemplateResult {
  const { id = '', name = '' } = added ?? {};
  return html`<p class="actions" role="status">
    ${icon('check')}<span>${l10n.t('Added to the MCP servers: {0}', nameToken(name))}</span>
    ${linkButton(l10n.t('Open'), () => page.showAdded(id))}
  </p>`;
}
