/** What stands in the place of the conversation. */
import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit-html';
import { mainButton, sideButton } from '../shared/buttons.js';
import { icon } from '../shared/icon.js';
import type { AgentPage } from './agentPage.js';

/** Stands where the conversation was: two inputs for one conversation would be one too many. */
export function movedPage(page: AgentPage): TemplateResult {
  const call = (action: 'show' | 'bringBack') => page.run((send) => send('place', { action }));
  return html`<main class="moved">
    <h1 class="visually-hidden">${l10n.t('Pi Agent')}</h1>
    ${icon('open-in-window')}
    <p>${l10n.t('The conversation is open in an editor.')}</p>
    <div class="moved-actions">
      ${mainButton(l10n.t('Open in Editor'), () => call('show'))}
      ${sideButton(l10n.t('Show Here'), () => call('bringBack'))}
    </div>
  </main>`;
}

/** In the place of a page that cannot be drawn any more; needs nothing of what drew it. */
export function showBrokenPage(reload: () => void): void {
  const page = document.createElement('main');
  page.className = 'broken-page';
  page.setAttribute('role', 'alert');
  const text = document.createElement('p');
  text.textContent = l10n.t('This cannot be shown. Pi goes on.');
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'broken-reload';
  button.textContent = l10n.t('Try Again');
  button.addEventListener('click', reload);
  page.append(text, button);
  document.body.replaceChildren(page);
  button.focus();
}
