/** Messages between the Pi Agent panel's page and the extension. Plain JSON; the page is less trusted. */
import type { ActivityView } from './agent/activity.js';
import type { AsideRequests, AsideView } from './agent/aside.js';
import type { AttachmentRequests, AttachmentView } from './attachments.js';
import type { AnswerMessage, BranchRequests, NoticeBranch, SentMessage } from './branches.js';
import type {
  CallCost,
  CallWords,
  RunView,
  StructuredView,
  TodoView,
  ToolCallStatus,
} from './callWords.js';
import type { CodeRequests } from './codeBlocks.js';
import type { ContextRequests, ContextUsageView } from './context.js';
import type { FindEvents, FindRequests } from './conversationFind.js';
import type { DraftRequests, DraftView } from './drafts.js';
import type { ChangeRequests, ChangesView, FileChangeView } from './fileChanges.js';
import type { RestoreRequests, RestoreView } from './restoring.js';
import type { QueueView, SendRequests, SentAttachment } from './sending.js';
import type { ModelWay, ModelWayRequests } from './start/modelWays.js';
import type { StartEvents, StartRequests } from './start/startView.js';
import type { CallReasons, RuleRequests } from './tools/approvalRules.js';
import type { ApprovalRequests, ApprovalView } from './tools/approvals.js';
import type { AgentMode, ModeView } from './tools/modes.js';
import type { OpenQuestionView, QuestionCards, QuestionRequests } from './tools/questions.js';
import type { ToolChoiceRequests, ToolCountView } from './tools/toolChoice.js';
import type { NewsKind, WaitingConversation } from './waitingConversation.js';

/** One block of a tool result as the page shows it. */
export type ResultBlock =
  | { readonly kind: 'text'; readonly text: string }
  /** `data` is base64; only image MIME types are sent. */
  | { readonly kind: 'image'; readonly mimeType: string; readonly data: string };

export interface WholeResultView {
  readonly callId: string;
  /** The model got only parts of the text. */
  readonly isCut: boolean;
  /** Binary parts, which can be opened. */
  readonly files: readonly { readonly mimeType: string; readonly bytes: number }[];
}

/** What the transcript shows, in order. Ids are stable while the session lives. */
export type TranscriptEntry =
  | {
      readonly id: string;
      readonly kind: 'user';
      readonly text: string;
      /** What went with the text; none of it is shown. */
      readonly attachments?: readonly SentAttachment[];
      readonly message?: SentMessage;
    }
  | {
      readonly id: string;
      readonly kind: 'assistant';
      /** Markdown. */
      readonly text: string;
      readonly thinking?: string;
      /** Milliseconds that the model thought; absent when it is not known. */
      readonly thinkingMs?: number;
      readonly isStreaming: boolean;
      readonly message?: AnswerMessage;
      /** Of the run that it ends. */
      readonly run?: RunView;
    }
  | {
      readonly id: string;
      readonly kind: 'tool';
      /** Name the model used. */
      readonly tool: string;
      /** MCP server and its own name of the tool; absent for built-in tools. */
      readonly mcp?: { readonly server: string; readonly tool: string };
      /** No call of the model: what the user ran. `isPrivate`: the model does not get it. */
      readonly byUser?: { readonly isPrivate: boolean };
      /** Formatted JSON; empty where `change` says the same. */
      readonly args: string;
      /** What the call makes of a file; before it has run, what its arguments say. */
      readonly change?: FileChangeView;
      readonly words?: CallWords;
      readonly why?: CallReasons;
      readonly status: ToolCallStatus;
      /** Milliseconds that it ran, and tokens of its result for the model; absent when they are not known. */
      readonly spent?: CallCost;
      /** While the call runs, of long text its end alone. */
      readonly result: readonly ResultBlock[];
      /** Lines before `result` that are shown once the call has ended. */
      readonly earlierLines?: number;
      /** Latest progress message of a running call. */
      readonly progress?: string;
      /** A call that waits for the user to review its server. */
      readonly awaitsReview?: true;
      /** A call that runs as a task, which its server works on while the conversation may go on. */
      readonly task?: { readonly callId: string; readonly isDetached: boolean };
      /** What the server sent beyond what is shown here; absent for built-in tools. */
      readonly whole?: WholeResultView;
      readonly structured?: StructuredView;
      /** The server has an app that shows this call. */
      readonly app?: { readonly callId: string };
    }
  | {
      readonly id: string;
      readonly kind: 'notice';
      readonly level: 'info' | 'error';
      readonly text: string;
      /** The next step, as a sentence. */
      readonly remedy?: string;
      readonly actions?: readonly NoticeAction[];
      readonly branch?: NoticeBranch;
      /** Results that the model does not get any more, in the conversation's file. */
      readonly leftOut?: readonly string[];
    }
  | {
      readonly id: string;
      /** What was said before is a summary for the model from here on. */
      readonly kind: 'compaction';
      /** Markdown. */
      readonly summary: string;
      readonly tokensBefore: number;
      /** Estimated; absent when it is not known any more. */
      readonly tokensAfter?: number;

      /** In the file of the conversation, for going back to before it. */
      readonly stored?: string;
    }
  | {
      readonly id: string;
      /** A summary is being made. */
      readonly kind: 'compacting';
      /** Why, as a sentence. */
      readonly text: string;
    }
  | {
      readonly id: string;
      /** The provider refused a request, which is sent again. */
      readonly kind: 'retry';
      /** Who refused it, in a few words. */
      readonly text: string;
      /** What it said. */
      readonly detail: string;
      /** From 1. */
      readonly attempt: number;
      readonly of: number;
      /** When it is sent again, in milliseconds since the epoch; absent once it has been. */
      readonly until?: number;
    };

/** A change to what the page shows. */
export type TranscriptChange =
  /** Replaces the entry of that id, or comes after all others. */
  TranscriptEntry | EntryGrowth;

/** What a streaming answer has got since; costs what is new, not what is there. */
interface EntryGrowth {
  readonly id: string;
  readonly kind: 'growth';
  readonly text?: GrownText;
  readonly thinking?: GrownText;
}

export interface GrownText {
  /** Characters that the page has; what it has beyond them is replaced. */
  readonly from: number;
  readonly added: string;
}

export interface AgentModelView {
  readonly provider: string;
  readonly id: string;
  readonly label: string;
  /** Images reach it; others get a sentence in their place. */
  readonly takesImages: boolean;
}

export const panelActions = [
  'logIn',
  'chooseModel',
  'findLocalModels',
  'addModelServer',
  'openModels',
  'reload',
  'newConversation',
  'addServer',
  'manageWorkspaceTrust',
  'showLog',
] as const;
export type PanelAction = (typeof panelActions)[number];
export type NoticeAction = PanelAction | 'fewerTools';

interface AgentFolderView {
  readonly uri: string;
  readonly name: string;
  /** Questions of its conversations to the user. */
  readonly waiting: number;
}

export interface AgentViewState {
  /** `loading`: the agent is being loaded; `unavailable`: `problem` says why. */
  readonly status: 'loading' | 'ready' | 'running' | 'unavailable';
  readonly problem?: {
    readonly message: string;
    readonly remedy: string;
    /** Ways to a first model, where that is what is missing; before `remedy` and `actions`. */
    readonly ways?: readonly ModelWay[];
    /** The first one is the best. */
    readonly actions: readonly PanelAction[];
  };
  readonly folder?: { readonly uri: string; readonly name: string };
  readonly folders: readonly AgentFolderView[];
  /** What the conversation is called; absent before its first message. */
  readonly title?: string;
  /** Conversations of all folders that wait for the user, those to go to next first. */
  readonly waiting: readonly WaitingConversation[];
  readonly model?: AgentModelView;
  /** How much the model thinks; absent for one that does not. */
  readonly thinking?: { readonly text: string };
  readonly tools: ToolCountView;
  readonly approvals: readonly ApprovalView[];
  /** What Pi is at; absent while nothing happens. */
  readonly activity?: ActivityView;
  readonly aside?: AsideView;
  readonly queue: QueueView;
  /** What the model means to do; absent where it keeps no list. */
  readonly todo?: TodoView;
  /** What the conversation changed and the user has neither kept nor undone. */
  readonly changes?: ChangesView;
  /** What was said last is not on disk yet, and why, as a sentence. */
  readonly unsaved?: string;
  /** What a restore would do, which waits for the user. */
  readonly restore?: RestoreView;
  /** Absent while no model is chosen, or it does not say how much it takes. */
  readonly usage?: ContextUsageView;
  /** Calls are shown as cards; default: in one line each. */
  readonly cards?: 'full';
  /** How much runs without a question. */
  readonly mode: AgentMode;
  /** Those to choose from; none in Restricted Mode, which only reads. */
  readonly modes: readonly ModeView[];
  /** True in Restricted Mode. */
  readonly isRestricted: boolean;
}

export interface AgentSnapshot {
  /** Tells conversations apart; empty while there is none. */
  readonly conversation: string;
  readonly state: AgentViewState;
  /** The end of the conversation. */
  readonly transcript: readonly TranscriptEntry[];
  /** Entries before those; `showEarlier` brings some of them. */
  readonly earlier: number;
  /** What was written there last, as far as the extension has it; its text may be empty. */
  readonly draft?: DraftView;
  /** A tab has the conversation and its input, in place of this page. */
  readonly isElsewhere?: true;
}

/** What a message can be made of beside its text. */
export interface AgentInputs extends QuestionCards {
  readonly commands: readonly SlashCommandView[];
  readonly attachments: readonly AttachmentView[];
  /** What is put into messages that the user changes. */
  readonly edited: readonly {
    readonly key: string;
    readonly attachments: readonly AttachmentView[];
  }[];
  /** Questions of servers that no page shows yet. */
  readonly questions: readonly OpenQuestionView[];
}

/** What a message may begin with: a command of the panel, a prompt of a server, a skill or template of Pi. */
export interface SlashCommandView {
  /** Such as `/server:prompt` or `/mcp restart`. */
  readonly command: string;
  readonly description: string;
  /** `?` appended to those that may be left out. */
  readonly arguments: readonly string[];
  /** The command that this one continues, such as `/mcp`. Default: none. */
  readonly parent?: string;
}

/** What a command of the panel answers, beside the conversation. */
export interface CommandAnswer {
  readonly title: string;
  readonly rows: readonly { readonly name: string; readonly text: string }[];
  /** Sentences below. */
  readonly notes?: readonly string[];
}

export type CommandOutcome =
  /** No command: a message. */
  | { readonly kind: 'text' }
  | {
      readonly kind: 'done';
      readonly answer?: CommandAnswer;
      /** A part of the page that the command shows. */
      readonly opens?: 'tools' | 'context';
    }
  /** It was not run, and nothing was sent. */
  | {
      readonly kind: 'refused';
      /** Why, as a sentence. */
      readonly text: string;
      /** What was probably meant. */
      readonly near: readonly string[];
      readonly mayBeText: boolean;
    };

/** `data:` images, by the kind of theme that each is for. */
export interface IconView {
  readonly light: string;
  readonly dark: string;
}

/** The icon of a server, or of one of its tools. */
export interface OwnedIconView extends IconView {
  readonly server: string;
  readonly tool?: string;
}

export interface AgentRequests
  extends ApprovalRequests,
    AsideRequests,
    AttachmentRequests,
    BranchRequests,
    ChangeRequests,
    CodeRequests,
    ContextRequests,
    DraftRequests,
    FindRequests,
    ModelWayRequests,
    QuestionRequests,
    RestoreRequests,
    RuleRequests,
    SendRequests,
    StartRequests,
    ToolChoiceRequests {
  ready: { params: undefined; result: AgentSnapshot };
  /** Runs the command that the text begins with, if it does. */
  runCommand: { params: { text: string }; result: CommandOutcome };
  stop: { params: undefined; result: undefined };
  /** Tries again to write what is {@link AgentViewState.unsaved}. */
  save: { params: undefined; result: undefined };
  /** Brings entries before those that the page has, up to one or some; the page gets all that it shows then. */
  showEarlier: { params: { entryId?: string } | undefined; result: AgentSnapshot };
  /** Takes what is far behind off a page whose user looks at the end. */
  showLatest: { params: undefined; result: AgentSnapshot };
  /** Lets the user choose the model, or how much it thinks. */
  choose: { params: { what: 'model' | 'thinking' }; result: undefined };
  /** The user chose it, which nobody else can do. */
  setMode: { params: { mode: AgentMode }; result: undefined };
  selectFolder: { params: { uri: string }; result: undefined };
  /** Shows a conversation that waits; none when it does not any more. */
  showConversation: { params: { id: string }; result: undefined };
  runAction: { params: { action: PanelAction }; result: undefined };
  /** Shows the user what waits for review in the folder of the conversation. */
  review: { params: undefined; result: undefined };
  /** Ends one running call; the run goes on. */
  cancelCall: { params: { entryId: string }; result: undefined };
  /** Lets a call that runs as a task continue in the background. */
  detachTask: { params: { callId: string }; result: undefined };
  cancelTask: { params: { callId: string }; result: undefined };
  /** Opens the whole result as a read-only document, or one of its files. */
  openResult: { params: { callId: string; file?: number }; result: undefined };
  /** Opens the app of a call, once the user has agreed to it. */
  openApp: { params: { callId: string }; result: undefined };
  /** Of a conversation that is elsewhere: shows it there, or brings it back to the view. */
  place: { params: { action: 'show' | 'bringBack' }; result: undefined };
  /** The page could not draw something. */
  pageFailed: { params: { stack: string }; result: undefined };
  /** Puts a new page in the place of this one. */
  reloadView: { params: undefined; result: undefined };
  /** Opens a link of the transcript after the extension has checked its scheme. */
  openLink: { params: { href: string }; result: undefined };
}

export interface AgentEvents extends FindEvents, StartEvents {
  snapshot: { params: AgentSnapshot; result: undefined };
  state: { params: AgentViewState; result: undefined };
  inputs: { params: AgentInputs; result: undefined };
  /** Replaces what was sent before. */
  icons: { params: readonly OwnedIconView[]; result: undefined };
  /** A text that an app suggests; it joins the draft and is never sent by itself. */
  suggestion: { params: { text: string; server: string }; result: undefined };
  /** For a conversation that the user does not look at. */
  ring: { params: NewsKind; result: undefined };
  /** In order. */
  entries: { params: readonly TranscriptChange[]; result: undefined };
}
