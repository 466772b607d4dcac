import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { Announcer } from '../shared/announcer.js';
import { icon } from '../shared/icon.js';
import type { ConfigPage } from './configPage.js';
import { formView } from './formView.js';
import { groupsOf, type OpenForm, type PageState } from './pageState.js';
import { poolView } from './poolView.js';

/** Draws the page and moves the focus where the user's last step leads. */
export class PageView {
  private readonly root = document.getElementById('root') ?? document.body;
  private shownForm: OpenForm | undefined;
  private wordById: ReadonlyMap</* server id */ string, string> = new Map();

  constructor(
    private readonly page: ConfigPage,
    private readonly announcer: Announcer,
  ) {}

  update(state: PageState): void {
    render(template(state, this.page), this.root);
    this.moveFocus(state.form);
    this.announceStates(state);
  }

  private moveFocus(form: OpenForm | undefined): void {
    const before = this.shownForm;
    this.shownForm = form;
    if (form && !before) {
      this.focus('#form-title');
    } else if (!form && before) {
      this.focus('h1');
    } else if (form?.asksToDiscard && !before?.asksToDiscard) {
      this.focus('#keep-editing');
    } else if (form?.problems.some((problem) => !before?.problems.includes(problem))) {
      this.focus('#form-problems');
    }
  }

  private focus(selector: string): void {
    // custom elements can take the focus only after they have drawn themselves
    requestAnimationFrame(() => this.root.querySelector<HTMLElement>(selector)?.focus());
  }

  private announceStates({ view }: PageState): void {
    const servers = view?.pools.flatMap((pool) => pool.servers) ?? [];
    const changed = servers.filter(({ id, stateWord }) => {
      const before = this.wordById.get(id);
      return before !== undefined && before !== stateWord;
    });
    this.wordById = new Map(servers.map(({ id, stateWord }) => [id, stateWord]));
    if (changed.length > 0) {
      this.announcer.say(
        changed.map(({ name, stateWord }) => l10n.t('Server {0}: {1}', name, stateWord)).join(', '),
      );
    }
  }
}

function template(state: PageState, page: ConfigPage): TemplateResult {
  return html`
    <main>
      ${failureView(state, page)}
      ${
        state.form && state.view && state.forms
          ? formView(state.form, state.view, groupsOf(state, state.form.draft), page)
          : html`${head()}${state.view ? poolsView(state, page) : loadingView()}`
      }
    </main>
  `;
}

function head(): TemplateResult {
  return html`<header>
    <h1 tabindex="-1">${l10n.t('MCP Servers')}</h1>
    <p class="dim">
      ${l10n.t('Servers give the Pi agent tools. Your own servers run in every workspace; those of a folder belong to its project.')}
    </p>
  </header>`;
}

function poolsView({ view, expanded, busy }: PageState, page: ConfigPage): TemplateResult {
  return html`${repeat(
    view?.pools ?? [],
    (pool) => pool.id,
    (pool) =>
      poolView(
        { pool, isWorkspaceTrusted: view?.isWorkspaceTrusted ?? false, expanded, busy },
        page,
      ),
  )}`;
}

function loadingView(): TemplateResult {
  return html`<p class="loading" role="status">
    <vscode-progress-ring></vscode-progress-ring>${l10n.t('Reading the configuration…')}
  </p>`;
}

function failureView({ failure }: PageState, page: ConfigPage): TemplateResult | typeof nothing {
  if (!failure) {
    return nothing;
  }
  return html`<div class="banner error" role="alert">
    ${icon('error')}
    <p>${failure}</p>
    <vscode-button appearance="secondary" @click=${() => page.dismissFailure()}>
      ${l10n.t('Dismiss')}
    </vscode-button>
  </div>`;
}
