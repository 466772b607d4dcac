import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { nameToken } from '../../base/text/nameToken.js';
import type { StructuredView } from '../../protocol/callWords.js';
import { icon } from './icon.js';

/** The data of a result as a table, a list of fields or JSON. Everything in it is text of the server. */
export function structuredCard(
  { shape, omitted, mismatch }: StructuredView,
  tool: string,
): TemplateResult {
  return html`<div class="data">
    ${
      mismatch
        ? html`<p class="data-mismatch">${icon('warning', 'data-warning')}<span>${mismatch}</span></p>`
        : nothing
    }
    <div class="data-scroll" tabindex="0" role="group" aria-label=${l10n.t('Data of {0}', nameToken(tool))}>
      ${shapeView(shape, tool)}
    </div>
    ${omitted ? html`<p class="dim">${omitted}</p>` : nothing}
  </div>`;
}

function shapeView(shape: StructuredView['shape'], tool: string): TemplateResult {
  const caption = html`<caption class="visually-hidden">${l10n.t('Data of {0}', nameToken(tool))}</caption>`;
  switch (shape.kind) {
    case 'table':
      return html`<table>
        ${caption}
        <thead><tr>${shape.columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
        <tbody>
          ${shape.rows.map((row) => html`<tr>${row.map((text) => html`<td>${text}</td>`)}</tr>`)}
        </tbody>
      </table>`;
    case 'pairs':
      return html`<table class="data-pairs">
        ${caption}
        <tbody>
          ${shape.pairs.map(
            ({ key, value }) => html`<tr><th scope="row">${key}</th><td>${value}</td></tr>`,
          )}
        </tbody>
      </table>`;
    case 'json':
      return html`<pre>${shape.text}</pre>`;
  }
}
