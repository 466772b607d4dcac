/** Why calls run or ask, and the rules of the user that decide it. */
import type { AgentMode } from './modes.js';

/** Where a rule holds, narrowest first. */
export const ruleScopes = ['conversation', 'folder', 'everywhere'] as const;
export type RuleScope = (typeof ruleScopes)[number];

/** What a rule lets run. */
export type RuleSubject =
  /** A tool of a server, as long as it stays what the user saw. */
  | { readonly kind: 'tool'; readonly server: string; readonly tool: string }
  /** A tool of Pi or of an extension, for whatever it is called with. */
  | { readonly kind: 'builtIn'; readonly tool: string }
  /** What a shell starts, alone or in a chain: these words, and with `isPrefix` others after them that are no options. */
  | { readonly kind: 'command'; readonly words: readonly string[]; readonly isPrefix: boolean }
  /** A tool for this one text: a command line as it stands, or a place outside of the folder. */
  | { readonly kind: 'call'; readonly tool: string; readonly text: string };

export interface RuleView {
  /** Unlike that of any other rule. */
  readonly id: string;
  readonly scope: RuleScope;
  readonly subject: RuleSubject;
  /** ISO 8601. */
  readonly since: string;
}

/** One command of a line. */
export interface CommandPartView {
  /** As written. */
  readonly text: string;
  /** What allows it. */
  readonly rule?: RuleView;
  /** It only reads, inside of the folder, which needs no rule. */
  readonly reads?: boolean;
}

/** What a question about a command line offers. */
export interface CommandRulesView {
  /** Commands of the line, in their order; empty when it is not understood. */
  readonly parts: readonly CommandPartView[];
  /** What the rules would say that allow the rest; absent when no rule can. */
  readonly offer?: readonly string[];
  /** As `offer`, for other words after the first ones. */
  readonly wide?: readonly string[];
}

/** How the user answered a question. */
type RuleAnswer = 'once' | 'run' | 'deny' | RuleScope;

/** What reads a file without being asked to, and starts what it says. */
export const startKinds = [
  'git',
  /** The configuration of a repository names the file. */
  'gitNamed',
  'hooks',
  'editor',
  'agent',
  'shell',
  'install',
  'container',
  'pipeline',
  /** It has a name as the files of such programs have. */
  'dotted',
] as const;
export type StartKind = (typeof startKinds)[number];

/** Why a call ran, or why it was asked about, as the function that decided it says. */
export type CallReason =
  | { readonly kind: 'rule'; readonly rule: RuleView }
  /** The user's setting `approveTools` names tools that ask, and this is none. */
  | { readonly kind: 'setting' }
  /** An older version: the user let everything run. */
  | { readonly kind: 'yolo' }
  /** The mode of the conversation lets it run. */
  | { readonly kind: 'mode'; readonly mode: AgentMode }
  /** Not run: the user wants a plan first. */
  | { readonly kind: 'plan' }
  /** It reads inside of the folder. */
  | { readonly kind: 'reads' }
  /** It does nothing but call tools that are asked about themselves. */
  | { readonly kind: 'harmless' }
  | {
      readonly kind: 'user';
      readonly answer: RuleAnswer;
      readonly rules?: readonly RuleView[];
      /** What the model was told of a denial. */
      readonly words?: string;
    }
  /** Rules allow every command of the line. */
  | { readonly kind: 'commands'; readonly rules: readonly RuleView[] }
  /** Asked: no rule allows these commands of the line. */
  | { readonly kind: 'parts'; readonly missing: readonly string[] }
  /** Asked: what the line starts is not understood, so no rule can mean it. */
  | { readonly kind: 'unclear' }
  /** Asked: no rule allows it. */
  | { readonly kind: 'default' }
  /** Asked: this pattern of the setting `approveTools` means it. */
  | { readonly kind: 'pattern'; readonly pattern: string }
  /** Asked: a rule allowed the tool, which has changed since. */
  | { readonly kind: 'changed' }
  /** Asked: what it touches is, or may be, outside of the folder. */
  | { readonly kind: 'place' }
  /** Asked: an app wants it, and not the model. */
  | { readonly kind: 'app' }
  /** Asked each time, in every mode: this part of it, or this pattern of the setting `piMcp.agent.alwaysAsk`. */
  | { readonly kind: 'guarded'; readonly text: string; readonly isPattern?: boolean }
  /** Asked each time, whatever rule there is: what it writes starts something later. */
  | { readonly kind: 'starts'; readonly by: StartKind };

/** What a card says of its call. */
export interface CallReasons {
  /** Absent for calls that were not asked about. */
  readonly asked?: CallReason;
  /** Absent until it is decided. */
  readonly ran?: CallReason;
}

/** A change of rules that was made, in one line. */
export interface RuleChangeView {
  readonly change: 'allowed' | 'removed' | 'restored';
  readonly rules: readonly RuleView[];
  /** Takes the change back, as long as the conversation is open. */
  readonly undo: string;
}

export interface RuleRequests {
  /** Where the call of an entry can be allowed from now on. */
  readScopes: { params: { entryId: string }; result: { scopes: readonly RuleScope[] } };
  /** Allows calls like that of the entry from now on. */
  allowLike: { params: { entryId: string; scope: RuleScope }; result: RuleChangeView };
  /** Takes away the rule that let the call of the entry run. */
  removeRule: { params: { entryId: string }; result: RuleChangeView };
  undoRuleChange: { params: { undo: string }; result: RuleChangeView };
}
