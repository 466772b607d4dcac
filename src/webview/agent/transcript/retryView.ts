/** A request that is sent again: one line that counts down, and can be cut short. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { TranscriptEntry } from '../../../protocol/agentProtocol.js';
import { icon } from '../../shared/icon.js';
import { focusLater } from '../../shared/inputs.js';
import type { AgentPage } from '../agentPage.js';

type Retry = Extract<TranscriptEntry, { kind: 'retry' }>;

/** Milliseconds. */
const tickMs = 1_000;

export function retryView(entry: Retry, page: AgentPage): TemplateResult {
  const { id, text, detail, attempt, of, until } = entry;
  return html`<div class="entry notice info retry" data-entry=${id}>
    ${icon('sync')}
    <div>
      <p title=${detail}>
        ${text} ·
        ${
          until === undefined
            ? html`<span>${l10n.t('trying again')}</span>`
            : html`<retry-countdown .until=${until}></retry-countdown>`
        }
        · ${l10n.t('try {0} of {1}', attempt, of)}
      </p>
      ${
        until === undefined
          ? nothing
          : html`<button
              type="button"
              class="link-button link-action"
              @click=${() => tryNow(id, page)}
            >
              ${l10n.t('Try Now')}
            </button>`
      }
      <button
        type="button"
        class="link-button link-action"
        data-retry-stop
        @click=${() => page.run((send) => send('stop', undefined))}
      >
        ${l10n.t('Stop')}
      </button>
    </div>
  </div>`;
}

/** What is read out, once: how long it takes at first, and that it can be cut short. */
export function retryText({ text, attempt, of, until }: Retry): string {
  const wait = until === undefined ? l10n.t('trying again') : waitText(until);
  return `${text}, ${wait}, ${l10n.t('try {0} of {1}', attempt, of)}`;
}

function tryNow(id: string, page: AgentPage): void {
  focusLater(`[data-entry="${CSS.escape(id)}"] [data-retry-stop]`);
  void page.run((send) => send('retryNow', undefined));
}

function waitText(until: number): string {
  const seconds = Math.max(0, Math.ceil((until - Date.now()) / 1_000));
  if (seconds === 0) {
    return l10n.t('trying again');
  }
  return seconds < 120
    ? l10n.t('again in {0} s', seconds)
    : l10n.t('again in {0} min {1} s', Math.floor(seconds / 60), seconds % 60);
}

/** Counts by itself: the page is not drawn again for it. */
class RetryCountdown extends HTMLElement {
  private timer: ReturnType<typeof setInterval> | undefined;
  private end = 0;

  set until(until: number) {
    this.end = until;
    this.draw();
  }

  connectedCallback(): void {
    this.timer = setInterval(() => this.draw(), tickMs);
    this.draw();
  }

  disconnectedCallback(): void {
    clearInterval(this.timer);
  }

  private draw(): void {
    this.textContent = waitText(this.end);
  }
}

customElements.define('retry-countdown', RetryCountdown);
