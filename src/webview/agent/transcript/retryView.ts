/** A request that is sent again: one line that counts down; the line above the input has what can be done. */
import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit-html';
import type { TranscriptEntry } from '../../../protocol/agentProtocol.js';
import { icon } from '../../shared/icon.js';
import { clockText } from '../../shared/numbers.js';
import { TickingElement } from '../tickingElement.js';

type Retry = Extract<TranscriptEntry, { kind: 'retry' }>;
type NextTry = Pick<Retry, 'attempt' | 'of' | 'until'>;

export function retryView(entry: Retry): TemplateResult {
  const { id, text, detail, attempt, of, until } = entry;
  return html`<div class="entry notice info retry" data-entry=${id}>
    ${icon('sync')}
    <div>
      <p title=${detail}>
        ${text} · <retry-countdown .parts=${{ attempt, of, until }}></retry-countdown>
      </p>
    </div>
  </div>`;
}

/** What is read out, once: how long it takes at first, and that it can be cut short. */
export function retryText(retry: Retry): string {
  return `${retry.text}, ${retryWords(retry)}`;
}

/** Which try comes, and when; of one that has begun, which it is. */
export function retryWords({ attempt, of, until }: NextTry, now = Date.now()): string {
  return until === undefined || until <= now
    ? l10n.t('Retry {0} of {1}', attempt, of)
    : l10n.t('Retry {0} of {1} in {2}', attempt, of, clockText(until - now));
}

class RetryCountdown extends TickingElement<NextTry> {
  protected draw(next: NextTry): void {
    this.textContent = retryWords(next);
  }
}

customElements.define('retry-countdown', RetryCountdown);
