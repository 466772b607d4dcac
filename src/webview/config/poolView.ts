import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { repeat } from 'lit-html/directives/repeat.js';
import { counted } from '../../base/text/counted.js';
import type { ConfigPoolView } from '../../protocol/configProtocol.js';
import { icon } from '../shared/icon.js';
import { isChecked } from '../shared/inputs.js';
import type { ConfigPage } from './configPage.js';
import { serverRow } from './serverRow.js';

export function poolView(
  pool: ConfigPoolView,
  isWorkspaceTrusted: boolean,
  page: ConfigPage,
): TemplateResult {
  return html`<section class="pool" aria-labelledby=${`pool-${pool.id}`}>
    <header class="pool-head">
      <div class="pool-title">
        ${icon(pool.isGlobal ? 'globe' : 'root-folder')}
        <h2 id=${`pool-${pool.id}`} tabindex="-1">${pool.label}</h2>
      </div>
      <vscode-button
        appearance="secondary"
        @click=${() => openForm(pool, false, page)}
        aria-label=${l10n.t('Add Server to {0}', pool.label)}
      >${l10n.t('Add Server')}</vscode-button>
    </header>
    ${fileLine(pool, page)} ${masterSwitch(pool, page)}
    ${pool.fileProblems.map((problem) => fileProblem(pool, problem, page))}
    ${trustBanner(pool, isWorkspaceTrusted, page)} ${useLine(pool, page)}
    ${
      pool.servers.length === 0
        ? emptyPool(pool)
        : html`<ul class="servers">
            ${repeat(
              pool.servers,
              ({ id }) => id,
              (server) => serverRow(server, page),
            )}
          </ul>`
    }
  </section>`;
}

function openForm({ id: poolId }: ConfigPoolView, isSettings: boolean, page: ConfigPage) {
  void page.run((send) => send('openForm', { poolId, isSettings }));
}

function fileLine(pool: ConfigPoolView, page: ConfigPage): TemplateResult {
  const label = pool.hasFile ? l10n.t('Open File') : l10n.t('Create File');
  return html`<p class="file-line">
    <code>${pool.file}</code>
    <vscode-button
      appearance="secondary"
      @click=${() => page.run((send) => send('openFile', { poolId: pool.id }))}
      aria-label=${`${label}: ${pool.file}`}
    >${label}</vscode-button>
    <vscode-button
      appearance="secondary"
      @click=${() => openForm(pool, true, page)}
      aria-label=${l10n.t('Settings: {0}', pool.label)}
    >${l10n.t('Settings')}</vscode-button>
  </p>`;
}

function masterSwitch(pool: ConfigPoolView, page: ConfigPage): TemplateResult | typeof nothing {
  if (!pool.hasFile) {
    return nothing;
  }
  return html`<vscode-checkbox
    .checked=${live(!pool.isMasterDisabled)}
    @change=${(event: Event) => {
      const disabled = !isChecked(event);
      if (disabled !== pool.isMasterDisabled) {
        void page.run((send) => send('setMasterDisabled', { poolId: pool.id, disabled }));
      }
    }}
    >${l10n.t('Use the servers of this file')}</vscode-checkbox
  >`;
}

function fileProblem(
  pool: ConfigPoolView,
  problem: ConfigPoolView['fileProblems'][number],
  page: ConfigPage,
): TemplateResult {
  const { path, message, remedy, isError } = problem;
  return html`<div class=${isError ? 'banner error' : 'banner warning'}>
    ${icon(isError ? 'error' : 'warning')}
    <div>
      <p><strong>${message}</strong></p>
      <p>${remedy}</p>
      <p class="dim"><code>${path}</code></p>
    </div>
    <vscode-button
      appearance="secondary"
      @click=${() => page.run((send) => send('openFile', { poolId: pool.id, path }))}
      >${l10n.t('Open File')}</vscode-button
    >
  </div>`;
}

function trustBanner(
  pool: ConfigPoolView,
  isWorkspaceTrusted: boolean,
  page: ConfigPage,
): TemplateResult | typeof nothing {
  if (!pool.trust) {
    return nothing;
  }
  if (!isWorkspaceTrusted) {
    return restrictedBanner(page);
  }
  const { kind, pendingCount } = pool.trust;
  return html`${pendingCount > 0 ? consentBanner(pool, pendingCount, page) : nothing}
  ${kind === 'none' ? nothing : trustedLine(pool, kind, page)}`;
}

function restrictedBanner(page: ConfigPage): TemplateResult {
  return html`<div class="banner warning">
    ${icon('workspace-untrusted')}
    <div>
      <p><strong>${l10n.t('Restricted Mode')}</strong></p>
      <p>${l10n.t('No server of this folder starts until you trust the workspace.')}</p>
    </div>
    <vscode-button @click=${() => page.run((send) => send('manageWorkspaceTrust', undefined))}
      >${l10n.t('Manage Workspace Trust')}</vscode-button
    >
  </div>`;
}

function consentBanner(pool: ConfigPoolView, count: number, page: ConfigPage): TemplateResult {
  return html`<div class="banner warning">
    ${icon('shield')}
    <div>
      <p>
        <strong
          >${counted(l10n.t('1 server needs trust|{0} servers need trust'), count)}</strong
        >
      </p>
      <p>${l10n.t('Servers of this folder would run commands on your machine. Review them first.')}</p>
    </div>
    <vscode-button @click=${() => page.run((send) => send('trustFolder', { poolId: pool.id }))}
      >${l10n.t('Review')}</vscode-button
    >
  </div>`;
}

function trustedLine(
  pool: ConfigPoolView,
  kind: 'folder' | 'servers',
  page: ConfigPage,
): TemplateResult {
  return html`<p class="trust-line dim">
    ${icon('workspace-trusted')}
    <span
      >${
        kind === 'folder'
          ? l10n.t('You trust the configuration of this folder.')
          : l10n.t('You trust some servers of this folder.')
      }</span
    >
    <vscode-button
      appearance="secondary"
      @click=${() => page.run((send) => send('revokeTrust', { poolId: pool.id }))}
      aria-label=${l10n.t('Revoke… {0}', pool.label)}
      >${l10n.t('Revoke…')}</vscode-button
    >
  </p>`;
}

/** Who else uses the servers of a folder, and what of them the agent sees. */
function useLine(
  { id: poolId, label, use }: ConfigPoolView,
  page: ConfigPage,
): TemplateResult | typeof nothing {
  if (!use) {
    return nothing;
  }
  const { isLent, profile } = use;
  const action = isLent ? l10n.t('Stop Gateway') : l10n.t('Start Gateway');
  return html`<p class="use-line dim">
    <span>${isLent ? l10n.t('Gateway on') : l10n.t('Gateway off')}</span>
    <vscode-button
      appearance="secondary"
      @click=${() => page.run((send) => send('setLent', { poolId, isLent: !isLent }))}
      aria-label=${`${action}: ${label}`}
      >${action}</vscode-button
    >
    <span>${profile === '' ? l10n.t('No profile') : profile}</span>
    <vscode-button
      appearance="secondary"
      @click=${() => page.run((send) => send('selectProfile', { poolId }))}
      aria-label=${`${l10n.t('Select Profile…')}: ${label}`}
      >${l10n.t('Select Profile…')}</vscode-button
    >
  </p>`;
}

function emptyPool(pool: ConfigPoolView): TemplateResult {
  return html`<p class="empty">
    ${
      pool.isGlobal
        ? l10n.t('No User servers yet. Add one to use it in every workspace.')
        : l10n.t(
            'No servers in this folder. Add one to share it with everyone who works on the project.',
          )
    }
  </p>`;
}
