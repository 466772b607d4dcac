import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { withRemedy } from '../../base/errors.js';
import type { TranscriptEntry } from '../../protocol/agentProtocol.js';
import type { QueuePause } from '../../protocol/sending.js';
import { CardAttention } from '../questions/cardAttention.js';
import type { Announcer } from '../shared/announcer.js';
import { sideButton } from '../shared/buttons.js';
import { errorBanner } from '../shared/icon.js';
import { InputFocus } from '../shared/inputs.js';
import { isWideTab, onDidChangeWidth } from '../shared/wideTab.js';
import type { AgentPage } from './agentPage.js';
import { AsideCard } from './asideCard.js';
import { ApprovalAttention } from './calls/approvalAttention.js';
import { approvalCards } from './calls/approvalCards.js';
import { BannerAttention, openQuestions } from './calls/openQuestions.js';
import { todoList } from './calls/todoList.js';
import { toolLabel } from './calls/toolCard.js';
import { changeBar } from './changes/changeBar.js';
import { RestoreAttention, restoreCard } from './changes/restoreCard.js';
import { commandAnswer } from './composer/commandAnswer.js';
import { commandModeText } from './composer/commandMode.js';
import { composer, fitComposer } from './composer/composer.js';
import { keepQueueFocus, queueList } from './composer/queueList.js';
import { closeContextOnClick, contextPanel } from './context/contextPanel.js';
import { findBar, foundCountText } from './find/findBar.js';
import { header, heading } from './header.js';
import { onDidChangeNetwork } from './offline.js';
import { movedPage, showBrokenPage } from './otherPages.js';
import type { AgentPageState } from './pageState.js';
import { rail } from './rail.js';
import { statusLine } from './statusLine.js';
import { ToolAttention } from './tools/toolAttention.js';
import { toolPicker } from './tools/toolPickerView.js';
import { compactionText } from './transcript/compactionView.js';
import { noAnswerView, problemView } from './transcript/problemView.js';
import { retryText } from './transcript/retryView.js';
import { TranscriptScroll } from './transcript/transcriptScroll.js';
import { clickTranscript, jumpButton, transcriptView } from './transcript/transcriptView.js';

/** Draws the page, and moves the focus to questions politely. */
export class AgentView {
  private readonly root = document.getElementById('root') ?? document.body;
  private finishedTexts: ReadonlySet</* see {@link spokenKey} */ string> | undefined;
  private inReview: ReadonlySet</* entry id */ string> = new Set();
  private inBackground: ReadonlySet</* entry id */ string> = new Set();
  /** What was said last of each, so that it is said once. */
  private readonly said: Record<'command' | 'find' | 'mode', string> = {
    command: '',
    find: '',
    mode: '',
  };
  private snapshots = 0;
  private isBroken = false;
  private queued: { readonly count: number; readonly pause: QueuePause | undefined } | undefined;
  private readonly scroll: TranscriptScroll;
  private readonly restoreAttention: RestoreAttention;
  private readonly approvalAttention: ApprovalAttention;
  private readonly toolAttention: ToolAttention;
  private readonly aside: AsideCard;
  private readonly inputFocus = new InputFocus('#composer-text');
  private readonly bannerAttention: BannerAttention;
  private readonly cardAttention: CardAttention;

  constructor(
    private readonly page: AgentPage,
    private readonly announcer: Announcer,
  ) {
    this.scroll = new TranscriptScroll(this.root, page);
    this.aside = new AsideCard(page, announcer);
    this.restoreAttention = new RestoreAttention(this.root, announcer);
    onDidChangeWidth(() => this.update(page.state));
    onDidChangeNetwork(() => this.update(page.state));
    this.approvalAttention = new ApprovalAttention(this.root, page, announcer);
    this.toolAttention = new ToolAttention(this.root, announcer);
    this.bannerAttention = new BannerAttention(announcer);
    this.cardAttention = new CardAttention(announcer, () => this.update(page.state));
    closeContextOnClick(page);
  }

  /** Never throws: what cannot be drawn leaves a way to another page. */
  update(state: AgentPageState): void {
    if (this.isBroken) {
      return;
    }
    try {
      this.draw(state);
    } catch (error) {
      this.isBroken = true;
      this.page.reportFailure(error);
      showBrokenPage(() => this.page.reload());
    }
  }

  private draw(state: AgentPageState): void {
    const afterDrawing = this.scroll.beforeDrawing(state);
    const keepFocus = keepQueueFocus(this.root);
    render(this.template(state), this.root);
    if (state.isElsewhere) {
      this.scroll.leave();
      return;
    }
    fitComposer(this.root);
    afterDrawing();
    keepFocus();
    this.inputFocus.afterDrawing();
    this.page.finding.afterDrawing(state);
    this.announceQueue(state);
    this.announceTexts(state);
    this.announceCalls(state);
    this.announceCommand(state);
    this.sayOnce('find', state.find && foundCountText(state.find));
    // that the draft is run, not sent, is known before it is
    this.sayOnce('mode', commandModeText(state));
    this.approvalAttention.attend(state);
    this.bannerAttention.attend(state);
    this.cardAttention.attend(state.inputs);
    this.restoreAttention.attend(state);
    this.toolAttention.attend(state);
    this.aside.attend(state);
  }

  /** Answers are read out once they are finished, a stream of fragments could not be followed; notices at once. */
  private announceTexts({ state, transcript, snapshots }: AgentPageState): void {
    if (!state) {
      return;
    }
    const isNews = snapshots === this.snapshots;
    this.snapshots = snapshots;
    const finished = transcript.filter(isSpoken);
    const before = this.finishedTexts;
    this.finishedTexts = new Set(finished.map(spokenKey));
    const fresh = before && isNews ? finished.filter((entry) => !before.has(spokenKey(entry))) : [];
    const texts = fresh.map(spokenText);
    if (texts.length > 0) {
      this.announcer.say(texts.join('\n'));
    }
  }

  private announceQueue({ state }: AgentPageState): void {
    const { messages, pause } = state?.queue ?? { messages: [] };
    const before = this.queued;
    this.queued = { count: messages.length, pause };
    if (pause && pause !== before?.pause) {
      this.announcer.say(`${l10n.t('Queue ({0})', messages.length)}: ${l10n.t('Paused')}`);
    } else if (before && messages.length > before.count) {
      this.announcer.say(l10n.t('Queue ({0})', messages.length));
    }
  }

  /** Tasks end at any time, far from where the user reads; a call that waits for a review would wait for ever. */
  private announceCalls({ transcript }: AgentPageState): void {
    const calls = transcript.filter((entry) => entry.kind === 'tool');
    const reviewed = this.inReview;
    this.inReview = new Set(calls.filter((call) => call.awaitsReview).map(({ id }) => id));
    for (const call of calls) {
      if (this.inReview.has(call.id) && !reviewed.has(call.id)) {
        this.announcer.say(toolLabel(call));
      }
    }
    const before = this.inBackground;
    this.inBackground = new Set(
      calls
        .filter(({ status, byUser }) => status === 'background' || (byUser && status === 'running'))
        .map(({ id }) => id),
    );
    for (const call of calls) {
      if (before.has(call.id) && !this.inBackground.has(call.id)) {
        this.announcer.say(toolLabel(call));
      }
    }
  }

  /** What a command said is read once; its rows are there to be gone through. */
  private announceCommand({ answer, refusal }: AgentPageState): void {
    const rows = answer?.rows.map(({ name, text }) => `${name}: ${text}`) ?? [];
    const more = [...rows.slice(0, 3), ...(refusal?.near ?? [])];
    this.sayOnce('command', refusal?.text ?? answer?.title, more);
  }

  private sayOnce(about: keyof typeof this.said, text = '', more: readonly string[] = []): void {
    if (text !== '' && text !== this.said[about]) {
      this.announcer.say([text, ...more].join('\n'));
    }
    this.said[about] = text;
  }

  private template(model: AgentPageState): TemplateResult {
    const { page, announcer } = this;
    const { state } = model;
    if (!state) {
      return html`<main class="conversation"><div class="column">
        ${heading({})} ${model.failure ? noAnswerView(model.failure, page) : loadingView()}
      </div></main>`;
    }
    if (model.isElsewhere) {
      return movedPage(page);
    }
    const isRailed = isWideTab();
    const dismiss = sideButton(l10n.t('Dismiss'), () => page.change({ failure: undefined }));
    return html`<main class="conversation"><div class="column">
      ${heading(state)}
      ${header(state, page)} ${findBar(model, page)}
      <div class="transcript-frame">
        <div
          id="transcript"
          role="log"
          aria-live="off"
          aria-label=${l10n.t('Conversation')}
          tabindex="0"
          @click=${(event: Event) => clickTranscript(event, page, announcer)}
        >
          <div>
            ${transcriptView(model, page)}
            ${state.status === 'loading' ? loadingView() : nothing} ${problemView(model, page)}
          </div>
        </div>
        ${jumpButton(model.following, () => this.scroll.jumpToEnd())} ${toolPicker(model, page)}
      </div>
      ${isRailed ? nothing : changeBar(model, page)} ${restoreCard(model, page)} ${approvalCards(model, page)} ${openQuestions(model, page, this.cardAttention)}
      ${errorBanner(model.failure, dismiss)}
      ${todoList(model, page)} ${isRailed ? nothing : queueList(model, page)} ${this.aside.template(model)} ${commandAnswer(model, page)} ${isRailed ? nothing : contextPanel(model, page)} ${statusLine(model, page, announcer)} ${composer(model, page)}
      </div>${rail(model, page)}</main>`;
  }
}

/** Whether the entry is read out, and complete. */
function isSpoken(entry: TranscriptEntry): boolean {
  return (
    entry.kind === 'notice' ||
    entry.kind === 'compacting' ||
    entry.kind === 'compaction' ||
    entry.kind === 'retry' ||
    (entry.kind === 'assistant' && !entry.isStreaming && entry.text.trim() !== '')
  );
}

/** A summary is told of twice, when it begins and when it is there; a request that is sent again but once. */
function spokenKey({ id, kind }: TranscriptEntry): string {
  return kind === 'compaction' ? `${id}/${kind}` : id;
}

function spokenText(entry: TranscriptEntry): string {
  switch (entry.kind) {
    case 'assistant':
      return l10n.t('Pi: {0}', entry.text);
    case 'notice':
      return withRemedy(entry.text, entry.remedy);
    case 'compacting':
      return entry.text;
    case 'compaction':
      return compactionText(entry);
    case 'retry':
      return retryText(entry);
    default:
      return '';
  }
}

function loadingView(): TemplateResult {
  return html`<p class="loading" role="status">
      <vscode-progress-ring></vscode-progress-ring>${l10n.t('Loading…')}
    </p>
    <p class="loading-slow dim">
      ${l10n.t('This takes longer than usual. What you write meanwhile is kept.')}
    </p>`;
}
