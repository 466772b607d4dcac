/** How much runs without a question: the first button below the message, its menu, and the key that goes on. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { AgentViewState } from '../../../protocol/agentProtocol.js';
import { type AgentMode, nextMode } from '../../../protocol/tools/modes.js';
import { icon } from '../../shared/icon.js';
import type { AgentPage } from '../agentPage.js';
import type { AgentPageState } from '../pageState.js';

/** Of what is unfolded on the page. */
const menuPart = 'mode/menu';
const buttonId = 'mode-button';

export function modeButton(
  { state, expanded }: AgentPageState,
  page: AgentPage,
): TemplateResult | typeof nothing {
  if (!state) {
    return nothing;
  }
  if (state.isRestricted) {
    return html`<span class="mode-button" title=${l10n.t('In Restricted Mode Pi only reads.')}
      >${icon('lock')}<span class="mode-name">${l10n.t('Read Only')}</span></span
    >`;
  }
  const { mode, modes } = state;
  const current = modes.find((one) => one.mode === mode);
  if (!current) {
    return nothing;
  }
  const { name, text, icon: glyph } = current;
  const isOpen = expanded.has(menuPart);
  return html`<div class="mode-place">
    <button
      type="button"
      id=${buttonId}
      class=${`mode-button ${mode}`}
      aria-haspopup="menu"
      aria-expanded=${isOpen}
      aria-label=${l10n.t('Mode: {0}', name)}
      title=${`${text}\n${l10n.t('Ctrl+. goes on to the next mode')}`}
      @click=${() => (isOpen ? close(page) : open(page))}
    >
      ${icon(glyph)}<span class="mode-name">${name}</span>
    </button>
    ${isOpen ? menu(state, page) : nothing}
  </div>`;
}

function menu({ mode, modes }: AgentViewState, page: AgentPage): TemplateResult {
  return html`<div
    class="mode-menu"
    role="menu"
    aria-labelledby=${buttonId}
    @keydown=${(event: KeyboardEvent) => walk(event, page)}
  >
    ${modes.map(
      ({ mode: one, name, text, icon: glyph }) => html`<button
        type="button"
        role="menuitemradio"
        aria-checked=${one === mode}
        tabindex="-1"
        @click=${() => {
          close(page);
          void setMode(one, page);
        }}
      >
        ${icon(glyph)}<span class="mode-words"
          ><strong>${name}</strong><span>${text}</span></span
        >
      </button>`,
    )}
  </div>`;
}

async function setMode(mode: AgentMode, page: AgentPage): Promise<void> {
  await page.run((send) => send('setMode', { mode }));
}

function open(page: AgentPage): void {
  page.toggle(menuPart);
  rows()
    .find((row) => row.ariaChecked === 'true')
    ?.focus();
}

function close(page: AgentPage): void {
  if (page.state.expanded.has(menuPart)) {
    page.toggle(menuPart);
    document.getElementById(buttonId)?.focus();
  }
}

function rows(): readonly HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('.mode-menu [role="menuitemradio"]')];
}

function walk(event: KeyboardEvent, page: AgentPage): void {
  const all = rows();
  const at = all.indexOf(document.activeElement as HTMLElement);
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: all.length - 1,
  };
  const to = steps[event.key];
  if (to !== undefined) {
    event.preventDefault();
    all.at(to % all.length)?.focus();
  } else if (event.key === 'Escape' || event.key === 'Tab') {
    event.preventDefault();
    event.stopPropagation();
    close(page);
  }
}

/** A click anywhere else closes the menu. */
export function closeModesOnClick(page: AgentPage): void {
  document.addEventListener('pointerdown', ({ target }) => {
    const isInside = target instanceof Element && target.closest('.mode-place');
    if (!isInside && page.state.expanded.has(menuPart)) {
      page.toggle(menuPart);
    }
  });
}

/** Goes on to the next mode; never to the one in which everything runs. */
export function modeOnKey(event: KeyboardEvent, page: AgentPage): void {
  const { state } = page.state;
  const isKey = event.key === '.' && (event.ctrlKey || event.metaKey) && !event.altKey;
  if (isKey && !event.shiftKey && !event.repeat && state && !state.isRestricted) {
    event.preventDefault();
    event.stopPropagation();
    void setMode(nextMode(state.mode), page);
  }
}
