import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { icon } from '../shared/icon.js';

/** Says that there is no network, before a message says so by failing. */
export function offlineBanner(): TemplateResult | typeof nothing {
  if (navigator.onLine) {
    return nothing;
  }
  return html`<p class="banner warning strip" role="status">
    ${icon('debug-disconnect')}<span
      >${l10n.t('No network: models on this machine still answer, others do once it is back.')}</span
    >
  </p>`;
}

export function onDidChangeNetwork(listener: () => void): void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
}
