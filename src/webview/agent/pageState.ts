import type {
  AgentEvents,
  AgentInputs,
  AgentRequests,
  AgentViewState,
  CommandAnswer,
  CommandOutcome,
  OwnedIconView,
  TranscriptEntry,
} from '../../protocol/agentProtocol.js';
import type { AttachmentView, MentionView } from '../../protocol/attachments.js';
import type { ContextView } from '../../protocol/context.js';
import type { MessageChannel } from '../../protocol/messages.js';
import type { StartView } from '../../protocol/start/startView.js';
import type { RuleChangeView, RuleScope } from '../../protocol/tools/approvalRules.js';
import type { ToolChoiceView } from '../../protocol/tools/toolChoice.js';
import { foldedChanges, type UnfoldedChanges } from './changes/changedFilesList.js';
import type { RestoreChoices } from './changes/restoreChoices.js';
import type { FindState } from './find/findState.js';
import type { EditedMessage, EditedQueued, ReadingPlace } from './savedPage.js';
import { type Following, following } from './transcript/following.js';

export interface AgentPageState {
  /** `undefined` until the extension has answered. */
  readonly state?: AgentViewState;
  /** Empty until there is one. */
  readonly conversation: string;
  readonly transcript: readonly TranscriptEntry[];
  /** Entries before those of the transcript. */
  readonly earlier: number;
  /** A tab has the conversation: this page only says so. */
  readonly isElsewhere: boolean;
  /** How many times the transcript was replaced: what comes with it is not news. */
  readonly snapshots: number;
  readonly draft: string;
  /** When the draft became what it is, in milliseconds since the epoch; 0: before anybody knew. */
  readonly draftAt: number;
  readonly inputs: AgentInputs;
  readonly icons: readonly OwnedIconView[];
  /** Absent until the extension has told it. */
  readonly start?: StartView;
  /** Of the prompt that Enter takes from the menu. */
  readonly slashIndex: number;
  readonly isSlashMenuClosed: boolean;
  /** An `@` that is being written. */
  readonly mention?: MentionMenu | undefined;
  /** When a message was sent of which Pi has not said anything yet, in milliseconds since the epoch. */
  readonly sendingSince?: number | undefined;
  /** Something is dragged over the page. */
  readonly isDropTarget: boolean;
  /** The queued message that the user changes. */
  readonly edited?: EditedQueued | undefined;
  /** The sent message that the user changes. */
  readonly editedMessage?: EditedMessage | undefined;
  /** What fills the context, while the user looks at it. */
  readonly context?: ShownContext | undefined;
  /** What the user looks for. */
  readonly find?: FindState | undefined;
  /** What the user looked for before. */
  readonly lastQuery?: string;
  readonly following: Following;
  /** Absent while the page follows the end. */
  readonly place?: ReadingPlace | undefined;
  /** Parts that the user unfolded: `<entry id>/<part>`. */
  readonly expanded: ReadonlySet<string>;
  /** The list of steps shows all of them. */
  readonly isTodoOpen: boolean;
  /** Arguments that the user changes before deciding. */
  readonly editedArgs: ReadonlyMap</* approval id */ string, string>;
  /** What the last command answered. */
  readonly answer?: CommandAnswer | undefined;
  /** Why what was typed was neither run nor sent; until the draft changes. */
  readonly refusal?: RefusedCommand | undefined;
  readonly changed: UnfoldedChanges;
  /** Of the card on which the user looked at rules last. */
  readonly rules?: RuleState | undefined;
  /** Absent while the tools of the conversation are not shown. */
  readonly tools?: ToolPickerState | undefined;
  /** What the user chose of a restore; absent: as it is by itself. */
  readonly restore?: RestoreChoices | undefined;
  /** A request that failed, as a sentence. */
  readonly failure?: string;
}

export type ToolEntry = Extract<TranscriptEntry, { kind: 'tool' }>;

interface ShownContext {
  /** Absent until the extension has answered. */
  readonly view?: ContextView;
  /** What a summary should keep, while the user writes it. */
  readonly focus?: string | undefined;
  /** When a summary is made, while the user changes it. */
  readonly limits?: LimitsDraft | undefined;
}

/** An `@` that is being written. */
export interface MentionMenu {
  /** The message in which it is written, one that the user changes. Absent: the next one. */
  readonly into: string | undefined;
  /** Where the `@` stands in the draft. */
  readonly from: number;
  /** What follows it up to the caret. */
  readonly query: string;
  readonly rows: readonly MentionView[];
  readonly index: number;
  /** The rows are those of an earlier query. */
  readonly isAsking: boolean;
}

/** What the user does with rules from the card of one call. */
export interface RuleState {
  readonly entryId: string;
  /** Where calls like it can be allowed; absent until the user wants to know. */
  readonly scopes?: readonly RuleScope[] | undefined;
  /** What was done last. */
  readonly change?: RuleChangeView | undefined;
}

/** The list of tools while it is open. */
export interface ToolPickerState {
  /** Absent until the extension has answered. */
  readonly view?: ToolChoiceView;
  /** Of the state that `view` is for. */
  readonly stamp: number;
  readonly query: string;
  readonly folds: ReadonlySet<string>;
  /** Key of the row that the keyboard is at. */
  readonly active?: string | undefined;
  /** Index of a row near the first one in sight. */
  readonly top: number;
}

/** As written. */
export interface LimitsDraft {
  readonly above: string;
  readonly keeps: string;
}

type RefusedCommand = Extract<CommandOutcome, { kind: 'refused' }>;

export type Send = MessageChannel<AgentRequests, AgentEvents>['request'];

/** What the parts of the page do to it. */
export interface PageAccess {
  readonly state: AgentPageState;
  change(change: Partial<AgentPageState>): void;
  /** @returns whether it went well; the page says why not. */
  run(work: (send: Send) => Promise<unknown>): Promise<boolean>;
}

export const emptyPage: AgentPageState = {
  conversation: '',
  following,
  transcript: [],
  earlier: 0,
  isElsewhere: false,
  snapshots: 0,
  inputs: { commands: [], attachments: [], edited: [], questions: [], choices: [], forms: [] },
  icons: [],
  slashIndex: 0,
  isSlashMenuClosed: false,
  isDropTarget: false,
  editedArgs: new Map(),
  isTodoOpen: false,
  changed: foldedChanges,
  draft: '',
  draftAt: 0,
  expanded: new Set(),
};

/** What is put into a message that the user changes. @param key of it, as the extension knows it */
export function addedTo(
  key: string,
  { inputs }: { readonly inputs: AgentInputs },
): readonly AttachmentView[] {
  return inputs.edited.find((one) => one.key === key)?.attachments ?? [];
}

/** Shown in the composer until the draft changes. */
export function refusalOf(refused: readonly string[]): AgentPageState['refusal'] {
  return refused.length === 0
    ? undefined
    : { kind: 'refused', text: refused.join('\n'), near: [], mayBeText: false };
}
