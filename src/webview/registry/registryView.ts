import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { repeat } from 'lit-html/directives/repeat.js';
import { nameToken } from '../../base/text/nameToken.js';
import type { RegistryRow } from '../../protocol/registry/registryProtocol.js';
import type { Announcer } from '../shared/announcer.js';
import { icon } from '../shared/icon.js';
import { focusLater, inputText } from '../shared/inputs.js';
import { backButton, serverDetailsView } from './detailsView.js';
import type { ListState, RegistryPageState } from './pageState.js';
import type { RegistryPage } from './registryPage.js';

/** Draws the page, moves the focus where a step leads, and says what screen readers would miss. */
export class RegistryView {
  private readonly root = document.getElementById('root') ?? document.body;
  private shown: RegistryPageState | undefined;

  constructor(
    private readonly page: RegistryPage,
    private readonly announcer: Announcer,
  ) {}

  update(state: RegistryPageState): void {
    const before = this.shown;
    this.shown = state;
    render(template(state, this.page), this.root);
    this.moveFocus(state, before);
    this.announce(state, before);
  }

  private moveFocus({ open }: RegistryPageState, before: RegistryPageState | undefined): void {
    if (open && open.details.id !== before?.open?.details.id) {
      focusLater('#details-title');
    } else if (!open && before?.open) {
      const row = `[data-row="${CSS.escape(before.open.registryName ?? '')}"]`;
      focusLater(this.root.querySelector(row) ? row : '#search');
    } else if (open?.added && !before?.open?.added) {
      focusLater('#added-title');
    } else if (open?.error !== undefined && before?.open?.isAdding === true) {
      focusLater('.field:has(> .field-problem) :is(input, select, textarea, vscode-text-field)');
    }
  }

  private announce({ list, open }: RegistryPageState, before: RegistryPageState | undefined): void {
    if (before?.list.isBusy && !list.isBusy && list.error === undefined) {
      this.announcer.say(countText(list));
    }
    const added = open?.added;
    if (added && !before?.open?.added) {
      this.announcer.say(l10n.t('Server added: {0}', nameToken(added.name)));
    }
  }
}

function template(state: RegistryPageState, page: RegistryPage): TemplateResult {
  const { address, list, open, openError } = state;
  return html`<main data-open=${open || openError !== undefined ? 'true' : 'false'}>
    <header>
      <h1 tabindex="-1">${l10n.t('Add MCP Server')}</h1>
      <p class="dim">
        ${address === undefined ? nothing : l10n.t('From the registry {0}.', address)}
        ${l10n.t('Adding writes an entry, and starts nothing.')}
        <button class="link-button" @click=${() => page.openSetting()}>
          ${icon('gear')}<span>${l10n.t('Use Another Registry')}</span>
        </button>
      </p>
    </header>
    <section class="list" aria-label=${l10n.t('Servers of the registry')}>
      ${searchView(list, page)} ${listView(state, page)}
    </section>
    <section class="details" aria-label=${l10n.t('Server')}>
      ${
        open
          ? serverDetailsView(open, state.places, page)
          : openError === undefined
            ? html`<p class="empty">${l10n.t('Choose a server to see what it would run, and what it asks for.')}</p>`
            : html`${backButton(page)}
                <div class="banner error" role="alert">${icon('error')}<p>${openError}</p></div>`
      }
    </section>
  </main>`;
}

function searchView({ text, isBusy }: ListState, page: RegistryPage): TemplateResult {
  return html`<div class="search">
    <vscode-text-field
      id="search"
      .value=${live(text)}
      placeholder=${l10n.t('Part of a name or description')}
      spellcheck="false"
      @input=${(event: Event) => page.type(inputText(event))}
      @keydown=${(event: KeyboardEvent) => {
        if (event.key === 'Enter') {
          void page.search(inputText(event));
        }
      }}
      >${l10n.t('Search')}</vscode-text-field
    >
    ${isBusy ? html`<vscode-progress-ring aria-label=${l10n.t('Asking the registry…')}></vscode-progress-ring>` : nothing}
  </div>`;
}

function listView({ list, open }: RegistryPageState, page: RegistryPage): TemplateResult {
  const { rows, cursor, isBusy, error, text } = list;
  return html`${
    error === undefined
      ? nothing
      : html`<div class="banner error" role="alert">
          ${icon('error')}
          <p>${error}</p>
          <vscode-button appearance="secondary" @click=${() => void page.search(text)}
            >${l10n.t('Try Again')}</vscode-button
          >
        </div>`
  }
  ${rows.length === 0 && !isBusy && error === undefined ? html`<p class="empty">${countText(list)}</p>` : nothing}
  <ul class="rows">
    ${repeat(
      rows,
      ({ name }) => name,
      (row) => rowView(row, open?.registryName === row.name, page),
    )}
  </ul>
  ${
    cursor === undefined
      ? nothing
      : html`<vscode-button
          class="more"
          appearance="secondary"
          ?disabled=${isBusy}
          @click=${() => void page.more()}
          >${l10n.t('Show More')}</vscode-button
        >`
  }`;
}

function rowView(row: RegistryRow, isOpen: boolean, page: RegistryPage): TemplateResult {
  const { name, title, description, kinds, usedAs, isDeprecated } = row;
  return html`<li>
    <button
      class="server-row"
      data-row=${name}
      aria-current=${isOpen ? 'true' : nothing}
      @click=${() => void page.open(name)}
    >
      <span class="row-title">${title}</span>
      <span class="row-name dim">${name}</span>
      ${description === '' ? nothing : html`<span class="row-text">${description}</span>`}
      <span class="row-marks dim">
        ${kinds.map((kind) => html`<span class="mark">${kind}</span>`)}
        ${isDeprecated ? html`<span class="mark">${icon('warning')}${l10n.t('given up')}</span>` : nothing}
        ${
          usedAs.length === 0
            ? nothing
            : html`<span class="mark">${icon('check')}${l10n.t('User: {0}', usedAs.map(nameToken).join(', '))}</span>`
        }
      </span>
    </button>
  </li>`;
}

function countText({ rows, cursor, text }: ListState): string {
  if (rows.length === 0) {
    return text.trim() === ''
      ? l10n.t('The registry lists no server.')
      : l10n.t('No server has "{0}" in its name or description.', text.trim());
  }
  return cursor === undefined
    ? l10n.t('{0} servers', rows.length)
    : l10n.t('{0} servers, and more', rows.length);
}
