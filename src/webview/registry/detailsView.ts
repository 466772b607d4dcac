import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { repeat } from 'lit-html/directives/repeat.js';
import { nameToken } from '../../base/text/nameToken.js';
import type { RegistryPlace, RegistryWay } from '../../protocol/registry/registryProtocol.js';
import { icon } from '../shared/icon.js';
import { inputText } from '../shared/inputs.js';
import { problemLine, registryFieldView } from './fieldView.js';
import { type OpenServer, wayOf } from './pageState.js';
import type { RegistryPage } from './registryPage.js';

export function serverDetailsView(
  open: OpenServer,
  places: readonly RegistryPlace[],
  page: RegistryPage,
): TemplateResult {
  const { details, added } = open;
  return html`${backButton(page)}
    <h2 id="details-title" tabindex="-1">${details.title}</h2>
    ${details.description === '' ? nothing : html`<p>${details.description}</p>`}
    <ul class="facts dim">
      ${details.facts.map((fact) => html`<li>${fact}</li>`)}
    </ul>
    ${
      details.links.length === 0
        ? nothing
        : html`<p class="actions">
            ${details.links.map(
              ({ id, label }) =>
                html`<button class="link-button" @click=${() => page.openLink(id)}>
                  ${icon(id === 'repository' ? 'repo' : 'link-external')}<span>${label}</span>
                </button>`,
            )}
          </p>`
    }
    ${cautionsView(details.cautions)} ${added ? addedView(open, page) : formView(open, places, page)}`;
}

export function backButton(page: RegistryPage): TemplateResult {
  return html`<button class="link-button back" @click=${() => page.close()}>
    ${icon('arrow-left')}<span>${l10n.t('All Servers')}</span>
  </button>`;
}

function formView(
  open: OpenServer,
  places: readonly RegistryPlace[],
  page: RegistryPage,
): TemplateResult {
  const way = wayOf(open);
  if (!way) {
    return html`<p class="empty">
      ${l10n.t('Its entry names neither a package nor an address, so it cannot be added from here.')}
    </p>`;
  }
  const troubles = open.preview?.troubles ?? [];
  return html`<form
    novalidate
    aria-labelledby="details-title"
    @submit=${(event: Event) => event.preventDefault()}
    @keydown=${(event: KeyboardEvent) => {
      if (event.key === 'Escape') {
        page.close();
      }
    }}
  >
    ${wayField(open, page)}
    ${
      way.blocker === undefined
        ? html`${placeField(open, places, page)} ${nameField(open, page)}
          ${repeat(
            way.fields,
            ({ id }) => `${way.id} ${id}`,
            (field) =>
              registryFieldView(field, {
                value: open.answers[field.id] ?? '',
                trouble: open.left.has(field.id)
                  ? troubles.find((one) => one.field === field.id)?.message
                  : undefined,
                onInput: (value) => page.answer(field.id, value),
                onLeave: () => page.leave(field.id),
              }),
          )}
          ${previewView(open)} ${footView(open, page)}`
        : html`<div class="banner warning">${icon('warning')}<p>${way.blocker}</p></div>`
    }
  </form>`;
}

function wayField({ details, way }: OpenServer, page: RegistryPage): TemplateResult {
  const choice = (one: RegistryWay) => html`<label class="choice">
    <input
      type="radio"
      name="way"
      value=${one.id}
      .checked=${live(one.id === way)}
      @change=${() => page.chooseWay(one.id)}
    />
    <span>${one.title}</span>
  </label>`;
  return html`<fieldset class="field">
    <legend>${l10n.t('What Runs')}</legend>
    ${details.ways.map(choice)}
  </fieldset>`;
}

function placeField(
  { place }: OpenServer,
  places: readonly RegistryPlace[],
  page: RegistryPage,
): TemplateResult {
  const chosen = places.find(({ id }) => id === place);
  return html`<div class="field">
    <label for="place">${l10n.t('Where')}</label>
    <select
      id="place"
      aria-describedby="place-hint"
      @change=${(event: Event) => page.edit({ place: inputText(event) })}
    >
      ${places.map(
        ({ id, label }) =>
          html`<option value=${id} .selected=${live(id === place)}>${label}</option>`,
      )}
    </select>
    <p class="hint dim" id="place-hint">${l10n.t('Saved in {0}', chosen?.path ?? '')}</p>
  </div>`;
}

function nameField({ name, preview }: OpenServer, page: RegistryPage): TemplateResult {
  const trouble = preview?.troubles.find(({ field }) => field === 'name')?.message;
  return html`<div class="field">
    <vscode-text-field
      id="field-name"
      .value=${live(name)}
      aria-invalid=${trouble === undefined ? nothing : 'true'}
      spellcheck="false"
      @input=${(event: Event) => page.edit({ name: inputText(event) })}
      >${l10n.t('Name')}</vscode-text-field
    >
    <p class="hint dim">${l10n.t('The agent sees it in front of the names of the tools.')}</p>
    ${problemLine(trouble)}
  </div>`;
}

/** The same words as the question about consent has. */
function previewView({ preview }: OpenServer): TemplateResult | typeof nothing {
  if (!preview || preview.text === '') {
    return html`<p class="empty">${l10n.t('Fill in what is needed to see what would be written.')}</p>`;
  }
  return html`<section class="preview" aria-label=${l10n.t('What would be written')}>
    <h3>${l10n.t('What Would Be Written')}</h3>
    <dl>
      ${preview.lines.map(
        ({ label, text }) => html`<div><dt>${label}</dt><dd><code>${text}</code></dd></div>`,
      )}
    </dl>
    <details>
      <summary>${l10n.t('As JSON')}</summary>
      <pre tabindex="0">${preview.text}</pre>
    </details>
    ${cautionsView(preview.cautions)}
  </section>`;
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

function footView({ error, isAdding, name }: OpenServer, page: RegistryPage): TemplateResult {
  return html`<div class="form-foot">
    ${
      error === undefined
        ? nothing
        : html`<div class="banner error" role="alert">${icon('error')}<p>${error}</p></div>`
    }
    <div class="actions">
      <vscode-button ?disabled=${isAdding} @click=${() => void page.add()}
        >${l10n.t('Add: {0}', nameToken(name))}</vscode-button
      >
      <vscode-button appearance="secondary" @click=${() => page.close()}
        >${l10n.t('Cancel')}</vscode-button
      >
    </div>
  </div>`;
}

function addedView({ added }: OpenServer, page: RegistryPage): TemplateResult {
  const { name = '', path = '', needsConsent = false } = added ?? {};
  return html`<section class="added">
    <h3 id="added-title" tabindex="-1">${icon('check')}${l10n.t('Server added: {0}', nameToken(name))}</h3>
    <p>
      ${
        needsConsent
          ? l10n.t('It runs nothing until you trust it.')
          : l10n.t('Starts when one of its tools is used, or when you probe it.')
      }
    </p>
    <div class="actions">
      <vscode-button @click=${() => page.next('test')}
        >${needsConsent ? l10n.t('Review and Probe') : l10n.t('Probe')}</vscode-button
      >
      <vscode-button appearance="secondary" @click=${() => page.next('reveal')}
        >${l10n.t('Show in Tree')}</vscode-button
      >
      <vscode-button appearance="secondary" @click=${() => page.openFile(path)}
        >${l10n.t('Open File')}</vscode-button
      >
    </div>
  </section>`;
}
