import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { withRemedy } from '../../base/errors.js';
import type { RunOutcome, RunResultBlock } from '../../protocol/tools/runTool.js';
import { linkButton } from '../shared/buttons.js';
import { resultDiagrams } from '../shared/diagrams/resultDiagrams.js';
import { icon } from '../shared/icon.js';
import { countText } from '../shared/numbers.js';
import { structuredCard } from '../shared/structuredCard.js';
import type { RunToolPage } from './runToolPage.js';

export function endText(outcome: RunOutcome): string {
  const { ms } = outcome;
  return outcome.end === 'done'
    ? l10n.t('Completed in {0} ms', countText(ms))
    : `${endWords[outcome.end]()}, ${l10n.t('{0} ms', countText(ms))}`;
}

export const endWords: Readonly<Record<RunOutcome['end'], () => string>> = {
  done: () => l10n.t('Done'),
  failed: () => l10n.t('Failed'),
  error: () => l10n.t('No answer'),
  cancelled: () => l10n.t('Stopped'),
};

const icons = {
  done: 'pass-filled',
  failed: 'error',
  error: 'error',
  cancelled: 'circle-slash',
} as const;

export function endIcon(end: RunOutcome['end']): TemplateResult {
  return icon(icons[end], `end-${end}`);
}

export function outcomeView(page: RunToolPage): TemplateResult | typeof nothing {
  const { lastRun, view } = page;
  if (lastRun.kind !== 'answered' || !view) {
    return nothing;
  }
  const { outcome } = lastRun;
  const { structured, mismatch, message, remedy, tokens, blocks, end } = outcome;
  const hasResult = end === 'done' || end === 'failed';
  return html`<section id="result" aria-labelledby="result-title" data-end=${end}>
    <h3 id="result-title">${l10n.t('Result')}</h3>
    <p class="end-line">
      ${endIcon(end)}<span>${endText(outcome)}</span>
      ${
        tokens === undefined
          ? nothing
          : html`<span class="dim">${l10n.t('about {0} tokens', countText(tokens))}</span>`
      }
    </p>
    ${message ? html`<div class="banner error">${icon('error')}<p>${withRemedy(message, remedy)}</p></div>` : nothing}
    ${mismatch ? html`<p class="warning-line">${icon('warning')}<span>${mismatch}</span></p>` : nothing}
    ${structured ? structuredCard(structured, view.name) : nothing}
    ${blocks.map((block, index) => blockView(block, index, page))}
    ${hasResult && blocks.length === 0 && !structured ? html`<p class="dim">${l10n.t('The result is empty.')}</p>` : nothing}
    ${hasResult ? resultActions(page) : nothing}
  </section>`;
}

function resultActions(page: RunToolPage): TemplateResult {
  return html`<div class="actions">
    ${linkButton(l10n.t('Open Whole Result'), () => page.openResult(), { glyph: 'go-to-file' })}
    ${linkButton(l10n.t('Copy as JSON'), () => page.copyResult(), { glyph: 'copy' })}
  </div>`;
}

/** Everything in it is text of the server. */
function blockView(block: RunResultBlock, index: number, page: RunToolPage): TemplateResult {
  const name = l10n.t('Part {0} of the result', index + 1);
  switch (block.kind) {
    case 'text':
      return textView(block, name);
    case 'image':
      return html`<img class="result-image" src=${block.source} alt=${name} />`;
    case 'link':
      return html`<p class="resource-line">
        ${linkButton(block.name, () => page.openResource(block.uri), { glyph: 'link' })}
        <code class="dim">${block.uri}</code>
      </p>`;
    case 'resource':
      return html`<div class="resource">
        <p class="resource-line">${icon('file')}<code>${block.uri}</code></p>
        ${textView(block, name)}
      </div>`;
    case 'file':
      return html`<p class="resource-line">
        ${linkButton(
          l10n.t('Open File of Type {0}', block.mimeType),
          () => page.openResult(block.file),
          { glyph: 'file-binary' },
        )}
        <span class="dim">${l10n.t('about {0} bytes', countText(block.size))}</span>
      </p>`;
  }
}

function textView(
  { text, omitted }: { readonly text: string; readonly omitted?: string },
  name: string,
): TemplateResult {
  return html`<pre tabindex="0" role="group" aria-label=${name}>${text}</pre>
    ${omitted ? html`<p class="dim">${omitted}</p>` : nothing} ${resultDiagrams([text])}`;
}
