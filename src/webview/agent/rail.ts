/** What there is to know about the conversation, beside it where there is room; elsewhere each has its place around it. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { foldButton } from '../shared/buttons.js';
import { isWideTab } from '../shared/wideTab.js';
import type { AgentPage } from './agentPage.js';
import { changeBar } from './changes/changeBar.js';
import { queueList } from './composer/queueList.js';
import { contextBreakdown } from './context/contextBreakdown.js';
import { contextButton } from './context/contextButton.js';
import { contextPanelId } from './context/contextReader.js';
import type { AgentPageState } from './pageState.js';
import { toolCountView } from './tools/toolCountView.js';

interface RailSection {
  readonly id: 'changes' | 'queue' | 'context' | 'tools';
  readonly title: string;
  /** Where there is nothing, the section is not there either. */
  readonly body: TemplateResult | typeof nothing;
}

export function rail(model: AgentPageState, page: AgentPage): TemplateResult | typeof nothing {
  if (!isWideTab() || !model.state) {
    return nothing;
  }
  return html`<aside class="rail" aria-label=${l10n.t('Details')}>
    ${sectionsOf(model, page)
      .filter(({ body }) => body !== nothing)
      .map((section) => sectionView(section, model, page))}
  </aside>`;
}

function sectionsOf(model: AgentPageState, page: AgentPage): readonly RailSection[] {
  const { state } = model;
  const queued = state?.queue.messages.length ?? 0;
  return [
    {
      id: 'changes',
      title: l10n.t('Changes'),
      body: changeBar(model, page),
    },
    {
      id: 'queue',
      title: l10n.t('Queue ({0})', queued),
      body: queueList(model, page),
    },
    {
      id: 'context',
      title: l10n.t('Context'),
      body: state?.usage ? contextView(model, page) : nothing,
    },
    {
      id: 'tools',
      title: l10n.t('Tools'),
      body: state ? toolCountView(state, page) : nothing,
    },
  ];
}

function contextView(model: AgentPageState, page: AgentPage): TemplateResult {
  return html`${contextButton(model, page)}
    ${
      model.context
        ? html`<div id=${contextPanelId} role="group" tabindex="-1" aria-label=${l10n.t('Context')}>
            ${contextBreakdown(model, page)}
          </div>`
        : nothing
    }`;
}

function sectionView(
  { id, title, body }: RailSection,
  { expanded }: AgentPageState,
  page: AgentPage,
): TemplateResult {
  // they are open until the user folds them
  const part = `rail-folded/${id}`;
  const isOpen = !expanded.has(part);
  return html`<div class="rail-section">
    <h2>
      ${foldButton(title, isOpen, () => page.toggle(part), { className: 'rail-title' })}
    </h2>
    ${isOpen ? html`<div class="rail-body">${body}</div>` : nothing}
  </div>`;
}
