/** Questions to the user about calls, and the answers. */
import type { CallWords } from '../callWords.js';
import type { FileChangeView } from '../fileChanges.js';
import type { CallReason, CommandRulesView } from './approvalRules.js';

/** An open question to the user: may this call run? */
export interface ApprovalView {
  readonly id: string;
  readonly toolCallId: string;
  readonly tool: string;
  readonly mcp?: { readonly server: string; readonly tool: string };
  /** An app of the server wants the call, not the model. */
  readonly isByApp?: boolean;
  /** Why it is asked. */
  readonly why: CallReason;
  /** Of a command line. */
  readonly commands?: CommandRulesView;
  /** Formatted JSON, whole. */
  readonly args: string;
  readonly words?: CallWords;
  /** The call is a plan of the model, which the user starts or not. */
  readonly plan?: PlanView;
  /** What will be done and the arguments do not say; whole. */
  readonly effect?: {
    /** `link`: the file that a link leads to; `outside`: a file outside the folder; `command`: what is started. */
    readonly kind: 'link' | 'outside' | 'command';
    readonly text: string;
  };
  /** It changes a file of the folder, as the other edits of a run do. */
  readonly isEdit?: boolean;
  /** What the call would make of a file. */
  readonly fileChange?: FileChangeView;
  /** What the server claims about the tool, such as "destructive"; shown as a claim. */
  readonly claims: readonly string[];
  /** How the tool differs from what the user once allowed always: in lines, before and now. */
  readonly change?: string;
  /** Where the tool may be allowed always. */
  readonly places: readonly ('folder' | 'everywhere')[];
}

/** What the model wrote; bounded, and nothing in it hides or turns text. */
export interface PlanView {
  readonly title: string;
  readonly steps: readonly string[];
  readonly markdown: string;
}

/** `startEdits` and `startAsk` are for plans alone: they begin in Accept Edits or in Ask. */
/** `folder` and `everywhere` hold for later conversations, until revoked or the tool changes. */
/** `run`: with every other edit of the run. */
export const approvalDecisions = [
  'once',
  'run',
  'session',
  'folder',
  'everywhere',
  'startEdits',
  'startAsk',
  'deny',
] as const;
export type ApprovalDecision = (typeof approvalDecisions)[number];

export interface ApprovalRequests {
  /** `args`: as JSON, what the user made of them. `isWide`: the wider rule. `words`: what the model is told of a denial. */
  decide: {
    params: {
      approvalId: string;
      decision: ApprovalDecision;
      args?: string;
      isWide?: boolean;
      words?: string;
    };
    result: undefined;
  };
  /** Opens a plan that waits as a document, whose text is what is started once it was changed. */
  openPlan: { params: { approvalId: string }; result: undefined };
}
