import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { counted } from '../../base/text/counted.js';
import type { ConfigPoolView } from '../../protocol/configProtocol.js';
import { checkBox, mainButton, sideButton } from '../shared/buttons.js';
import { icon } from '../shared/icon.js';
import { repeatById } from '../shared/repeatById.js';
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
      ${sideButton(l10n.t('Add Server'), () => openForm(pool, false, page), {
        label: `${l10n.t('Add Server')}: ${pool.label}`,
      })}
    </header>
    ${fileLine(pool, page)} ${masterSwitch(pool, page)}
    ${pool.fileProblems.map((problem) => fileProblem(pool, problem, page))}
    ${trustBanner(pool, isWorkspaceTrusted, page)} ${useLine(pool, page)}
    ${
      pool.servers.length === 0
        ? html`<p class="empty">${l10n.t('No MCP server is configured.')}</p>`
        : html`<ul class="servers">
            ${repeatById(pool.servers, (server) => serverRow(server, page))}
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
    ${sideButton(label, () => page.run((send) => send('openFile', { poolId: pool.id })), {
      label: `${label}: ${pool.file}`,
    })}
    ${sideButton(l10n.t('Settings'), () => openForm(pool, true, page), {
      label: l10n.t('{0}: {1}', l10n.t('Settings'), pool.label),
    })}
  </p>`;
}

function masterSwitch(pool: ConfigPoolView, page: ConfigPage): TemplateResult | typeof nothing {
  if (!pool.hasFile) {
    return nothing;
  }
  return checkBox(l10n.t('Use the servers of this file'), !pool.isMasterDisabled, (isOn) =>
    page.run((send) => send('setMasterDisabled', { poolId: pool.id, disabled: !isOn })),
  );
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
    ${sideButton(l10n.t('Open File'), () =>
      page.run((send) => send('openFile', { poolId: pool.id, path })),
    )}
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
    <p>${l10n.t('Restricted Mode: nothing in this workspace is started.')}</p>
    ${mainButton(l10n.t('Manage Workspace Trust'), () =>
      page.run((send) => send('manageWorkspaceTrust', undefined)),
    )}
  </div>`;
}

function consentBanner(pool: ConfigPoolView, count: number, page: ConfigPage): TemplateResult {
  return html`<div class="banner warning">
    ${icon('shield')}
    <p>${counted(
      l10n.t('1 MCP server waits for your review.|{0} MCP servers wait for your review.'),
      count,
    )}</p>
    ${mainButton(l10n.t('Review'), () => page.run((send) => send('trustFolder', { poolId: pool.id })))}
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
    ${sideButton(
      l10n.t('Revoke…'),
      () => page.run((send) => send('revokeTrust', { poolId: pool.id })),
      { label: `${l10n.t('Revoke…')}: ${pool.label}` },
    )}
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
    ${sideButton(action, () => page.run((send) => send('setLent', { poolId, isLent: !isLent })), {
      label: `${action}: ${label}`,
    })}
    <span>${profile === '' ? l10n.t('no profile') : profile}</span>
    ${sideButton(
      l10n.t('Select Profile…'),
      () => page.run((send) => send('selectProfile', { poolId })),
      { label: `${l10n.t('Select Profile…')}: ${label}` },
    )}
  </p>`;
}
