/** A request that is sent again: one line that counts down; the line above the input has what can be done. */
import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit-html';
import type { TranscriptEntry } from '../../../protocol/agentProtocol.js';
import { icon } from '../../shared/icon.js';

type Retry = Extract<TranscriptEntry, { kind: 'retry' }>;

/** Milliseconds. */
const tickMs = 1_000;

export function retryView(entry: Retry): TemplateResult {
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
    </div>
  </div>`;
}

/** What is read out, once: how long it takes at first, and that it can be cut short. */
export function retryText({ text, attempt, of, until }: Retry): string {
  const wait = until === undefined ? l10n.t('trying again') : waitText(until);
  return `${text}, ${wait}, ${l10n.t('try {0} of {1}', attempt, of)}`;
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
