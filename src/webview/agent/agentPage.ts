/** Owns the page's state: the extension's snapshot, the draft, and what is unfolded. */
import { errorMessage } from '../../base/errors.js';
import type {
  AgentEvents,
  AgentInputs,
  AgentRequests,
  AgentSnapshot,
  AgentViewState,
  ApprovalDecision,
  CommandAnswer,
  CommandOutcome,
  EntryChange,
  OwnedIconView,
  SendKind,
  SlashCommandView,
  TranscriptEntry,
} from '../../protocol/agentProtocol.js';
import type { MessageChannel } from '../../protocol/messages.js';
import { ChangedFiles, foldedChanges, type UnfoldedChanges } from './changes/changedFiles.js';
import { type ReadingPlace, readSavedPage, savePage } from './savedPage.js';
import { afterNews, type Following, following, reading } from './transcript/following.js';
import { applyChanges } from './transcript/transcriptModel.js';

export interface AgentPageState {
  /** `undefined` until the extension has answered. */
  readonly state?: AgentViewState;
  /** Empty until there is one. */
  readonly conversation: string;
  readonly transcript: readonly TranscriptEntry[];
  /** Entries before those of the transcript. */
  readonly earlier: number;
  /** How many times the transcript was replaced: what comes with it is not news. */
  readonly snapshots: number;
  readonly draft: string;
  readonly inputs: AgentInputs;
  readonly icons: readonly OwnedIconView[];
  /** Of the prompt that Enter takes from the menu. */
  readonly slashIndex: number;
  readonly isSlashMenuClosed: boolean;
  /** The queued message that the user changes. */
  readonly edited?: { readonly id: string; readonly text: string } | undefined;
  readonly following: Following;
  /** Absent while the page follows the end. */
  readonly place?: ReadingPlace | undefined;
  /** Parts that the user unfolded: `<entry id>/<part>`. */
  readonly expanded: ReadonlySet<string>;
  /** Arguments that the user changes before deciding. */
  readonly editedArgs: ReadonlyMap</* approval id */ string, string>;
  /** What the last command answered. */
  readonly answer?: CommandAnswer | undefined;
  /** Why what was typed was neither run nor sent; until the draft changes. */
  readonly refusal?: RefusedCommand | undefined;
  readonly changed: UnfoldedChanges;
  /** A request that failed, as a sentence. */
  readonly failure?: string;
}

type RefusedCommand = Extract<CommandOutcome, { kind: 'refused' }>;

/** Characters up to which suggestions join a draft. */
const maxDraft = 100_000;
/** Entries after which those far behind leave the page of a user who looks at the end. */
const maxShown = 400;

export type Send = MessageChannel<AgentRequests, AgentEvents>['request'];

export class AgentPage {
  private current: AgentPageState;
  /** Of the page before this one. */
  private readonly savedConversation: string | undefined;
  private isFetching = false;
  readonly changed = new ChangedFiles(this, (changed) => this.change({ changed }));
  private readonly reported = new Set<string>();

  constructor(
    private readonly send: Send,
    private readonly onDidChange: (state: AgentPageState) => void,
  ) {
    const { conversation, ...saved } = readSavedPage();
    this.savedConversation = conversation;
    this.current = { ...emptyPage, ...saved };
  }

  get state(): AgentPageState {
    return this.current;
  }

  async start(): Promise<void> {
    await this.fetch('ready');
  }

  receiveSnapshot({ conversation, state, transcript, earlier }: AgentSnapshot): void {
    const snapshots = this.current.snapshots + 1;
    const shown = conversation || this.current.conversation;
    const isOther = shown !== this.current.conversation;
    const isAgain = this.current.conversation === '' && shown === this.savedConversation;
    const place = isOther && !isAgain ? undefined : this.current.place;
    this.change({
      conversation: shown,
      state,
      transcript,
      earlier,
      snapshots,
      place,
      ...(isOther && { following: place ? reading : following }),
    });
    this.changed.follow(state.changes);
  }

  async showEarlier(): Promise<void> {
    await this.fetch('showEarlier');
  }

  private async fetch(what: 'ready' | 'showEarlier' | 'showLatest'): Promise<void> {
    if (!this.isFetching) {
      this.isFetching = true;
      await this.run(async (send) => this.receiveSnapshot(await send(what, undefined)));
      this.isFetching = false;
    }
  }

  receiveState(state: AgentViewState): void {
    const open = new Set(state.approvals.map(({ id }) => id));
    const kept = [...this.current.editedArgs].filter(([id]) => open.has(id));
    this.change({ state, editedArgs: new Map(kept) });
    const { edited } = this.current;
    if (edited && !state.queue.messages.some(({ id }) => id === edited.id)) {
      // sent by the user in another way, or removed
      this.change({ edited: undefined });
    }
    this.changed.follow(state.changes);
  }

  async editQueued(id: string): Promise<void> {
    await this.run(async (send) => {
      const { text } = await send('editQueued', { id });
      this.change({ edited: { id, text } });
    });
  }

  changeQueued(text: string): void {
    const { edited } = this.current;
    if (edited) {
      this.change({ edited: { ...edited, text } });
    }
  }

  /** What cannot be saved any more joins the draft. */
  async endEditQueued(isSaved: boolean): Promise<void> {
    const { edited } = this.current;
    const text = edited?.text.trim();
    if (!edited || (isSaved && !text)) {
      return;
    }
    this.change({ edited: undefined });
    const isDone = await this.run((send) =>
      send('endEditQueued', { id: edited.id, ...(isSaved && { text }) }),
    );
    if (isSaved && !isDone) {
      this.receiveSuggestion(edited.text);
    }
  }

  /** With the arguments as the user changed them. */
  async decide(approvalId: string, decision: ApprovalDecision): Promise<void> {
    const args = decision === 'deny' ? undefined : this.current.editedArgs.get(approvalId);
    await this.run((send) =>
      send('decide', { approvalId, decision, ...(args !== undefined && { args }) }),
    );
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

  receiveEntries(changes: readonly EntryChange[]): void {
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

  dismissFailure(): void {
    this.change({ failure: undefined });
  }

  setDraft(draft: string): void {
    this.change({ draft, slashIndex: 0, isSlashMenuClosed: false, refusal: undefined });
  }

  dismissAnswer(): void {
    this.change({ answer: undefined, refusal: undefined });
  }

  receiveInputs(inputs: AgentInputs): void {
    this.change({ inputs, slashIndex: 0 });
  }

  receiveIcons(icons: readonly OwnedIconView[]): void {
    this.change({ icons });
  }

  /** Joins the draft, which the user may change, send or drop. */
  receiveSuggestion(text: string): void {
    const { draft } = this.current;
    if (draft.length + text.length > maxDraft) {
      return;
    }
    this.setDraft(draft === '' ? text : `${draft}\n${text}`);
  }

  selectPrompt(slashIndex: number): void {
    this.change({ slashIndex });
  }

  /** Writes the command into the draft; its arguments follow, or are asked for when it is sent. */
  pickPrompt({ command }: SlashCommandView): void {
    this.setDraft(`${command} `);
  }

  closeSlashMenu(): void {
    this.change({ isSlashMenuClosed: true });
  }

  /** Runs or sends the draft and empties it; what is neither comes back. `kind` says where to while Pi works. */
  async submit(kind: SendKind = 'next'): Promise<void> {
    const text = this.current.draft.trim();
    if (!text || !this.canSubmit()) {
      return;
    }
    if (text.startsWith('/')) {
      await this.runCommand(text, kind);
    } else {
      await this.deliver(text, kind);
    }
  }

  /** Sends the draft, also when it looks like a command. */
  async sendDraft(kind: SendKind = 'next'): Promise<void> {
    const text = this.current.draft.trim();
    if (text) {
      await this.deliver(text, kind);
    }
  }

  /** Commands also work without a model. */
  canSubmit(): boolean {
    const { state, draft } = this.current;
    return this.isReady() || (state !== undefined && draft.startsWith('/'));
  }

  private isReady(): boolean {
    const status = this.current.state?.status;
    return status === 'ready' || status === 'running';
  }

  private async deliver(text: string, kind: SendKind): Promise<void> {
    if (!this.isReady()) {
      this.giveBack(text);
      return;
    }
    this.change({ draft: '', refusal: undefined });
    let isSent = false;
    await this.run(async (send) => {
      isSent = (await send('prompt', { text, kind })).isSent;
    });
    if (!isSent) {
      this.giveBack(text);
    }
  }

  private async runCommand(text: string, kind: SendKind): Promise<void> {
    this.change({ draft: '', answer: undefined, refusal: undefined });
    let outcome: CommandOutcome | undefined;
    await this.run(async (send) => {
      outcome = await send('runCommand', { text });
    });
    switch (outcome?.kind) {
      case 'text':
        await this.deliver(text, kind);
        break;
      case 'done':
        this.change({ answer: outcome.answer });
        break;
      case 'refused':
        this.giveBack(text);
        this.change({ refusal: outcome });
        break;
      default:
        this.giveBack(text);
    }
  }

  /** Unless the user writes something else meanwhile. */
  private giveBack(draft: string): void {
    if (this.current.draft === '') {
      this.change({ draft });
    }
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

  private change(change: Partial<AgentPageState>): void {
    this.current = { ...this.current, ...change };
    this.save();
    this.onDidChange(this.current);
  }

  private save(): void {
    const { conversation } = this.current;
    // until the extension has answered, what was saved stays true
    savePage({ ...this.current, conversation: conversation || this.savedConversation });
  }
}

const emptyPage: AgentPageState = {
  conversation: '',
  following,
  transcript: [],
  earlier: 0,
  snapshots: 0,
  inputs: { commands: [], attachments: [], questions: [] },
  icons: [],
  slashIndex: 0,
  isSlashMenuClosed: false,
  editedArgs: new Map(),
  changed: foldedChanges,
  draft: '',
  expanded: new Set(),
};
