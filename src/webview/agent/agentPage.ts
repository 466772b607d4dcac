/** Owns the page's state: the extension's snapshot, the draft, and what is unfolded. */
import { errorMessage } from '../../base/errors.js';
import { asMessage, readCommandLine } from '../../base/text/commandLine.js';
import type {
  AgentInputs,
  AgentSnapshot,
  AgentViewState,
  TranscriptChange,
} from '../../protocol/agentProtocol.js';
import type { DraftView } from '../../protocol/drafts.js';
import type { ApprovalDecision } from '../../protocol/tools/approvals.js';
import { type CardSender, cardSender } from '../questions/cardSender.js';
import { FormAnswers } from '../questions/formAnswers.js';
import { ChangedFilesList } from './changes/changedFilesList.js';
import { RestoreCardState } from './changes/restoreCardState.js';
import { Intake } from './composer/attachments/intake.js';
import { Pictures } from './composer/attachments/pictures.js';
import { currentCaret, placeCaret } from './composer/caret.js';
import { DraftHistory } from './composer/draftHistory.js';
import { DraftKeeper } from './composer/draftKeeper.js';
import { messageMentions, queuedMentions } from './composer/mentions/editedMentions.js';
import { Mentions } from './composer/mentions/mentions.js';
import { Sending } from './composer/sending.js';
import { ContextReader } from './context/contextReader.js';
import { Finding } from './find/finding.js';
import { SentMessageActions } from './messages/sentMessageActions.js';
import { type AgentPageState, emptyPage, type Send } from './pageState.js';
import { CallRulesCard } from './rules/callRulesCard.js';
import {
  type EditedQueued,
  newerDraft,
  type ReadingPlace,
  readSavedPage,
  savePage,
  storedDraft,
} from './savedPage.js';
import { ToolPicker } from './tools/toolPicker.js';
import { afterNews, type Following, following, reading } from './transcript/following.js';
import { applyChanges } from './transcript/transcriptModel.js';

/** Entries after which those far behind leave the page of a user who looks at the end. */
const maxShown = 400;

export class AgentPage {
  private current: AgentPageState;
  /** Of the page before this one. */
  private readonly savedConversation: string | undefined;
  private readonly savedFolder: string | undefined;
  /** Something was said in the conversation. */
  private isBegun: boolean;
  private readonly savedDraftAt: number;
  /** What the page before this one changed in the queue, until this one does. */
  private savedEdited: EditedQueued | undefined;
  private isFetching = false;
  private readonly drafts: DraftKeeper;
  readonly sending: Sending;
  readonly mentions = new Mentions(this, {
    into: () => undefined,
    text: () => this.current.draft,
    // what stood behind the `@` was no line to be run
    write: (draft) => this.change({ draft: asMessage(draft), refusal: undefined }),
    isOff: () => readCommandLine(this.current.draft) !== undefined,
    caret: currentCaret,
    place: placeCaret,
  });
  readonly queuedMentions = queuedMentions(this, (text) => this.sending.changeQueued({ text }));
  readonly messageMentions = messageMentions(this, (text) => this.messages.change({ text }));
  readonly intake = new Intake(this);
  readonly history = new DraftHistory(this, placeCaret);
  readonly pictures: Pictures;
  readonly messages = new SentMessageActions(this);
  readonly context = new ContextReader(this);
  readonly finding = new Finding(this);
  readonly restoring = new RestoreCardState(this);
  readonly picker = new ToolPicker(this);
  readonly callRules = new CallRulesCard(this);
  readonly sender: CardSender;
  readonly forms: FormAnswers;
  readonly changed = new ChangedFilesList(this, (changed) => this.change({ changed }));
  private readonly reported = new Set<string>();

  constructor(
    private readonly send: Send,
    private readonly onDidChange: (state: AgentPageState) => void,
  ) {
    this.drafts = new DraftKeeper(send);
    this.sending = new Sending(this, this.drafts);
    this.pictures = new Pictures(send);
    this.sender = cardSender(send, (work) => this.run(work));
    this.forms = new FormAnswers(this.sender, () => this.change({}));
    const { conversation, folder, isBegun, edited, ...saved } = readSavedPage();
    this.savedFolder = folder;
    this.isBegun = isBegun ?? false;
    this.savedConversation = conversation;
    this.savedEdited = edited;
    this.current = { ...emptyPage, ...saved };
    this.savedDraftAt = this.current.draftAt;
  }

  get state(): AgentPageState {
    return this.current;
  }

  async start(): Promise<void> {
    await this.fetch('ready');
  }

  receiveSnapshot(snapshot: AgentSnapshot): void {
    const { conversation, state, transcript, earlier, draft, isElsewhere = false } = snapshot;
    const snapshots = this.current.snapshots + 1;
    const shown = conversation || this.current.conversation;
    const isOther = shown !== this.current.conversation;
    const isAgain = this.current.conversation === '' && shown === this.savedConversation;
    const place = isOther && !isAgain ? undefined : this.current.place;
    const isFirst = this.current.conversation === '' && this.savedConversation === undefined;
    // written while Pi was being loaded: for what is shown then
    const isEarly = this.current.conversation === '' && this.current.draftAt > this.savedDraftAt;
    const isSame = !isOther || isAgain || isFirst || isEarly;
    // a conversation that was deleted had something in it all the same
    this.isBegun = transcript.length > 0 || ((!isOther || isAgain) && this.isBegun);
    this.change({
      ...(conversation !== '' && this.draftIn(shown, draft, isSame)),
      conversation: shown,
      state,
      transcript,
      earlier,
      snapshots,
      place,
      isElsewhere,
      sendingSince: undefined,
      ...(isOther && { following: place ? reading : following }),
      // entries of two conversations may have the same ids
      ...(isOther &&
        !isAgain && {
          expanded: new Set(),
          edited: undefined,
          answer: undefined,
          context: undefined,
          mention: undefined,
        }),
    });
    this.context.follow(state.usage);
    this.changed.follow(state.changes);
    this.picker.follow();
    if (this.current.draftAt > (draft?.writtenAt ?? 0)) {
      this.keepDraft();
    }
    if (isAgain && this.savedEdited) {
      void this.sending.editAgain(this.savedEdited);
      this.savedEdited = undefined;
    }
  }

  /** What the user wrote for another conversation stays with that one. */
  private draftIn(conversation: string, stored: DraftView | undefined, isSame: boolean) {
    const { draft: text, draftAt: writtenAt } = this.current;
    if (isSame) {
      const { draft, draftAt } = newerDraft(this.current, stored);
      return { draft, draftAt };
    }
    const before = this.current.conversation || this.savedConversation;
    if (before !== undefined && before !== conversation && text !== '') {
      this.drafts.keep({ conversation: before, draft: { text, writtenAt } });
    }
    return storedDraft(stored);
  }

  /** What is pasted or dropped there. @param target of an event */
  intakeAt(target: EventTarget | null): Intake {
    const place = target instanceof Element ? target.closest<HTMLElement>('[data-into]') : null;
    const into = place?.dataset.into;
    return into === undefined ? this.intake : this.intakeInto(into);
  }

  /** Of a message that the user changes. */
  intakeInto(into: string): Intake {
    const join = (text: string) =>
      into.startsWith('queue/') ? this.sending.joinQueued(text) : this.messages.joinText(text);
    return new Intake(this, { into, join });
  }

  async showEarlier(): Promise<void> {
    await this.fetch('showEarlier');
  }

  private async fetch(what: 'ready' | 'showEarlier' | 'showLatest'): Promise<void> {
    if (!this.isFetching) {
      this.isFetching = true;
      await this.run(async (send) => {
        const snapshot = await send(what, undefined);
        // the conversation may have moved away meanwhile
        if (what === 'ready' || !this.current.isElsewhere) {
          this.receiveSnapshot(snapshot);
        }
      });
      this.isFetching = false;
    }
  }

  receiveState(state: AgentViewState): void {
    const open = new Set(state.approvals.map(({ id }) => id));
    const kept = [...this.current.editedArgs].filter(([id]) => open.has(id));
    const sendingSince = state.activity ? undefined : this.current.sendingSince;
    this.change({ state, sendingSince, editedArgs: new Map(kept) });
    const { edited } = this.current;
    if (edited && !state.queue.messages.some(({ id }) => id === edited.id)) {
      // sent by the user in another way, or removed
      this.change({ edited: undefined });
    }
    this.context.follow(state.usage);
    this.changed.follow(state.changes);
    this.picker.follow();
  }

  /** With the arguments as the user changed them. */
  async decide(approvalId: string, decision: ApprovalDecision, isWide = false): Promise<void> {
    const args = decision === 'deny' ? undefined : this.current.editedArgs.get(approvalId);
    await this.run((send) =>
      send('decide', {
        approvalId,
        decision,
        args,
        isWide,
      }),
    );
  }

  /** @param words what the model is told; may be empty */
  async deny(approvalId: string, words: string): Promise<void> {
    await this.run((send) => send('decide', { approvalId, decision: 'deny', words }));
  }

  /** `undefined` takes the model's arguments again. */
  editArgs(approvalId: string, text: string | undefined): void {
    const editedArgs = new Map(this.current.editedArgs);
    if (text === undefined) {
      editedArgs.delete(approvalId);
    } else {
      editedArgs.set(approvalId, text);
    }
    this.change({ editedArgs });
  }

  receiveEntries(changes: readonly TranscriptChange[]): void {
    const { transcript, added, isBroken } = applyChanges(this.current.transcript, changes);
    this.change({ transcript, following: afterNews(this.current.following, added) });
    if (isBroken) {
      void this.fetch('ready');
    } else if (transcript.length > maxShown && this.mayShorten()) {
      void this.fetch('showLatest');
    }
  }

  /** Nothing that the user looks at, has the focus on or has selected is far behind. */
  private mayShorten(): boolean {
    const isBusy = document.activeElement?.closest('[data-entry]');
    return this.current.following.isFollowing && !isBusy && (getSelection()?.isCollapsed ?? true);
  }

  /** Runs a request; a failure becomes a sentence on the page. Resolves to whether it went well. */
  async run(work: (send: Send) => Promise<unknown>): Promise<boolean> {
    if (this.current.failure !== undefined) {
      this.change({ failure: undefined });
    }
    try {
      await work(this.send);
      return true;
    } catch (error) {
      this.change({ failure: errorMessage(error) });
      return false;
    }
  }

  /** Tells the extension once of a failure to draw. What it was about stays here. */
  reportFailure(error: unknown): void {
    const stack = error instanceof Error ? (error.stack ?? '') : '';
    if (!this.reported.has(stack)) {
      this.reported.add(stack);
      void this.send('pageFailed', { stack }).catch(() => undefined);
    }
  }

  /** The extension has everything, so a new page can go on where this one ends. */
  reload(): void {
    void this.send('reloadView', undefined).catch(() => undefined);
  }

  receiveInputs(inputs: AgentInputs): void {
    this.forms.receive(inputs);
    this.change({ inputs, slashIndex: 0 });
  }

  toggle(part: string): void {
    const expanded = new Set(this.current.expanded);
    if (!expanded.delete(part)) {
      expanded.add(part);
    }
    this.change({ expanded });
  }

  setFollowing(next: Following): void {
    const { isFollowing, missed } = this.current.following;
    if (next.isFollowing !== isFollowing || next.missed !== missed) {
      this.change({ following: next, ...(next.isFollowing && { place: undefined }) });
    }
  }

  /** What the user looks at stays where it is. */
  leaveEnd(): void {
    if (this.current.following.isFollowing) {
      this.setFollowing(reading);
    }
  }

  /** Remembers where the user is without drawing anything. */
  setPlace(place: ReadingPlace | undefined): void {
    this.current = { ...this.current, place };
    this.save();
  }

  change(change: Partial<AgentPageState>): void {
    const before = this.current;
    const next = { ...before, ...change };
    const isNew = next.draft !== before.draft && change.draftAt === undefined;
    // later than any other, also when the clock was set back
    this.current = isNew ? { ...next, draftAt: Math.max(Date.now(), before.draftAt + 1) } : next;
    this.save();
    this.onDidChange(this.current);
    if (isNew) {
      this.keepDraft();
    }
  }

  /** In the extension, since no page outlives everything. */
  private keepDraft(): void {
    const { conversation, draft: text, draftAt: writtenAt } = this.current;
    if (conversation !== '') {
      this.drafts.keep({ conversation, draft: { text, writtenAt } });
    }
  }

  private save(): void {
    const { conversation, state, transcript } = this.current;
    // until the extension has answered, what was saved stays true
    savePage({
      ...this.current,
      conversation: conversation || this.savedConversation,
      folder: state?.folder?.uri ?? this.savedFolder,
      isBegun: this.isBegun || transcript.length > 0,
      edited: this.current.edited ?? this.savedEdited,
    });
  }
}
