/**
 * What waits for the user's consent, and the messages between its page and the extension. Plain JSON. Values are data of
 * others, as they are: the page escapes what cannot be read without doubt.
 */
import type { MessageMap } from '../messages.js';

export interface ConsentView {
  /** Nothing of the workspace may run, and nothing is asked. */
  readonly isRestricted: boolean;
  readonly cards: readonly ConsentCard[];
  /** Those that the page is about. */
  readonly folders: readonly ConsentFolder[];
}

export interface ConsentFolder {
  readonly uri: string;
  readonly name: string;
  /** Later entries of it start too. */
  readonly isTrusted: boolean;
}

interface ConsentPart {
  readonly text: string;
  /** It is of others; else it is a word of ours. */
  readonly isValue: boolean;
  /** It is what differs from the line beside it. Default: it is not. */
  readonly isChanged?: boolean;
}

export type ConsentText = readonly ConsentPart[];

export interface ConsentLine {
  /** Default: another one. */
  readonly kind?: 'command' | 'address' | 'trait';
  readonly label: string;
  /** Of a command its program and each argument, else one. */
  readonly rows: readonly ConsentText[];
  readonly change: 'same' | 'added' | 'removed';
}

/** What waits of a server: its start, or one thing that it says to a model in other words than before. */
export interface ConsentCard {
  /** It is something that the server says. Default: it is its start. */
  readonly isDefinition?: boolean;
  /** Of the server. */
  readonly id: string;
  /** Of everything that an answer is about; another text has another one. */
  readonly hash: string;
  readonly name: string;
  /** Default: it is a server of the user. */
  readonly folderUri?: string;
  /** Default: there is one folder only. */
  readonly folder?: string;
  /** Why it asks, where the lines do not say so. */
  readonly note?: string;
  readonly lines: readonly ConsentLine[];
  readonly source: { readonly path: string; readonly line?: number };
  /** The last commit of its file. Default: none is known. */
  readonly commit?: ConsentText;
  /** Nothing about it is odd. */
  readonly isPlain: boolean;
}

/** A card as the page showed it. */
export interface ConsentChoice {
  readonly id: string;
  readonly hash: string;
}

export interface ConsentOutcome {
  /** Names of servers that are not what was shown any more, for which nothing was granted. */
  readonly refused: readonly string[];
}

export interface ConsentRequests extends MessageMap {
  /** Reads what waits now; starts nothing. */
  look: { params: undefined; result: ConsentView };
  /** The page has what waits then when the reply comes, or is gone. */
  trust: { params: { cards: readonly ConsentChoice[] }; result: ConsentOutcome };
  /** @param cards all of the folder, as they were shown */
  trustFolder: {
    params: { uri: string; cards: readonly ConsentChoice[] };
    result: ConsentOutcome;
  };
  leave: { params: undefined; result: undefined };
  /** Opens the file of a card at its entry. */
  openFile: { params: { id: string }; result: undefined };
  manageTrust: { params: undefined; result: undefined };
}

export interface ConsentEvents extends MessageMap {
  /** Something else waits. */
  view: { params: ConsentView; result: undefined };
}
