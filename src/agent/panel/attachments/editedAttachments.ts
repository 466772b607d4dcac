/** What is put into messages that the user changes, until they are sent or left. */
import type { Disposable } from '../../../base/disposable.js';
import type { AttachedFile, AttachedImage, AttachedText, KeptAttachment } from './attachment.js';
import { AttachedLists, Attachments, type AttachmentsOptions } from './attachments.js';

/** What goes with messages. */
export interface MessageAttachments {
  /** With the next one. */
  readonly next: Attachments;
  readonly edited: EditedAttachments;
  /** @throws {HumanError} when it cannot be sent */
  readonly readFile: (file: AttachedFile) => Promise<AttachedText | AttachedImage>;
}

/** A message that is changed: one that was sent, or one that waits. */
export function editedKey(of: 'message' | 'queue', id: string): string {
  return `${of}/${id}`;
}

export class EditedAttachments implements Disposable {
  private readonly lists = new AttachedLists();

  readonly onDidChange = this.lists.onDidChange;

  constructor(private readonly options: Pick<AttachmentsOptions, 'loadCounter' | 'log'>) {}

  /** @param key see {@link editedKey} */
  of(key: string): Attachments {
    // they go with the window: so does what was changed of the message
    const store = { write: async () => undefined, read: async () => undefined };
    return new Attachments({
      ...this.options,
      store,
      lists: this.lists,
      conversation: () => key,
    });
  }

  get all(): readonly { readonly key: string; readonly list: readonly KeptAttachment[] }[] {
    const all = [...this.lists.all].map(([key, list]) => ({ key, list }));
    return all.filter(({ list }) => list.length > 0);
  }

  forget(key: string): void {
    if (this.lists.all.delete(key)) {
      this.lists.set(key, []);
      this.lists.all.delete(key);
    }
  }

  dispose(): void {
    this.lists.dispose();
  }
}
