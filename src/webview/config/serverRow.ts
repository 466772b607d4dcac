import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { nameToken } from '../../base/text/nameToken.js';
import type { ConfigServerView } from '../../protocol/configProtocol.js';
import { icon } from '../shared/icon.js';
import { isChecked } from '../shared/inputs.js';
import { picture } from '../shared/picture.js';
import type { ConfigPage } from './configPage.js';
import { outcomeBanner } from './outcomeBanner.js';
import type { Outcome } from './pageState.js';

export interface RowModel {
  readonly server: ConfigServerView;
  readonly poolId: string;
  readonly isExpanded: boolean;
  readonly isBusy: boolean;
  readonly outcome: Outcome | undefined;
}

export function serverRow(model: RowModel, page: ConfigPage): TemplateResult {
  const { server, isExpanded } = model;
  return html`<li class="server" data-state=${server.state} data-server=${server.name} data-place=${server.id}>
    <div class="server-head">
      ${icon(server.icon, 'state-icon')}
      ${picture(server.picture)}
      <div class="server-name">
        <h3 tabindex="-1">${server.name}</h3>
        <span class="state-word">${server.reason}</span>
        <span class="dim">${kindWord(server.kind)}</span>
      </div>
      ${enableSwitch(server, page)}
    </div>
    <div class="server-body">
      ${server.summary ? html`<p class="summary"><code>${server.summary}</code></p>` : nothing}
      <p class="dim source">${l10n.t('From {0}', server.source)}</p>
      ${stateDetail(server)}
      ${server.warnings.map(
        (warning) => html`<p class="warning-line">${icon('warning')}<span>${warning}</span></p>`,
      )}
      ${server.advice.map(
        (text) => html`<p class="advice-line dim">${icon('lightbulb')}<span>${text}</span></p>`,
      )}
      <div class="actions">${toolsButton(model, page)} ${actions(model, page)}</div>
      ${outcomeBanner(server.id, model.outcome, page)}
      ${isExpanded ? toolList(server) : nothing}
    </div>
  </li>`;
}

function kindWord(kind: ConfigServerView['kind']): string {
  switch (kind) {
    case 'stdio':
      return l10n.t('local, stdio');
    case 'http':
      return l10n.t('remote, HTTP');
    case 'invalid':
      return l10n.t('neither local nor remote');
  }
}

function enableSwitch(server: ConfigServerView, page: ConfigPage): TemplateResult {
  return html`<vscode-checkbox
    class="enable"
    .checked=${live(server.enabled)}
    @change=${(event: Event) => {
      const enabled = isChecked(event);
      if (enabled !== server.enabled) {
        void page.forServer(server.id, (send) => send('setEnabled', { id: server.id, enabled }));
      }
    }}
    >${l10n.t('Enabled')}<span class="visually-hidden">: ${server.name}</span></vscode-checkbox
  >`;
}

function stateDetail(server: ConfigServerView): TemplateResult | typeof nothing {
  switch (server.state) {
    case 'connected':
    case 'idle':
    case 'connecting':
      return nothing;
    case 'disabled':
    case 'trust_required':
      return html`<p class="dim">${server.sentence}</p>`;
    case 'invalid':
    case 'needs_auth':
    case 'error':
      return html`<div class="cause">
        <p>${server.sentence}</p>
        ${server.fix?.how ? html`<p class="dim">${server.fix.how}</p>` : nothing}
        ${server.nextTry ? html`<p class="dim">${server.nextTry}</p>` : nothing}
        ${evidence(server)}
      </div>`;
  }
}

function evidence({ evidence: lines, name }: ConfigServerView): TemplateResult | typeof nothing {
  return lines.length === 0
    ? nothing
    : html`<pre tabindex="0" role="group" aria-label=${l10n.t('Error output of {0}', nameToken(name))}>${lines.join('\n')}</pre>`;
}

function toolsButton(
  { server, isExpanded }: RowModel,
  page: ConfigPage,
): TemplateResult | typeof nothing {
  const count = server.tools.length;
  if (count === 0) {
    return server.state === 'connected'
      ? html`<span class="dim">${l10n.t('No tools')}</span>`
      : nothing;
  }
  return html`<button
    class="link-button"
    type="button"
    aria-expanded=${isExpanded}
    @click=${() => page.toggleExpanded(server.id)}
  >
    ${icon(isExpanded ? 'chevron-down' : 'chevron-right')}
    <span>${count === 1 ? l10n.t('1 tool') : l10n.t('{0} tools', count)}</span>
    <span class="visually-hidden">${l10n.t('of {0}', nameToken(server.name))}</span>
  </button>`;
}

function toolList(server: ConfigServerView): TemplateResult {
  return html`<ul class="tools" aria-label=${l10n.t('Tools of {0}', nameToken(server.name))}>
    ${server.tools.map(
      (tool) =>
        html`<li><code>${picture(tool.picture)}${tool.name}</code><span class="dim">${tool.description ?? ''}</span></li>`,
    )}
  </ul>`;
}

function actions({ server, poolId, isBusy }: RowModel, page: ConfigPage): TemplateResult {
  const { id } = server;
  const isRunning = server.state === 'connected' || server.state === 'connecting';
  const isTestable = server.state !== 'invalid' && server.state !== 'disabled';
  return html`
    ${isBusy ? html`<vscode-progress-ring aria-label=${l10n.t('Working')}></vscode-progress-ring>` : nothing}
    ${
      server.isSignedOut
        ? action(l10n.t('Sign In'), server, isBusy, () =>
            page.forServer(id, (send) => send('signIn', { id })),
          )
        : nothing
    }
    ${isTestable ? action(l10n.t('Probe'), server, isBusy, () => page.test(id)) : nothing}
    ${
      isTestable
        ? action(isRunning ? l10n.t('Restart') : l10n.t('Start'), server, isBusy, () =>
            page.forServer(id, (send) => send('start', { id })),
          )
        : nothing
    }
    ${
      isRunning
        ? action(l10n.t('Stop'), server, false, () => page.run(id, (send) => send('stop', { id })))
        : nothing
    }
    ${
      server.kind === 'invalid'
        ? action(l10n.t('Open File'), server, false, () =>
            page.run(id, (send) => send('openFile', { poolId, id })),
          )
        : action(l10n.t('Edit'), server, false, () => page.edit(poolId, id))
    }
    ${action(l10n.t('Show Log'), server, false, () => page.run(id, (send) => send('showLog', { id })))}
    ${action(l10n.t('Remove…'), server, isBusy, () => page.remove(poolId, id, server.name))}
  `;
}

function action(
  label: string,
  server: ConfigServerView,
  isDisabled: boolean,
  run: () => Promise<void>,
): TemplateResult {
  return html`<vscode-button
    appearance="secondary"
    ?disabled=${isDisabled}
    aria-label=${l10n.t('{0}: server {1}', label, nameToken(server.name))}
    @click=${() => void run()}
    >${label}</vscode-button
  >`;
}
