/** What calls, thoughts and runs took, in words. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { counted } from '../../../base/text/counted.js';
import type { CallCost, RunView } from '../../../protocol/callWords.js';
import { clockText, costText, countText, shortCount } from '../../shared/numbers.js';

/** Such as *0.4 s*, *41 s*, *3:05*. */
export function durationText(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 10) {
    const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
    return l10n.t('{0} s', countText(Math.max(0.1, seconds), digits));
  }
  const whole = Math.round(seconds);
  return whole < 60 ? l10n.t('{0} s', whole) : clockText(ms);
}

export function spentView(spent: CallCost | undefined): TemplateResult | typeof nothing {
  if (!spent) {
    return nothing;
  }
  const tokens = l10n.t('{0} tokens', countText(spent.tokens));
  const time = durationText(spent.ms);
  return html`<span class="spent" title=${`${time} · ${tokens}`}
    ><span>${time}</span>${spent.tokens > 0 ? html`<span class="spent-tokens"> · ${tokens}</span>` : nothing}</span
  >`;
}

/** Such as *3 files · 2 commands · 18 s work, 27 s waiting for you · 31k in, 2.1k out · $0.12*. */
export function runText(run: RunView): string {
  const { files, commands, calls, cost } = run;
  return [
    files > 0 && counted(l10n.t('1 file|{0} files'), files),
    commands > 0 && counted(l10n.t('1 command|{0} commands'), commands),
    calls > 0 && counted(l10n.t('1 MCP call|{0} MCP calls'), calls),
    timeText(run),
    tokensText(run),
    cost !== undefined && costText(cost),
  ]
    .filter((part) => part !== false && part !== '')
    .join(' · ');
}

/** The user's own time is no work of Pi. */
function timeText({ ms, waitedMs = 0 }: RunView): string {
  return [
    ...(ms === undefined ? [] : [durationText(ms)]),
    ...(waitedMs < 1_000 ? [] : [l10n.t('{0} waiting for you', durationText(waitedMs))]),
  ].join(', ');
}

function tokensText({ sent = 0, received = 0 }: RunView): string {
  return sent + received === 0
    ? ''
    : l10n.t('{0} in, {1} out', shortCount(sent), shortCount(received));
}
