import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { nameToken } from '../../base/text/nameToken.js';
import type { Announcer } from '../shared/announcer.js';
import { mainButton, sideButton } from '../shared/buttons.js';
import { repeatById } from '../shared/repeatById.js';
import type { ConfigPage } from './configPage.js';
import { outcomeBanner } from './outcomeBanner.js';
import { poolView } from './poolView.js';

/** Draws the list, and says which states have changed. */
export class ConfigPageView {
  private readonly root = document.getElementById('root') ?? document.body;
  private wordById: ReadonlyMap</* server id */ string, string> = new Map();

  constructor(private readonly announcer: Announcer) {}

  update(page: ConfigPage): void {
    render(template(page), this.root);
    const servers = page.view?.pools.flatMap((pool) => pool.servers) ?? [];
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

function template(page: ConfigPage): TemplateResult {
  const { view, outcome } = page;
  return html`<main>
    ${outcomeBanner(outcome, page)} ${head()}
    ${
      view
        ? repeatById(view.pools, (pool) => poolView(pool, view.isWorkspaceTrusted, page))
        : html`<p class="loading" role="status">
            <vscode-progress-ring></vscode-progress-ring>${l10n.t('Loading…')}
          </p>`
    }
    ${page.staged.size > 0 ? stagedBar(page) : nothing}
  </main>`;
}

/** What the staged boxes would do, in sight wherever the boxes are. */
function stagedBar(page: ConfigPage): TemplateResult {
  const { staged, preview } = page;
  const title = l10n.t('{0}: {1}', l10n.t('Changes'), staged.size);
  return html`<section class="staged" aria-label=${title}>
    <p role="status"><strong>${title}</strong>${preview ? html` · <span>${preview.summary}</span>` : nothing}</p>
    ${mainButton(l10n.t('Apply'), () => page.apply())}
    ${sideButton(l10n.t('Discard'), () => page.discard())}
  </section>`;
}

function head(): TemplateResult {
  return html`<header>
    <h1 tabindex="-1">${l10n.t('MCP Servers')}</h1>
  </header>`;
}
