/** What Pi is at, in one line above the input, from the moment that a message is sent. It counts by itself. */
import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { counted } from '../../base/text/counted.js';
import { nameToken } from '../../base/text/nameToken.js';
import type { ActivityView } from '../../protocol/agent/activity.js';
import type { Announcer } from '../shared/announcer.js';
import { actionLink, withKeys } from '../shared/buttons.js';
import { icon } from '../shared/icon.js';
import { focusLater } from '../shared/inputs.js';
import { clockText, shortCount } from '../shared/numbers.js';
import type { AgentPage } from './agentPage.js';
import { goToQuestion } from './calls/approvalAttention.js';
import type { AgentPageState } from './pageState.js';
import { TickingElement } from './tickingElement.js';
import { retryWords } from './transcript/retryView.js';

/** Milliseconds of waiting for an answer after which it is said to be slow, and after which it may be sent again. */
const slowMs = 20_000;
const noAnswerMs = 60_000;

export function statusLine(
  model: AgentPageState,
  page: AgentPage,
  announcer: Announcer,
): TemplateResult | typeof nothing {
  const activity = activityOf(model);
  return activity
    ? html`<pi-status .parts=${{ activity, model: model.state?.model?.label ?? 'Pi', page, announcer }}></pi-status>`
    : nothing;
}

/** What the page knows before the extension does, and what a server asks. */
function activityOf({ state, sendingSince, inputs }: AgentPageState): ActivityView | undefined {
  const activity = state?.activity;
  if (!activity) {
    const begun = sendingSince ?? (state?.status === 'running' ? 0 : undefined);
    return begun === undefined ? undefined : { kind: 'sending', since: begun, begun };
  }
  const asked = inputs.questions.length + inputs.choices.length + inputs.forms.length;
  const [asking] = [...inputs.choices, ...inputs.forms, ...inputs.questions];
  return activity.kind === 'running' && asked > 0
    ? { ...activity, kind: 'form', label: asking?.server, count: asked }
    : activity;
}

interface StatusParts {
  readonly activity: ActivityView;
  /** Name of the model. */
  readonly model: string;
  readonly page: AgentPage;
  readonly announcer: Announcer;
}

class StatusLine extends TickingElement<StatusParts> {
  /** When the request began of which it was said that it is slow. */
  private told = 0;

  protected draw({ activity, model, page, announcer }: StatusParts): void {
    const now = Date.now();
    render(lineView(activity, model, now, page), this);
    const { kind, since } = activity;
    if (kind === 'waiting' && now - since >= slowMs && this.told !== since) {
      this.told = since;
      announcer.say(activityText(activity, model, now));
    }
  }
}

customElements.define('pi-status', StatusLine);

function lineView(
  activity: ActivityView,
  model: string,
  now: number,
  page: AgentPage,
): TemplateResult {
  const { kind } = activity;
  const text = activityText(activity, model, now);
  const words = html`${icon(iconOf(kind))}<span class="status-text" title=${text}>${text}</span>`;
  return html`<div class="status-line" data-activity=${kind}>
    ${
      kind === 'approval' || kind === 'form'
        ? html`<button type="button" class="link-button status-words" @click=${goToQuestion}>${words}</button>`
        : html`<span class="status-words">${words}</span>`
    }
    <span class="status-figures" aria-hidden="true">${clockOf(activity, now)}<span class="status-tokens">${tokensOf(activity)}</span></span>
    ${actions(activity, now, page)}
  </div>`;
}

function actions(
  { kind, since }: ActivityView,
  now: number,
  page: AgentPage,
): TemplateResult | typeof nothing {
  const button = (
    label: string,
    action: 'retryNow' | 'sendAgain' | 'cancelCompaction' | 'stop',
  ) => {
    const run = () => {
      // the others go away by it
      focusLater('.status-line [data-action="stop"]');
      void page.run((send) => send(action, undefined));
    };
    const title = action === 'stop' ? withKeys(label, 'Esc') : undefined;
    return actionLink(label, run, { action, title });
  };
  return html`${extra()}${kind === 'stopping' || kind === 'compacting' ? nothing : button(l10n.t('Stop'), 'stop')}`;

  function extra(): TemplateResult | typeof nothing {
    switch (kind) {
      case 'waiting':
        return now - since >= noAnswerMs ? button(l10n.t('Try Again'), 'sendAgain') : nothing;
      case 'stalled':
        return button(l10n.t('Try Again'), 'sendAgain');
      case 'retrying':
        return button(l10n.t('Try Again'), 'retryNow');
      case 'compacting':
        return button(l10n.t('Cancel'), 'cancelCompaction');
      default:
        return nothing;
    }
  }
}

function activityText(activity: ActivityView, model: string, now: number): string {
  const { kind, label = '', count = 0, of = 0, since, until = now } = activity;
  switch (kind) {
    case 'sending':
    case 'writing':
      return l10n.t('Working…');
    case 'waiting':
      return waitingText(model, now - since);
    case 'thinking':
      return label === '' ? l10n.t('Thinking…') : l10n.t('{0}: {1}', l10n.t('Thinking'), label);
    case 'preparing':
      return l10n.t('Preparing {0}…', label);
    case 'running':
      return l10n.t(
        'Running {0}…',
        count > 1 ? l10n.t('{0} and {1} more', label, count - 1) : label,
      );
    case 'approval':
      return l10n.t(
        'Needs your OK: {0}',
        count > 1 ? counted(l10n.t('1 call|{0} calls'), count) : label,
      );
    case 'review':
      return l10n.t('Needs you: {0}', label);
    case 'form':
      return l10n.t('Waits for your answer: {0}', nameToken(label));
    case 'retrying':
      return `${retryWords({ attempt: count, of, until }, now)} · ${label}`;
    case 'compacting':
      return l10n.t('Compacting…');
    case 'stalled':
      return l10n.t('No answer from {0} for {1}', model, clockText(now - since + stalledBefore));
    case 'stopping':
      return l10n.t('Stopping…');
  }
}

/** Milliseconds that nothing came before it is called stalled. */
const stalledBefore = 15_000;

function waitingText(model: string, ms: number): string {
  return ms >= noAnswerMs
    ? l10n.t('No answer from {0} for {1}', model, clockText(ms))
    : l10n.t('Asking {0}…', model);
}

function clockOf({ begun }: ActivityView, now: number): string {
  return begun === 0 ? '' : clockText(now - begun);
}

/** Such as ` · ↑31k ↓2.1k`. */
function tokensOf({ tokensIn, tokensOut }: ActivityView): string {
  const sent = tokensIn ? [`↑${shortCount(tokensIn)}`] : [];
  const received = tokensOut ? [`↓${shortCount(tokensOut)}`] : [];
  const tokens = [...sent, ...received].join(' ');
  return tokens === '' ? '' : ` · ${tokens}`;
}

function iconOf(kind: ActivityView['kind']): string {
  switch (kind) {
    case 'approval':
    case 'review':
      return 'shield';
    case 'form':
      return 'question';
    case 'stalled':
      return 'warning';
    default:
      return 'loading~spin';
  }
}
