/** The agent as the panel sees it: the shown conversation of a workspace folder, driven by a Pi agent. */
import type { Disposable } from '../../base/disposable.js';
import type { Event } from '../../base/event.js';
import type { WholeResult } from '../../mcp/catalog/results/wholeResult.js';
import type {
  AgentSnapshot,
  AgentViewState,
  TranscriptChange,
} from '../../protocol/agentProtocol.js';
import type { FoundText } from '../../protocol/conversationFind.js';
import type { DraftView } from '../../protocol/drafts.js';
import type { SendKind } from '../../protocol/sending.js';
import type { ApprovalDecision } from '../../protocol/tools/approvals.js';
import type { AgentMode } from '../../protocol/tools/modes.js';
import type { AppCall } from '../apps/call.js';
import type { ConversationLibrary } from '../conversations/library.js';
import type { ModelChoice } from '../models/choices.js';
import type { PiControls, ThinkingLevel } from '../pi/controls.js';
import type { ConversationRules } from '../policy/listRules.js';
import type { MessageQueue, NewMessage } from '../queue/messageQueue.js';
import type { CallRules } from '../session/callRules.js';
import type { SideWork } from '../session/side/sideWork.js';
import type { ConversationTools } from '../tools/choice/conversationTools.js';
import type { ReviewedSession } from './fileTexts.js';
import type { ModelMemory } from './options.js';
import type { PanelContext } from './panelContext.js';
import type { Restoring } from './restoring.js';
import type { SentMessages } from './sentMessages.js';

/** A result of an MCP tool as its server sent it. */
export interface WholeToolResult extends WholeResult {
  readonly server: string;
  readonly tool: string;
}

/** The conversation on the page, as commands see it. */
export interface ShownConversation {
  readonly controls: PiControls;
  readonly choice: ConversationTools;
  readonly rules: CallRules;
  readonly side: Pick<SideWork, 'aside'>;
}

/** Methods reject with a {@link HumanError} only for misuse; failures of a run are transcript notices. */
export interface AgentPanelModel extends Disposable {
  /** Loads Pi and the folder's session on the first call. Never rejects: problems are in `state.problem`. */
  ensureSession(): Promise<AgentSnapshot>;
  /** Resolves when the shown conversation has started, where it starts or starts again. Loads nothing. */
  whenStarted(): Promise<void>;
  /** The current snapshot without loading anything. */
  snapshot(): AgentSnapshot;
  readonly onDidChangeState: Event<AgentViewState>;
  /** At most one event per animation frame's time. */
  readonly onDidChangeEntries: Event<readonly TranscriptChange[]>;
  /** The transcript was replaced: other folder, new session. */
  readonly onDidReset: Event<AgentSnapshot>;
  /**
   * Starts a run, or joins the queue. Resolves when the message was accepted.
   * @param conversation id of the one that the user wrote it for; default: the shown one
   */
  prompt(message: NewMessage | string, kind?: SendKind, conversation?: string): Promise<void>;
  /** Of the shown conversation, if there is one. */
  readonly queue: MessageQueue | undefined;
  /** Of the shown conversation. */
  readonly messages: SentMessages;
  /** Of the shown conversation. */
  readonly restoring: Restoring;
  /** Of the shown conversation. */
  readonly context: PanelContext;
  /**
   * Runs a line that the user typed in the folder of the shown conversation, for which that needs no model. Resolves when
   * it has begun. @param isPrivate the model does not get it
   */
  runForUser(command: string, isPrivate: boolean): Promise<void>;
  /**
   * Ends the run, open approvals included, or else what the user runs; resolves when it has ended. What waits is paused.
   */
  stop(): Promise<void>;
  /** Writes what could not be written to the file of the conversation. @throws {HumanError} when it still cannot be */
  save(): void;
  /** @throws {HumanError} when `args` is given and no JSON object. */
  decide(
    approvalId: string,
    decision: ApprovalDecision,
    args?: string,
    isWide?: boolean,
    words?: string,
  ): void;
  /** Ends one running call of an MCP server, which is told, or what the user runs, by its entry in the transcript. */
  cancelCall(entryId: string): void;
  /** Lets a call that runs as a task continue in the background; its result comes later. */
  detachTask(callId: string): void;
  cancelTask(callId: string): Promise<void>;
  /** Keeps what the user has written and not sent in the conversation of that name. Resolves when the disk has it. */
  keepDraft(conversation: string, draft: DraftView): Promise<void>;
  /** @throws {HumanError} when it is not kept any more. */
  wholeResult(callId: string): Promise<WholeToolResult>;
  /** What the shown conversation changed; `undefined` while there is none. */
  readonly reviewed: ReviewedSession | undefined;
  /** @throws {HumanError} when it is not kept any more or has no app. */
  appCall(callId: string): Promise<AppCall>;
  /** Those to choose from. */
  readonly models: readonly ModelChoice[];
  /** What the user chose and pinned. */
  readonly modelMemory: Pick<ModelMemory, 'pin' | 'pinned' | 'recent'>;
  /** Asks what it costs, where somebody has to; rejects with a cancellation when the user does not agree. */
  selectModel(provider: string, id: string): Promise<void>;
  /** For the shown conversation, and for the next ones with its model. @returns what it became */
  chooseThinking(level: ThinkingLevel): Promise<ThinkingLevel>;
  /** Of the shown conversation, from the next call on. Rejects with a cancellation when the user does not agree. */
  setMode(mode: AgentMode): Promise<void>;
  selectFolder(uri: string): Promise<void>;
  /** The one before goes on. */
  newSession(): Promise<void>;
  /** Shows a live conversation of any folder, by its id. No effect when it is not live any more. */
  showConversation(id: string): Promise<void>;
  /** `undefined` before there is one. */
  readonly shown: ShownConversation | undefined;
  /** What was allowed in the conversations that are live, those of all folders. */
  readonly allowedInConversations: readonly ConversationRules[];
  /** A snapshot that begins some entries earlier than the last one. */
  showEarlier(): AgentSnapshot;
  /** A snapshot that begins near the end. */
  showLatest(): AgentSnapshot;
  /** A snapshot that has the entry. */
  showEntry(entryId: string): AgentSnapshot;
  /** Lets the page ask the user what to look for. */
  askToFind(): void;
  readonly onDidAskToFind: Event<void>;
  /** Looks through the shown conversation, all of it. */
  find(text: string): FoundText;
  /** The stored conversations of the shown folder. */
  readonly library: ConversationLibrary;
  /** Absolute path of Pi's models.json, for `openModels`; the file may not exist. */
  readonly modelsPath: string;
  /** Reads models and logins again; loads Pi again when that failed before. */
  reloadModels(): Promise<void>;
}
