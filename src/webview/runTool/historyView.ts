import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { RunRecordView, RunToolView } from '../../protocol/tools/runTool.js';
import { linkButton } from '../shared/buttons.js';
import { countText } from '../shared/numbers.js';
import { repeatById } from '../shared/repeatById.js';
import { endIcon, endWords } from './outcomeView.js';
import type { RunToolPage } from './runToolPage.js';

const maxPreview = 200;

export function historyView(
  { history }: RunToolView,
  page: RunToolPage,
): TemplateResult | typeof nothing {
  if (history.length === 0) {
    return nothing;
  }
  return html`<details class="group history">
    <summary>
      <span class="group-name">${l10n.t('Earlier Runs')}</span>
      <span class="badge set-count">${countText(history.length)}</span>
    </summary>
    <ul class="group-fields">
      ${repeatById(history, (record) => recordView(record, page))}
    </ul>
    ${linkButton(l10n.t('Clear'), () => void page.forgetHistory(), { glyph: 'trash' })}
  </details>`;
}

function recordView(record: RunRecordView, page: RunToolPage): TemplateResult {
  const { args, lacksSecrets, outcome, ms, when } = record;
  return html`<li class="record">
    <p class="end-line">
      ${endIcon(outcome)}<span>${endWords[outcome]()}</span>
      <span class="dim">${when}, ${l10n.t('{0} ms', countText(ms))}</span>
    </p>
    <code class="preview">${args ? JSON.stringify(args).slice(0, maxPreview) : l10n.t('The arguments were too long to be kept.')}</code>
    ${lacksSecrets ? html`<p class="dim">${l10n.t('Secrets were not kept.')}</p>` : nothing}
    ${args ? recordActions(record, page) : nothing}
  </li>`;
}

function recordActions(record: RunRecordView, page: RunToolPage): TemplateResult {
  const { args, when, lacksSecrets } = record;
  return html`<div class="actions">
    ${linkButton(l10n.t('Fill In'), () => args && page.fill(args), {
      glyph: 'edit',
      label: `${l10n.t('Fill In')}: ${when}`,
    })}
    ${
      lacksSecrets
        ? nothing
        : linkButton(l10n.t('Run Again'), () => void page.runAgain(record), {
            glyph: 'debug-rerun',
            label: `${l10n.t('Run Again')}: ${when}`,
            isEnabled: page.lastRun.kind !== 'running',
          })
    }
  </div>`;
}
