import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { counted } from '../../base/text/counted.js';
import { nameToken } from '../../base/text/nameToken.js';
import type {
  ConsentCard,
  ConsentFolder,
  ConsentView,
} from '../../protocol/consent/consentProtocol.js';
import type { Announcer } from '../shared/announcer.js';
import { iconButton, mainButton, sideButton } from '../shared/buttons.js';
import { banner, errorBanner } from '../shared/icon.js';
import { cardView } from './cardView.js';
import {
  type ConsentPage,
  type ConsentPageState,
  cardsOf,
  isTicked,
  tickedCards,
  unseenCards,
} from './consentPage.js';
import { DeliberatePress } from './press.js';
import { SeenCards } from './seenCards.js';
import { shownValue } from './shownText.js';

/** Draws the page and says what screen readers would miss. Nothing of it takes the focus by itself. */
export class ConsentPageView {
  private readonly root = document.getElementById('root') ?? document.body;
  private readonly seen: SeenCards;
  private readonly press: DeliberatePress;
  private shown: ConsentPageState | undefined;

  constructor(
    private readonly page: ConsentPage,
    private readonly announcer: Announcer,
  ) {
    this.seen = new SeenCards((hash) => page.see(hash));
    this.press = new DeliberatePress(
      () => this.update(page.state),
      () => announcer.say(l10n.t('The space bar presses this, after a moment without other keys.')),
    );
  }

  update(state: ConsentPageState): void {
    const before = this.shown;
    this.shown = state;
    const revision = (state.view?.cards ?? []).map(({ hash }) => hash).join();
    this.press.show([`servers ${revision}`, ...(state.isMoreOpen ? [`folder ${revision}`] : [])]);
    render(this.template(state, revision), this.root);
    this.seen.follow([...this.root.querySelectorAll<HTMLElement>('[data-hash]')]);
    const { view, refused } = state;
    if (refused.length > 0 && refused !== before?.refused) {
      this.announcer.say(refusedText(refused));
    } else if (view && view.cards.length !== before?.view?.cards.length) {
      this.announcer.say(countText(view));
    }
  }

  private template(state: ConsentPageState, revision: string): TemplateResult {
    const { view, refused, error } = state;
    return html`<main>
      <header>
        <h1>${l10n.t('Review MCP Servers')}</h1>
        ${view ? html`<p>${countText(view)}</p>` : nothing}
        ${
          view && view.cards.length > 0
            ? html`<p class="dim">
                ${introText(view)}
              </p>`
            : nothing
        }
      </header>
      ${errorBanner(error)}
      ${refused.length === 0 ? nothing : banner('warning', refusedText(refused))}
      ${view ? this.body(state, view, revision) : this.lookingView(error !== undefined)}
    </main>`;
  }

  private lookingView(hasFailed: boolean): TemplateResult {
    return hasFailed
      ? html`<div class="buttons">
          ${mainButton(l10n.t('Try Again'), () => void this.page.look())}
        </div>`
      : html`<vscode-progress-ring aria-label=${l10n.t('Loading…')}></vscode-progress-ring>`;
  }

  private body(state: ConsentPageState, view: ConsentView, revision: string): TemplateResult {
    if (view.isRestricted) {
      return html`<div class="buttons">
        ${mainButton(l10n.t('Manage Workspace Trust'), () => this.page.manageTrust())}
      </div>`;
    }
    return html`
      <ul class="cards">
        ${repeat(
          view.cards,
          ({ hash }) => hash,
          (card) => cardView(card, isTicked(state, card), this.page),
        )}
      </ul>
      ${this.answers(state, view, revision)}
    `;
  }

  private answers(state: ConsentPageState, view: ConsentView, revision: string): TemplateResult {
    const ticked = tickedCards(state);
    const id = `servers ${revision}`;
    const isStart = !areDefinitions(view.cards);
    const obstacle =
      ticked.length === 0 ? l10n.t('Nothing is selected.') : unseenText(unseenCards(state, ticked));
    const isOff = state.isSending || obstacle !== undefined || !this.press.isSettled(id);
    const folders = view.folders.filter(({ isTrusted }) => !isTrusted);
    return html`<section class="answers" aria-label=${l10n.t('Answer')}>
      ${view.cards.length === 0 ? nothing : html`<p id="obstacle" role="status">${obstacle ?? grantText(ticked, isStart)}</p>`}
      <div class="buttons">
        ${
          view.cards.length === 0
            ? nothing
            : html`<vscode-button
                data-press=${id}
                aria-describedby="obstacle"
                ?disabled=${isOff}
                @click=${() => this.run(id, () => this.page.trust())}
                >${isStart ? l10n.t('Trust Selected') : l10n.t('Accept Selected')}</vscode-button
              >`
        }
        ${sideButton(view.cards.length === 0 ? l10n.t('Close') : l10n.t('Not Now'), () =>
          this.page.leave(),
        )}
        ${
          folders.length === 0
            ? nothing
            : iconButton(l10n.t('More Answers'), 'ellipsis', () => this.page.toggleMore(), {
                isExpanded: state.isMoreOpen,
              })
        }
      </div>
      ${state.isMoreOpen ? folders.map((folder) => this.folderView(state, folder, folders.length > 1, revision)) : nothing}
    </section>`;
  }

  private folderView(
    state: ConsentPageState,
    { uri, name }: ConsentFolder,
    isNamed: boolean,
    revision: string,
  ): TemplateResult {
    const id = `folder ${revision}`;
    const obstacle = unseenText(unseenCards(state, cardsOf(state, uri)));
    const isOff = state.isSending || obstacle !== undefined || !this.press.isSettled(id);
    const label = l10n.t('Trust Whole Folder');
    return html`<div class="whole" role="group" aria-label=${`${label} ${nameToken(name)}`}>
      <h2>${label}…${isNamed ? html` <span class="name">${shownValue(name)}</span>` : nothing}</h2>
      <p>
        ${l10n.t('All servers of its files run, also those that are added or changed later; what the agent itself writes asks all the same.')}
      </p>
      ${obstacle === undefined ? nothing : html`<p role="status">${obstacle}</p>`}
      <vscode-button
        appearance="secondary"
        data-press=${id}
        ?disabled=${isOff}
        @click=${() => this.run(id, () => this.page.trustFolder(uri))}
        >${label}</vscode-button
      >
    </div>`;
  }

  private run(id: string, act: () => Promise<void>): void {
    if (this.press.isSettled(id)) {
      void act();
    }
  }
}

function countText({ isRestricted, cards }: ConsentView): string {
  if (isRestricted) {
    return l10n.t('Restricted Mode: nothing in this workspace is started.');
  }
  const servers = new Set(cards.map(({ id }) => id)).size;
  return servers === 0
    ? l10n.t('No MCP server waits for your review.')
    : counted(
        l10n.t('1 MCP server waits for your review.|{0} MCP servers wait for your review.'),
        servers,
      );
}

function introText({ cards }: ConsentView): string {
  return cards.every(({ isDefinition }) => isDefinition)
    ? l10n.t(
        'Read what servers changed in what a model reads of them. Accept what you want models to read.',
      )
    : l10n.t(
        'Read what would run on your machine. Nothing runs until you trust it, and you trust exactly what is shown here.',
      );
}

function areDefinitions(cards: readonly ConsentCard[]): boolean {
  return cards.every(({ isDefinition }) => isDefinition);
}

function unseenText(cards: readonly ConsentCard[]): string | undefined {
  return cards.length === 0 ? undefined : l10n.t('Scroll to the end of: {0}', namesText(cards));
}

function grantText(cards: readonly ConsentCard[], isStart: boolean): string {
  return isStart
    ? l10n.t('You trust, as shown: {0}', namesText(cards))
    : l10n.t('You accept, as shown: {0}', namesText(cards));
}

function refusedText(names: readonly string[]): string {
  return l10n.t(
    'This changed since you read it, so nothing was trusted. Read it again: {0}',
    names.map(nameToken).join(', '),
  );
}

function namesText(cards: readonly ConsentCard[]): string {
  return [...new Set(cards.map(({ name }) => nameToken(name)))].join(', ');
}
