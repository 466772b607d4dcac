/** Owns the page's state: the extension's snapshot, the draft, and what is unfolded. */
import { errorMessage } from '../../base/errors.js';
import { isJsonObject } from '../../base/json.js';
import type {
  AgentEvents,
  AgentInputs,
  AgentRequests,
  AgentSnapshot,
  AgentViewState,
  ApprovalDecision,
  OwnedIconView,
  SlashPromptView,
  TranscriptEntry,
} from '../../protocol/agentProtocol.js';
import type { MessageChannel } from '../../protocol/messages.js';
import { readSavedState, saveState } from '../shared/vscodeApi.js';
import { applyEntries } from './transcript/transcriptModel.js';

export interface AgentPageState {
  /** `undefined` until the extension has answered. */
  readonly state?: AgentViewState;
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
  /** Distance from the top in CSS pixels; `undefined` = follows the end. */
  readonly scrollTop?: number;
  /** Parts that the user unfolded: `<entry id>/<part>`. */
  readonly expanded: ReadonlySet<string>;
  /** Arguments that the user changes before deciding. */
  readonly editedArgs: ReadonlyMap</* approval id */ string, string>;
  /** A request that failed, as a sentence. */
  readonly failure?: string;
}

/** Characters up to which suggestions join a draft. */
const maxDraft = 100_000;

export type Send = MessageChannel<AgentRequests, AgentEvents>['request'];

export class AgentPage {
  private current: AgentPageState = restore(readSavedState());

  constructor(
    private readonly send: Send,
    private readonly onDidChange: (state: AgentPageState) => void,
  ) {}

  get state(): AgentPageState {
    return this.current;
  }

  async start(): Promise<void> {
    await this.run(async (send) => this.receiveSnapshot(await send('ready', undefined)));
  }

  receiveSnapshot({ state, transcript, earlier }: AgentSnapshot): void {
    const snapshots = this.current.snapshots + 1;
    this.change({ state, transcript, earlier, snapshots });
  }

  async showEarlier(): Promise<void> {
    await this.run(async (send) => this.receiveSnapshot(await send('showEarlier', undefined)));
  }

  receiveState(state: AgentViewState): void {
    const open = new Set(state.approvals.map(({ id }) => id));
    const kept = [...this.current.editedArgs].filter(([id]) => open.has(id));
    this.change({ state, editedArgs: new Map(kept) });
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

  receiveEntries(entries: readonly TranscriptEntry[]): void {
    this.change({ transcript: applyEntries(this.current.transcript, entries) });
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

  dismissFailure(): void {
    this.change({ failure: undefined });
  }

  setDraft(draft: string): void {
    this.change({ draft, slashIndex: 0, isSlashMenuClosed: false });
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

  /** Writes the prompt into the draft; its arguments follow, or are asked for when it is sent. */
  pickPrompt({ command }: SlashPromptView): void {
    this.setDraft(`${command} `);
  }

  closeSlashMenu(): void {
    this.change({ isSlashMenuClosed: true });
  }

  /** Sends the draft and empties it; an unsent draft comes back. */
  async submit(): Promise<void> {
    const text = this.current.draft.trim();
    if (!text || !this.canSubmit()) {
      return;
    }
    this.change({ draft: '', scrollTop: undefined });
    let isSent = false;
    await this.run(async (send) => {
      isSent = (await send('prompt', { text })).isSent;
    });
    if (!isSent && this.current.draft === '') {
      this.change({ draft: text });
    }
  }

  canSubmit(): boolean {
    const status = this.current.state?.status;
    return status === 'ready' || status === 'running';
  }

  toggle(part: string): void {
    const expanded = new Set(this.current.expanded);
    if (!expanded.delete(part)) {
      expanded.add(part);
    }
    this.change({ expanded });
  }

  /** Remembers where the user is without drawing anything. */
  setScrollTop(scrollTop: number | undefined): void {
    this.current = { ...this.current, scrollTop };
    this.save();
  }

  private change(change: Partial<AgentPageState>): void {
    this.current = { ...this.current, ...change };
    this.save();
    this.onDidChange(this.current);
  }

  private save(): void {
    const { draft, scrollTop, expanded } = this.current;
    saveState({ draft, scrollTop, expanded: [...expanded] });
  }
}

function restore(saved: unknown): AgentPageState {
  const { draft, scrollTop, expanded } = isJsonObject(saved) ? saved : {};
  return {
    transcript: [],
    earlier: 0,
    snapshots: 0,
    inputs: { prompts: [], attachments: [], questions: [] },
    icons: [],
    slashIndex: 0,
    isSlashMenuClosed: false,
    editedArgs: new Map(),
    draft: typeof draft === 'string' ? draft : '',
    ...(typeof scrollTop === 'number' ? { scrollTop } : {}),
    expanded: new Set(
      Array.isArray(expanded)
        ? expanded.filter((part): part is string => typeof part === 'string')
        : [],
    ),
  };
}
