/**
 * Messages between the page of a server and the extension; its tabs have channels of their own. Plain JSON. Which server
 * the page is about is not for the page to say. Texts of servers are only ever text.
 */
import type { JsonObject } from '../../base/json.js';
import type { McpServerStateKind } from '../../mcp/mcpTypes.js';
import type { IconView } from '../agentProtocol.js';
import type { DoctorFact } from '../doctor/doctorProtocol.js';
import type { MessageMap } from '../messages.js';

export const serverTabs = ['overview', 'tools', 'traffic', 'settings'] as const;
export type ServerTab = (typeof serverTabs)[number];

/** Scopes of the channels of tabs. */
export const trafficScope = 'traffic';
export const settingsScope = 'settings';
export function toolScope(tool: string): string {
  return `tool ${tool}`;
}

/** Buttons about a newer version of what the entry pins. */
export const updateActions = ['checkUpdates', 'compareTools', 'skipVersion', 'update'] as const;
export type UpdateAction = (typeof updateActions)[number];

/** Buttons of the page; all but those of {@link updateActions} are a command about the server. */
export const serverActions = [
  ...updateActions,
  'answer',
  'fix',
  'folders',
  'log',
  'move',
  'openFile',
  'openServer',
  'restart',
  'review',
  'share',
  'signIn',
  'signOut',
  'useAccount',
  'start',
  'stop',
  'stopCopies',
  'tasks',
  'trust',
] as const;
export type ServerAction = (typeof serverActions)[number];

/** A line of the overview; `code` is text as it is run. */
export interface ServerFact extends DoctorFact {
  readonly isCode?: boolean;
}

export interface ServerSection {
  readonly title: string;
  readonly facts: readonly ServerFact[];
  readonly actions: readonly { readonly action: ServerAction; readonly title: string }[];
}

/** Why it does not work, and the one thing to do. */
export interface ServerBanner {
  readonly isError: boolean;
  readonly sentence: string;
  readonly more: readonly string[];
  readonly evidence: readonly string[];
}

export interface ServerToolView {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly picture?: IconView;
  /** `read-only`, `destructive` and what else deserves a word, localized. */
  readonly badges: readonly string[];
  /** Tokens, calls and failures, localized. */
  readonly figures: string;
  /** What the entry says in place of the server, localized. Default: nothing. */
  readonly override?: string;
  /** `undefined`: nobody knows, or nobody may say. */
  readonly isOn?: boolean;
}

export const offerKinds = ['resource', 'prompt', 'skill'] as const;
export type OfferKind = (typeof offerKinds)[number];
export const offerUses = ['open', 'attach'] as const;
export type OfferUse = (typeof offerUses)[number];

/** Something that the server offers beside tools. */
export interface ServerOfferView {
  readonly kind: OfferKind;
  /** Of no other one of its kind: the address of a resource, else the name. */
  readonly key: string;
  readonly name: string;
  /** May be empty. */
  readonly detail: string;
  readonly picture?: IconView;
}

export interface ServerView {
  /** What the page writes down, and a reload of the window hands back to the extension. */
  readonly subject: JsonObject;
  readonly name: string;
  readonly picture?: IconView;
  /** `gone`: there is none of that name, as `banner` says. */
  readonly state: McpServerStateKind | 'gone';
  readonly icon: string;
  /** At most six words. */
  readonly reason: string;
  /** Where it is from: a folder, or the user. */
  readonly place: string;
  readonly isEnabled: boolean;
  /** The one thing to do, where something is wrong. */
  readonly fix?: string;
  /** What of these is offered now. */
  readonly lifecycle: readonly ('start' | 'stop' | 'restart')[];
  readonly banner?: ServerBanner | undefined;
  readonly sections: readonly ServerSection[];
  /** About its entry, which works all the same. */
  readonly suggestions: readonly string[];
  /** The server's own words. */
  readonly instructions?: string;
  readonly tools: readonly ServerToolView[];
  /** What stands in the place of tools where there are none. */
  readonly noTools: string;
  readonly offers: readonly ServerOfferView[];
}

/** `undefined`: as the page was left. */
export interface ServerPagePlace {
  readonly tab?: ServerTab | undefined;
  readonly tool?: string | undefined;
  /** Of the form, or what it is part of (`oauth`); it is looked at once. */
  readonly field?: string | undefined;
}

export type ServerPageStart =
  | ({ readonly kind: 'server'; readonly view: ServerView } & ServerPagePlace)
  /** One tab alone: traffic from a file, or a form that has no server. */
  | { readonly kind: 'alone'; readonly tab: ServerTab; readonly subject: JsonObject };

/** What the user says of a tool in place of its server, to be edited. */
export interface OverrideForm {
  /** JSON Schema; what it says of arguments is the server's. */
  readonly schema: JsonObject;
  /** As the file has it, secrets hidden. */
  readonly override: JsonObject;
  /** Where it is saved. */
  readonly path: string;
}

export interface WeighedOverride {
  /** What the tool costs with it, and without; localized. */
  readonly cost: string;
  /** What of it may be written down while it is not saved: no secret is among it. */
  readonly kept: JsonObject;
}

interface ToolOverrideParams {
  readonly tool: string;
  readonly override: JsonObject;
}

export interface ServerPageRequests extends MessageMap {
  open: { params: undefined; result: ServerPageStart };
  act: { params: { readonly action: ServerAction }; result: undefined };
  setEnabled: { params: { readonly isEnabled: boolean }; result: undefined };
  /** What is measured now of its process; empty while it does not run. */
  measure: { params: undefined; result: { readonly facts: readonly ServerFact[] } };
  switchTool: { params: { readonly tool: string; readonly isOn: boolean }; result: undefined };
  /** A prompt does not go with a message: it begins one. */
  useOffer: {
    params: { readonly kind: OfferKind; readonly key: string; readonly use: OfferUse };
    result: undefined;
  };
  readOverride: { params: { readonly tool: string }; result: OverrideForm };
  /** Writes nothing. */
  weighOverride: { params: ToolOverrideParams; result: WeighedOverride };
  saveOverride: { params: ToolOverrideParams; result: undefined };
  /** The user does something here: the tab stays when another server is looked at. */
  keep: { params: undefined; result: undefined };
}

export interface ServerPageEvents extends MessageMap {
  view: { params: ServerView; result: undefined };
  show: { params: ServerPagePlace; result: undefined };
}
