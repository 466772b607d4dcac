/** What outlives a page: it is discarded while hidden. */
import { asObject, asString, asTexts } from '../../base/json.js';
import type { DraftView } from '../../protocol/drafts.js';
import { readSavedState, saveState } from '../shared/vscodeApi.js';

/** Where a reader is. */
export interface ReadingPlace {
  readonly entryId: string;
  /** Of the entry's top from that of the transcript, in CSS pixels. */
  readonly offset: number;
}

/** A sent message that the user changes. */
export interface EditedMessage {
  readonly id: string;
  readonly text: string;
  /** How many versions of it there were: one more says that it was sent, whatever was saved of the page last. */
  readonly versions: number;
  /** Places of what goes with it, which the user takes out. */
  readonly removed: readonly number[];
}

/** A queued message that the user changes. */
export interface EditedQueued {
  readonly id: string;
  readonly text: string;
  /** What the row of the message showed when the user began to change it. */
  readonly original?: string | undefined;
  /** Places of what goes with it, which the user takes out. */
  readonly removed: readonly number[];
}

export interface SavedPage {
  /** Absent before the first one was shown. */
  readonly conversation?: string | undefined;
  /** URI of the conversation's folder. */
  readonly folder?: string | undefined;
  /** Something was said in it. */
  readonly isBegun?: boolean | undefined;
  readonly draft: string;
  /** The sent message that the user changes. */
  readonly editedMessage?: EditedMessage | undefined;
  /** The queued message that the user changes. */
  readonly edited?: EditedQueued | undefined;
  /** Arguments that the user changes before deciding. */
  readonly editedArgs: ReadonlyMap</* approval id */ string, string>;
  /** Milliseconds since the epoch. */
  readonly draftAt: number;
  /** Absent while the page follows the end. */
  readonly place?: ReadingPlace | undefined;
  /** Parts that the user unfolded. */
  readonly expanded: ReadonlySet<string>;
}

export function savePage(page: SavedPage): void {
  const { conversation, draft, draftAt, editedMessage, edited, editedArgs, place, expanded } = page;
  saveState({
    conversation,
    folder: page.folder,
    isBegun: page.isBegun,
    draft,
    draftAt,
    editedMessage,
    edited,
    editedArgs: [...editedArgs],
    place,
    expanded: [...expanded],
  });
}

export function readSavedPage(): SavedPage {
  const values = asObject(readSavedState());
  const { conversation, draft, draftAt, editedArgs, place, expanded } = values;
  return {
    conversation: asString(conversation),
    folder: asString(values.folder),
    isBegun: values.isBegun === true,
    draft: typeof draft === 'string' ? draft : '',
    draftAt: typeof draftAt === 'number' ? draftAt : 0,
    editedMessage: readEdited(values.editedMessage),
    edited: readEditedQueued(values.edited),
    editedArgs: new Map(Array.isArray(editedArgs) ? editedArgs.filter(isPair) : []),
    place: readPlace(place),
    expanded: new Set(asTexts(expanded)),
  };
}

function isPair(value: unknown): value is readonly [string, string] {
  return (
    Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === 'string')
  );
}

function readEdited(saved: unknown): EditedMessage | undefined {
  const { id, text, versions, removed } = asObject(saved);
  return typeof id === 'string' && typeof text === 'string' && typeof versions === 'number'
    ? { id, text, versions, removed: readPlaces(removed) }
    : undefined;
}

function readEditedQueued(saved: unknown): EditedQueued | undefined {
  const { id, text, original, removed } = asObject(saved);
  return typeof id === 'string' && typeof text === 'string'
    ? { id, text, removed: readPlaces(removed), original: asString(original) }
    : undefined;
}

function readPlaces(saved: unknown): readonly number[] {
  return Array.isArray(saved) ? saved.filter((one) => Number.isSafeInteger(one)) : [];
}

function readPlace(saved: unknown): ReadingPlace | undefined {
  const { entryId, offset } = asObject(saved);
  return typeof entryId === 'string' && typeof offset === 'number'
    ? { entryId, offset }
    : undefined;
}

type Draft = Pick<SavedPage, 'draft' | 'draftAt'>;

/** What of a page's draft and the one that the extension has for the same conversation is newer. */
export function newerDraft(ofPage: Draft, stored: DraftView | undefined): Draft {
  return stored && stored.writtenAt > ofPage.draftAt ? storedDraft(stored) : ofPage;
}

export function storedDraft(stored: DraftView | undefined): Draft {
  return { draft: stored?.text ?? '', draftAt: stored?.writtenAt ?? 0 };
}
