import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { repeat } from 'lit-html/directives/repeat.js';
import { withRemedy } from '../../base/errors.js';
import { counted } from '../../base/text/counted.js';
import { nameToken } from '../../base/text/nameToken.js';
import type { RegistryRow } from '../../protocol/add/addProtocol.js';
import type { Announcer } from '../shared/announcer.js';
import { linkButton, mainButton, sideButton } from '../shared/buttons.js';
import { errorBanner, icon } from '../shared/icon.js';
import { focusLater, InputFocus, inputText } from '../shared/inputs.js';
import type { AddPage, ListState } from './addPage.js';
import { offerCard } from './cardView.js';

/** Draws the page, moves the focus where a step leads, and says what screen readers would miss. */
export class AddView {
  private readonly root = document.getElementById('root') ?? document.body;
  private readonly inputFocus = new InputFocus('#box');
  private wasBusy = false;
  /** Of the registry. */
  private opened: string | undefined;
  private added = 0;

  constructor(
    private readonly page: AddPage,
    private readonly announcer: Announcer,
  ) {}

  update(): void {
    const { page } = this;
    render(template(page), this.root);
    this.moveFocus();
    this.inputFocus.afterDrawing();
    if (this.wasBusy && page.list?.isBusy === false && page.list.error === undefined) {
      this.announcer.say(countText(page.list, page));
    }
    this.wasBusy = page.list?.isBusy === true;
    const added = page.cards.filter((card) => card.added);
    const last = added.at(-1)?.added;
    if (last && added.length > this.added) {
      this.announcer.say(l10n.t('Added to the MCP servers: {0}', nameToken(last.name)));
    }
    this.added = added.length;
  }

  private moveFocus(): void {
    const [card] = this.page.list ? this.page.cards : [];
    if (card?.registryName !== this.opened) {
      const row = `[data-row="${CSS.escape(this.opened ?? '')}"]`;
      focusLater(card ? '.card h2' : this.root.querySelector(row) ? row : '#box');
    }
    this.opened = card?.registryName;
  }
}

function template(page: AddPage): TemplateResult {
  const { list, cards, openError, reading } = page;
  const isOpen = cards.length > 0 || openError !== undefined;
  return html`<main
    data-list=${list ? 'true' : 'false'}
    data-open=${isOpen ? 'true' : 'false'}
    @keydown=${(event: KeyboardEvent) => {
      if (event.key === 'Escape' && list && isOpen) {
        page.close();
      }
    }}
  >
    <header>
      <h1 tabindex="-1">${l10n.t('Add Server')}</h1>
      ${boxView(page)} ${reading.kind === 'empty' && page.text === '' ? startView(page) : nothing}
    </header>
    ${list ? resultsView(list, page) : nothing}
    ${list || isOpen ? detailsView(page) : nothing}
  </main>`;
}

function resultsView(list: ListState, page: AddPage): TemplateResult {
  return html`<section class="list" aria-label=${l10n.t('Servers')}>
    <p class="dim source">
      ${l10n.t('From the registry {0}.', page.address ?? '')}
      ${linkButton(l10n.t('Use Another Registry'), () => page.openSetting(), { glyph: 'gear' })}
      ${
        list.isBusy
          ? html`<vscode-progress-ring aria-label=${l10n.t('Loading…')}></vscode-progress-ring>`
          : nothing
      }
    </p>
    ${listView(list, page)}
  </section>`;
}

function detailsView(page: AddPage): TemplateResult {
  const { list, cards, openError } = page;
  const left = cards.filter((card) => !card.added && card.chosen?.blocker === undefined);
  return html`<section class="details" aria-label=${l10n.t('Server')}>
    ${
      list && (cards.length > 0 || openError !== undefined)
        ? linkButton(l10n.t('All Servers'), () => page.close(), {
            glyph: 'arrow-left',
            className: 'back',
          })
        : nothing
    }
    ${errorBanner(openError)}
    ${
      left.length > 1
        ? mainButton(l10n.t('Add All ({0})', left.length), () => void page.addAll(), {
            className: 'all',
          })
        : nothing
    }
    ${repeat(
      cards,
      ({ details }) => details.id,
      (card) => offerCard(card, page),
    )}
  </section>`;
}

function listView(list: ListState, page: AddPage): TemplateResult {
  const [card] = page.cards;
  const { rows, cursor, isBusy, error, text } = list;
  const again = sideButton(l10n.t('Try Again'), () => void page.search(text));
  return html`${errorBanner(error, again)}
  ${rows.length === 0 && !isBusy && error === undefined ? html`<p class="empty">${countText(list, page)}</p>` : nothing}
  <ul class="rows">
    ${repeat(
      rows,
      ({ name }) => name,
      (row) => rowView(row, card?.registryName === row.name, page),
    )}
  </ul>
  ${
    cursor === undefined
      ? nothing
      : sideButton(l10n.t('Show More'), () => void page.more(), {
          isEnabled: !isBusy,
          className: 'more',
        })
  }`;
}

function rowView(row: RegistryRow, isOpen: boolean, page: AddPage): TemplateResult {
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
        ${isDeprecated ? html`<span class="mark">${icon('warning')}${l10n.t('deprecated')}</span>` : nothing}
        ${
          usedAs.length === 0
            ? nothing
            : html`<span class="mark">${icon('check')}${l10n.t('{0}: {1}', l10n.t('User'), usedAs.map(nameToken).join(', '))}</span>`
        }
      </span>
    </button>
  </li>`;
}

function countText({ rows, cursor, text }: ListState, page: AddPage): string {
  if (rows.length === 0) {
    return text.trim() === ''
      ? l10n.t('{0} lists no MCP servers.', page.address ?? '')
      : l10n.t('"{0}" matches nothing', text.trim());
  }
  const count = counted(l10n.t('1 server|{0} servers'), rows.length);
  return cursor === undefined ? count : l10n.t('{0} and more', count);
}

/** The box that takes everything, and what it holds. */
function boxView(page: AddPage): TemplateResult {
  const { text, clipboard } = page;
  return html`<div class="box">
    <label for="box"
      >${l10n.t('Paste a command, URL, JSON, install link, package or path of a bundle, or search the registry')}</label
    >
    <textarea
      id="box"
      rows="3"
      autocomplete="off"
      spellcheck="false"
      aria-describedby="what"
      aria-invalid=${page.reading.kind === 'wrong' ? 'true' : nothing}
      .value=${live(text)}
      @input=${(event: Event) => page.type(inputText(event))}
      @keydown=${(event: KeyboardEvent) => enter(event, page)}
    ></textarea>
    ${
      clipboard === undefined || text !== ''
        ? nothing
        : html`<button class="chip" @click=${() => void page.paste()}>
            ${icon('clippy')}<span>${l10n.t('From the clipboard: {0}', clipboard)}</span>
          </button>`
    }
    ${readingView(page)}
  </div>`;
}

/** Reads at once and goes to what came of it; in a text of several lines only together with Ctrl. */
function enter(event: KeyboardEvent, page: AddPage): void {
  const isMeant = event.ctrlKey || event.metaKey || !/[\n{[]/.test(page.text);
  if (event.key === 'Enter' && !event.shiftKey && isMeant && !event.isComposing) {
    event.preventDefault();
    void page.enter().then(() => focusLater('.card h2'));
  }
}

function readingView(page: AddPage): TemplateResult {
  const { reading } = page;
  const isWords = reading.kind === 'search';
  return html`<div id="what" class="what" role="status">${whatView(page)}</div>
    ${
      reading.kind === 'wrong' && reading.at !== undefined
        ? linkButton(l10n.t('Go to the Place'), () => select(reading.at ?? 0), {
            glyph: 'arrow-right',
          })
        : nothing
    }
    ${reading.kind === 'servers' && reading.host !== undefined ? hostView(reading.host, page) : nothing}
    ${
      isWords || (reading.kind === 'servers' && reading.mayBeWords)
        ? linkButton(
            isWords ? l10n.t('Use as a command instead') : l10n.t('Search the registry instead'),
            () => page.type(page.text, isWords ? 'command' : 'search'),
          )
        : nothing
    }`;
}

/** Nobody is asked before the user wants it. */
function hostView(host: string, page: AddPage): TemplateResult {
  const { hostAnswer } = page;
  return html`<div class="host">
    ${linkButton(l10n.t('Look for servers at {0}', host), () => void page.discover(), {
      glyph: 'search',
      isEnabled: hostAnswer !== 'asking',
    })}
    ${
      hostAnswer === 'asking'
        ? html`<vscode-progress-ring aria-label=${l10n.t('Loading…')}></vscode-progress-ring>`
        : nothing
    }
    <span role="status">${typeof hostAnswer === 'object' ? hostAnswer.refusal : nothing}</span>
  </div>`;
}

function whatView({ reading, address }: AddPage): TemplateResult | typeof nothing {
  switch (reading.kind) {
    case 'empty':
      return nothing;
    case 'search':
      return html`${icon('search')}<span>${l10n.t('Search in {0}', address ?? '')}</span>`;
    case 'servers':
      return html`${icon('check')}<span>${reading.what}</span>`;
    case 'wrong':
      return html`${icon('error')}<span>${withRemedy(reading.message, reading.remedy)}</span>`;
  }
}

function select(at: number): void {
  const box = document.querySelector<HTMLTextAreaElement>('#box');
  box?.focus();
  box?.setSelectionRange(at, at + 1);
}

/** Without anything in the box. */
function startView(page: AddPage): TemplateResult {
  return html`<div class="actions ways">
    ${page.imports.map(({ source, label, count }) =>
      sideButton(l10n.t('Import from {0} ({1})…', label, count), () => void page.takeFrom(source)),
    )}
    ${sideButton(l10n.t('Browse Registry'), () => void page.search(''))}
    ${sideButton(l10n.t('Open Bundle…'), () => void page.openBundle())}
    ${sideButton(l10n.t('Blank Form'), () => page.openForm())}
  </div>`;
}
