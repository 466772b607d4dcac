/** Which tools one conversation gives its model, as its page shows and changes them. */

/**
 * What holds for every server and tool that the user has not switched one by one: `all`, `readOnly`, or a named profile
 * as `user:name` or `folder:name`.
 */
export type ToolProfileId = string;

/** `undefined` for those without a name. */
export function namedProfile(
  id: ToolProfileId,
): { readonly source: 'user' | 'folder'; readonly name: string } | undefined {
  const [, source, name] = /^(user|folder):(.{1,100})$/su.exec(id) ?? [];
  return name === undefined ? undefined : { source: source === 'user' ? 'user' : 'folder', name };
}

export function isToolProfile(id: string): boolean {
  return id === 'all' || id === 'readOnly' || namedProfile(id) !== undefined;
}

export interface NamedProfileView {
  readonly id: ToolProfileId;
  /** With hidden characters shown. */
  readonly label: string;
  /** Whose it is, or that it is missing: a sentence. */
  readonly title: string;
}

/** How the model gets a tool that is not simply given to it. */
export type ToolMark =
  /** A search of the model found it, and it is given since. */
  | 'found'
  /** The model has to search for it. */
  | 'searched'
  /** The model calls it through the tool `mcp`. */
  | 'gateway';

export interface ToolRowView {
  /** As its server calls it. */
  readonly name: string;
  /** With hidden characters shown; absent where it has none. */
  readonly label?: string;
  readonly description: string;
  readonly isOn: boolean;
  /** What its definition takes of a request that has it. */
  readonly tokens: number;
  readonly mark?: ToolMark;
  /** Its server says that it only reads; of Pi's own tools it is known. */
  readonly isReadOnly?: true;
  /** Why no switch of the conversation gives it; a full sentence. */
  readonly locked?: string;
}

export interface ToolGroupView {
  /** Name of the server; empty for Pi's own tools. */
  readonly server: string;
  /** With hidden characters shown; absent where it has none. */
  readonly label?: string;
  /** Whether tools that it gets later are on. */
  readonly takesNew: boolean;
  /** Why it may not answer now; one word or two. */
  readonly state?: string;
  readonly tools: readonly ToolRowView[];
}

export interface ToolChoiceView {
  readonly profile: ToolProfileId;
  /** Those with a name, the chosen one among them. */
  readonly profiles: readonly NamedProfileView[];
  /** Something was switched on top of the profile. */
  readonly isChanged: boolean;
  readonly groups: readonly ToolGroupView[];
  /** What every request carries of tools: as it is, and with all of them on. */
  readonly tokens: { readonly now: number; readonly all: number };
}

/** A change of the user, for this conversation alone. */
export type ToolChange =
  | { readonly kind: 'profile'; readonly profile: ToolProfileId }
  /** Some tools; without `tools` all of the server, those that come later included. */
  | {
      readonly kind: 'switch';
      readonly server: string;
      readonly tools?: readonly string[];
      readonly isOn: boolean;
    }
  | { readonly kind: 'reset' };

/** Counts for the head of the page. */
export interface ToolCountView {
  readonly mcp: number;
  readonly builtIn: number;
  /** With those that are off here. */
  readonly all: number;
  /** Another one whenever {@link ToolChoiceView} may be another. */
  readonly stamp: number;
}

export interface ToolChoiceRequests {
  readTools: { params: undefined; result: ToolChoiceView };
  /** Asks for a name, and keeps what is on as a profile of the user. */
  saveProfile: { params: undefined; result: ToolChoiceView };
  changeTools: { params: ToolChange; result: ToolChoiceView };
}
