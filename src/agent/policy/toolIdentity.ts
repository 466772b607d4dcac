/** What is known about a call before anybody decides about it. */
import type { FileChangeView } from '../../protocol/fileChanges.js';
import type { CallReason, RuleSubject, RuleView } from '../../protocol/tools/approvalRules.js';
import type { ApprovalView, PlanView } from '../../protocol/tools/approvals.js';
import type { CommandPattern } from './shell/commandRules.js';
import type { ReadingPlaces } from './shell/readingPlaces.js';
import type { WordPlaces } from './shell/wordPlaces.js';

export interface ToolCallRequest {
  readonly toolCallId: string;
  /** Name the model used. */
  readonly tool: string;
  readonly args: unknown;
  /** An app wants the call. Default: the model does. */
  readonly isByApp?: boolean;
  /** What is known about the tool. Default: found by its name. */
  readonly identity?: ToolIdentity;
}

/** Where "always" holds. */
export type AllowPlace = 'folder' | 'everywhere';

/** What a call would make of a file. */
export interface CallPreview {
  readonly view: FileChangeView;
  /** Whole; `undefined`: not known. */
  readonly texts?: { readonly before: string | undefined; readonly after: string };
}

export interface CommandIdentity {
  readonly line: string;
  /** Where links lead now. */
  readonly places: WordPlaces;
  /** Default: every part of the line needs a rule. */
  readonly reading?: ReadingPlaces | undefined;
  readonly stored: () => readonly RuleView[];
  /** Absent places are not offered. */
  readonly allow: Readonly<
    Partial<Record<AllowPlace, (patterns: readonly CommandPattern[]) => readonly RuleView[]>>
  >;
}

/** What is known about a tool beside its name. */
export interface ToolIdentity {
  /** Stable while the tool's definition is: "for this session" is remembered under it. */
  readonly key: string;
  readonly mcp?: { readonly server: string; readonly tool: string };
  readonly claims: readonly string[];
  /** The server claims that it changes nothing: for what is told and for plans, not for what is allowed. */
  readonly isSaidToRead?: boolean;
  /** The arguments that the tool itself gets, when the call wraps them. Default: the call's. */
  readonly args?: unknown;
  /** Why no question is needed; absent when one is. */
  readonly allowedBy?: CallReason;
  /** Why the user is asked. Default: nothing allows it. */
  readonly askedBy?: CallReason;
  /** The line that a shell would get, and what rules of folders and of everywhere have to do with it. */
  readonly command?: CommandIdentity;
  /** What "for this session" covers. Default: the tool, for whatever it is called with. */
  readonly subject?: RuleSubject;
  /** The tool was allowed always, but has changed since: in lines, before and now. */
  readonly change?: string;
  /** What the arguments alone do not say. */
  readonly effect?: NonNullable<ApprovalView['effect']>;
  /** What it writes starts something later: it is asked each time, and no rule can be made. */
  readonly starts?: Extract<CallReason, { kind: 'starts' }>['by'];
  /** It is asked each time, in every mode: what it does cannot be taken back. */
  readonly guarded?: string | undefined;
  /** It changes nothing, by its nature. */
  readonly isReader?: boolean;
  /** It is a plan that the user may start, in Plan alone. */
  readonly plan?: PlanView;
  /** It writes a file inside of the folder, of which no editor has unsaved changes. */
  readonly isEdit?: boolean;
  /** What it would make of a file. */
  readonly preview?: CallPreview;
  /** Allows it always; absent places are not offered. */
  readonly allow?: Readonly<Partial<Record<AllowPlace, () => RuleView>>>;
}
