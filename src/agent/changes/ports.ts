import type { Event } from '../../base/event.js';
import type { Content } from './version.js';

/** The files that the agent may write, as the user sees them. */
export interface EditedFiles {
  /** With what an editor has not saved yet. Never rejects. */
  read(path: string): Promise<Content>;
  /** An editor has changes of it that are not saved, which a write saves. Default: none has. */
  isUnsaved?(path: string): boolean;
  /** `absent` deletes. @throws when the file does not hold `expected` any more, or cannot be written */
  write(path: string, content: Buffer | 'absent', expected: Content): Promise<void>;
}

/** Editors of the user, which may hold what is not on disk yet. */
export interface OpenEditors {
  /** The text of an editor that has unsaved changes of the file; with its byte order mark. */
  unsavedText(path: string): string | undefined;
  /** Makes it the text of that editor and saves it, which may change it further. @throws when it is not saved */
  replaceAndSave(path: string, text: string): Promise<void>;
  /** Deletes the file so that the user can get it back. */
  moveToTrash(path: string): Promise<void>;
  /** Somebody changed a file; may tell too much. */
  readonly onDidChange: Event</* path */ string>;
  /** The user moved or renamed a file. */
  readonly onDidMove: Event<{ readonly from: string; readonly to: string }>;
}

/** Told of each write of one call. */
export interface WriteJournal {
  /** Resolves once what the file held is safe. @throws when it cannot be kept: the file must not be written then */
  begin(path: string, before: Content): Promise<void>;
  /** Never rejects. */
  end(after: Content): Promise<void>;
}
