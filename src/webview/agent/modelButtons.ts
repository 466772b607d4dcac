import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { nameToken } from '../../base/text/nameToken.js';
import type { AgentViewState } from '../../protocol/agentProtocol.js';
import { icon } from '../shared/icon.js';
import type { AgentPage } from './agentPage.js';

/** Which model answers, and how much it thinks; a click lets the user choose. */
export function modelButtons(
  { model, thinking }: AgentViewState,
  page: AgentPage,
): TemplateResult | typeof nothing {
  if (!model) {
    return nothing;
  }
  const choose = (what: 'model' | 'thinking') => () => page.run((send) => send('choose', { what }));
  const modelTitle = l10n.t(
    '{0}: {1}',
    l10n.t('Model'),
    nameToken(`${model.label} (${model.provider})`),
  );
  const thinkingTitle = l10n.t('{0}: {1}', l10n.t('Thinking'), thinking?.text ?? '');
  return html`<div class="model-buttons">
    <button
      type="button"
      class="model-picker"
      aria-label=${modelTitle}
      title=${modelTitle}
      aria-haspopup="dialog"
      @click=${choose('model')}
    >
      <span class="model-name">${model.label}</span>${icon('chevron-down')}
    </button>
    ${
      thinking
        ? html`<button
            type="button"
            class="thinking-picker"
            aria-label=${thinkingTitle}
            title=${thinkingTitle}
            aria-haspopup="dialog"
            @click=${choose('thinking')}
          >
            <span>${thinking.text}</span>${icon('chevron-down')}
          </button>`
        : nothing
    }
  </div>`;
}
