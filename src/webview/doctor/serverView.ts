import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { showHidden, showHiddenInLine } from '../../base/text/showHidden.js';
import type {
  DoctorAction,
  DoctorFact,
  DoctorServer,
} from '../../protocol/doctor/doctorProtocol.js';
import { icon } from '../shared/icon.js';
import type { DoctorPage } from './doctorPage.js';

export function serverView(server: DoctorServer, page: DoctorPage): TemplateResult {
  const { id, name, reason, sentence, next, notes, evidence, facts, needsUser } = server;
  const title = showHiddenInLine(name);
  return html`<li class="card" data-server=${id} ?data-needs-user=${needsUser}>
    <h3>${icon(server.icon)}<span class="name">${title}</span> <span class="dim badge">${showHiddenInLine(reason)}</span></h3>
    <p>${showHidden(sentence)}</p>
    ${next === undefined ? nothing : html`<p class="next">${icon('lightbulb')}<span>${showHidden(next)}</span></p>`}
    ${
      notes.length === 0
        ? nothing
        : html`<ul class="notes">
            ${notes.map((note) => html`<li>${icon('info')}<span>${showHidden(note)}</span></li>`)}
          </ul>`
    }
    <div class="actions" role="group" aria-label=${title}>
      ${server.actions.map(
        (action, index) => html`<vscode-button
          appearance=${index === 0 && needsUser && action !== 'openFile' ? 'primary' : 'secondary'}
          @click=${() => page.act(id, action)}
          >${actionLabel(action)}</vscode-button
        >`,
      )}
    </div>
    <details ?open=${needsUser}>
      <summary>${l10n.t('Details')}</summary>
      ${factList(facts)}
      ${
        evidence.length === 0
          ? nothing
          : html`<pre tabindex="0">${showHidden(evidence.join('\n'))}</pre>`
      }
    </details>
  </li>`;
}

export function factList(facts: readonly DoctorFact[]): TemplateResult {
  return html`<dl>
    ${facts.map(
      ({ label, text }) => html`<div>
        <dt>${showHiddenInLine(label)}</dt>
        <dd>${showHidden(text)}</dd>
      </div>`,
    )}
  </dl>`;
}

function actionLabel(action: DoctorAction): string {
  switch (action) {
    case 'enable':
      return l10n.t('Enable');
    case 'openFile':
      return l10n.t('Open Entry');
    case 'restart':
      return l10n.t('Restart');
    case 'review':
      return l10n.t('Review');
    case 'showLog':
      return l10n.t('Show Log');
    case 'signIn':
      return l10n.t('Sign In');
    case 'test':
      return l10n.t('Probe');
    case 'workspaceTrust':
      return l10n.t('Manage Workspace Trust');
  }
}
