import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type {
  InspectorConnection,
  InspectorDifference,
} from '../../protocol/inspector/inspectorProtocol.js';
import { icon } from '../shared/icon.js';
import { coloured } from './detailsView.js';
import type { InspectorPageState } from './pageState.js';

export function connectionsView({ view }: InspectorPageState): TemplateResult {
  const connections = view?.connections ?? [];
  return html`<div class="connections">
    ${
      connections.length === 0
        ? html`<p class="empty dim">${l10n.t('Nothing is recorded.')}</p>`
        : connections.map((connection, index) => connectionView(connection, index === 0))
    }
  </div>`;
}

function connectionView(connection: InspectorConnection, isNewest: boolean): TemplateResult {
  const { gen, facts, client, server, instructions, differences } = connection;
  return html`<details class="connection" ?open=${isNewest}>
    <summary><h2>${l10n.t('Connection {0}', gen)}</h2></summary>
    <dl class="facts">
      ${facts.map(({ label, text }) => html`<dt>${label}</dt><dd>${text}</dd>`)}
    </dl>
    ${differencesView(differences)}
    ${instructions === undefined ? nothing : block(l10n.t('Instructions'), instructions, false)}
    ${server === undefined ? nothing : block(l10n.t('Server'), server, true)}
    ${client === undefined ? nothing : block('Pi MCP', client, true)}
  </details>`;
}

function block(title: string, text: string, isJson: boolean): TemplateResult {
  return html`<h3>${title}</h3>
    <pre tabindex="0" aria-label=${title}>${isJson ? coloured(text) : text}</pre>`;
}

const differenceIcons = { added: 'diff-added', removed: 'diff-removed', changed: 'diff-modified' };

function differencesView(
  differences: readonly InspectorDifference[] = [],
): TemplateResult | typeof nothing {
  if (differences.length === 0) {
    return nothing;
  }
  return html`<h3>${l10n.t('Different from the connection before')}</h3>
    <ul class="differences">
      ${differences.map(
        ({ kind, path, before, after }) => html`<li data-difference=${kind}>
          ${icon(differenceIcons[kind])} <span>${differenceWords[kind]()}: <code>${path}</code></span>
          ${before === undefined ? nothing : html`<del>${before}</del>`}
          ${after === undefined ? nothing : html`<ins>${after}</ins>`}
        </li>`,
      )}
    </ul>`;
}

const differenceWords: Readonly<Record<InspectorDifference['kind'], () => string>> = {
  added: () => l10n.t('Added'),
  removed: () => l10n.t('Removed'),
  changed: () => l10n.t('Changed'),
};
