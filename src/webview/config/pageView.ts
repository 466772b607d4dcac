import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { nameToken } from '../../base/text/nameToken.js';
import type { Announcer } from '../shared/announcer.js';
import type { ConfigPage } from './configPage.js';
import { liveSentences } from './formNotes.js';
import { formView } from './formView.js';
import { outcomeBanner } from './outcomeBanner.js';
import { type ConfigPageState, groupsOf, type OpenForm } from './pageState.js';
import { poolView } from './poolView.js';

const focusable = 'vscode-text-field, select, textarea, input, vscode-checkbox, vscode-button';

/** Draws the page, and moves the focus and the view to where the user's last step leads. */
export class ConfigPageView {
  private readonly root = document.getElementById('root') ?? document.body;
  private shown: ConfigPageState | undefined;
  private wordById: ReadonlyMap</* server id */ string, string> = new Map();

  constructor(
    private readonly page: ConfigPage,
    private readonly announcer: Announcer,
  ) {}

  update(state: ConfigPageState): void {
    const before = this.shown;
    this.shown = state;
    render(template(state, this.page), this.root);
    this.moveFocus(state, before);
    this.announceStates(state);
    this.announceForm(state.form, before?.form);
    if (state.outcome && state.outcome !== before?.outcome) {
      this.showOutcome(state.outcome);
    }
  }

  private moveFocus({ form, outcome }: ConfigPageState, before: ConfigPageState | undefined): void {
    if (form && !before?.form) {
      this.focus('#form-title');
    } else if (!form && before?.form) {
      this.focus(outcome ? `${placeSelector(outcome.at)} :is(h2, h3)` : 'h1', 'h1');
    } else if (form?.asksToDiscard && !before?.form?.asksToDiscard) {
      this.focus('#keep-editing');
    } else if (hasNew(form, before?.form)) {
      this.focus('.field:has(> .field-problem)');
    }
  }

  /** @param otherwise where there is no such place. */
  private focus(selector: string, otherwise?: string): void {
    // custom elements can take the focus only after they have drawn themselves
    requestAnimationFrame(() => {
      const found = this.root.querySelector<HTMLElement>(selector);
      const place = found ?? (otherwise ? this.root.querySelector<HTMLElement>(otherwise) : null);
      place?.scrollIntoView({ block: found?.matches('.field') ? 'center' : 'nearest' });
      const inner = place?.matches('.field')
        ? place.querySelector<HTMLElement>(focusable)
        : undefined;
      (inner ?? place)?.focus({ preventScroll: true });
    });
  }

  /** Errors are read out by themselves, as alerts are. */
  private showOutcome({ at, isError, text }: NonNullable<ConfigPageState['outcome']>): void {
    if (!isError) {
      this.announcer.say(text);
    }
    const isRemoved = !isError && this.root.contains(document.activeElement) === false;
    requestAnimationFrame(() => {
      const place = this.root.querySelector<HTMLElement>('[data-outcome]');
      place?.scrollIntoView({ block: 'nearest' });
      if (isRemoved) {
        this.root.querySelector<HTMLElement>(`${placeSelector(at)} :is(h2, h3)`)?.focus();
      }
    });
  }

  private announceForm(form: OpenForm | undefined, before: OpenForm | undefined): void {
    if (!form) {
      return;
    }
    if (hasNew(form, before)) {
      const sentences = form.problems
        .filter(({ field }) => field !== undefined)
        .map(({ message, remedy }) => `${message} ${remedy}`);
      this.announcer.say(sentences.join(' '));
      return;
    }
    const known = before ? liveSentences(before) : [];
    const added = liveSentences(form).filter((sentence) => !known.includes(sentence));
    if (added.length > 0) {
      this.announcer.say(added.join(' '));
      this.showNotes();
    }
  }

  /** What is said about the field that is being filled in. */
  private showNotes(): void {
    requestAnimationFrame(() => {
      const field = document.activeElement?.closest('.field');
      const notes = field?.querySelectorAll('.field-problem, .offer, .secret-note') ?? [];
      for (const note of notes) {
        note.scrollIntoView({ block: 'nearest' });
      }
    });
  }

  private announceStates({ view }: ConfigPageState): void {
    const servers = view?.pools.flatMap((pool) => pool.servers) ?? [];
    const changed = servers.filter(({ id, reason }) => {
      const before = this.wordById.get(id);
      return before !== undefined && before !== reason;
    });
    this.wordById = new Map(servers.map(({ id, reason }) => [id, reason]));
    if (changed.length > 0) {
      this.announcer.say(
        changed
          .map(({ name, reason }) => l10n.t('{0}: server {1}', reason, nameToken(name)))
          .join(', '),
      );
    }
  }
}

/** A complaint that was not there before. */
function hasNew(form: OpenForm | undefined, before: OpenForm | undefined): boolean {
  return form?.problems.some((problem) => !before?.problems.includes(problem)) === true;
}

function placeSelector(at: string): string {
  return `[data-place="${CSS.escape(at)}"]`;
}

function template(state: ConfigPageState, page: ConfigPage): TemplateResult {
  return html`
    <main>
      ${outcomeBanner('page', state.outcome, page)}
      ${
        state.form && state.view && state.forms
          ? formView(state.form, state.view, groupsOf(state, state.form.draft), page, state.outcome)
          : html`${head(state, page)}${state.view ? poolsView(state, page) : loadingView()}`
      }
    </main>
  `;
}

function head({ view }: ConfigPageState, page: ConfigPage): TemplateResult {
  const servers = view?.pools.flatMap((pool) => pool.servers) ?? [];
  return html`<header>
    <div class="pool-head">
      <h1 tabindex="-1">${l10n.t('MCP Servers')}</h1>
      ${
        servers.length < 2
          ? nothing
          : html`<vscode-button
              appearance="secondary"
              @click=${() => page.run('page', (send) => send('switchServers', undefined))}
              >${l10n.t('Switch Servers…')}</vscode-button
            >`
      }
    </div>
    <p class="dim">
      ${l10n.t('Servers give the Pi agent tools. User servers run in every workspace; those of a folder belong to its project.')}
    </p>
  </header>`;
}

function poolsView(
  { view, expanded, busy, outcome }: ConfigPageState,
  page: ConfigPage,
): TemplateResult {
  return html`${repeat(
    view?.pools ?? [],
    (pool) => pool.id,
    (pool) =>
      poolView(
        { pool, isWorkspaceTrusted: view?.isWorkspaceTrusted ?? false, expanded, busy, outcome },
        page,
      ),
  )}`;
}

function loadingView(): TemplateResult {
  return html`<p class="loading" role="status">
    <vscode-progress-ring></vscode-progress-ring>${l10n.t('Reading the configuration…')}
  </p>`;
}
