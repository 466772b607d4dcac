/** The stored conversations of the folder that a panel shows: found, named, copied, deleted and brought back. */
import { basename, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import { type MaskText, maskDocument } from '../../config/secrets/secretMask.js';
import {
  type ConversationInfo,
  conversationPath,
  deleteConversation,
  listConversations,
  restoreConversation,
} from './conversations.js';
import { conversationDocument, conversationMarkdown, searchedText } from './conversationText.js';
import { readConversation } from './storedConversation.js';

export interface ListedConversation extends ConversationInfo {
  /** It is the one that the panel shows. */
  readonly isShown: boolean;
}

/** The conversation that is open, as far as the library has to do with it. */
export interface OpenConversation {
  /** Absolute; the file may not exist yet. */
  readonly file: string | undefined;
  rename(name: string): void;
}

export interface LibraryOptions {
  /** Absolute; may not exist. */
  readonly directory: () => string;
  readonly shown: () => OpenConversation | undefined;
  /** Ends the shown one and shows another, or a new one. */
  readonly show: (id: string | undefined) => Promise<void>;
  /** Name of the folder; absent for a window without folders. */
  readonly folderName: () => string | undefined;
  /** Hides what the configuration keeps secret, and what looks like a secret. */
  readonly mask: () => MaskText;
  /** Opens files that no panel shows. */
  readonly files: () => Promise<ConversationFiles>;
}

/** What only Pi can do with the file of a conversation. Both reject when another window shows it. */
export interface ConversationFiles {
  rename(path: string, name: string): Promise<void>;
  /** @param end id of the last message that is copied; default: all. @returns the absolute path of the copy. */
  copy(path: string, name: string, end?: string): Promise<string>;
}

/** Characters. */
const maxNameLength = 200;

export class ConversationLibrary {
  private readonly texts = new Map<
    /* absolute path */ string,
    { readonly modifiedAt: number; readonly text: string }
  >();

  constructor(private readonly options: LibraryOptions) {}

  /** Newest first. Loads nothing of Pi. */
  async list(): Promise<readonly ListedConversation[]> {
    const directory = this.options.directory();
    const listed = await listConversations(directory);
    const shown = this.options.shown()?.file;
    return listed.map((one) => ({ ...one, isShown: join(directory, one.id) === shown }));
  }

  /** Ends the shown conversation and goes on with another one of the folder. */
  async open(id: string): Promise<void> {
    const file = this.options.shown()?.file;
    if (file === undefined || basename(file) !== id) {
      await this.options.show(id);
    }
  }

  /** An empty name takes the name away, so that the first request is the title again. */
  async rename(id: string, name: string): Promise<void> {
    const path = this.pathOf(id);
    const oneLine = name.replace(/\s+/g, ' ').trim().slice(0, maxNameLength);
    const shown = this.options.shown();
    if (shown?.file === path) {
      shown.rename(oneLine);
    } else {
      await (await this.options.files()).rename(path, oneLine);
    }
  }

  /** Shows a copy, which goes on by itself. @param end id of Pi's of the message that is its last one; default: all */
  async fork(id: string, end?: string): Promise<void> {
    const path = this.pathOf(id);
    const title = (await this.list()).find((one) => one.id === id)?.title;
    if (title === undefined) {
      throw new HumanError('no_conversation', l10n.t('This conversation has no answer yet.'), {
        remedy: l10n.t('Copy it once there is something to go on from.'),
      });
    }
    const files = await this.options.files();
    await this.options.show(basename(await files.copy(path, l10n.t('Fork of {0}', title), end)));
  }

  /** As {@link fork}, of what was said in the shown one up to a message. */
  async forkFrom(messageId: string): Promise<void> {
    await this.fork(basename(this.options.shown()?.file ?? ''), messageId);
  }

  /** When it is the shown one, a new one is shown in its place. {@link restore} brings it back for a day. */
  async delete(id: string): Promise<void> {
    const path = this.pathOf(id);
    if (this.options.shown()?.file === path) {
      await this.options.show(undefined);
    }
    await deleteConversation(path);
  }

  async restore(id: string): Promise<void> {
    await restoreConversation(this.pathOf(id));
  }

  /** To be read elsewhere: without secrets. */
  async markdown({ id, title }: ConversationInfo): Promise<string> {
    const { mask, folderName } = this.options;
    const heading = { title, folder: folderName() };
    return mask()(conversationMarkdown(heading, await readConversation(this.pathOf(id))));
  }

  /** As {@link markdown}, for programs. */
  async json({ id, title }: ConversationInfo): Promise<string> {
    const { mask, folderName } = this.options;
    const heading = { title, folder: folderName() };
    const document = conversationDocument(heading, await readConversation(this.pathOf(id)));
    return `${JSON.stringify(maskDocument(document, mask()), undefined, 2)}\n`;
  }

  /** All words of a conversation. Never rejects: what cannot be read has none. */
  async textOf({ id, modifiedAt }: ConversationInfo): Promise<string> {
    const path = this.pathOf(id);
    const known = this.texts.get(path);
    if (known?.modifiedAt === modifiedAt) {
      return known.text;
    }
    const text = await readConversation(path).then(searchedText, () => '');
    this.texts.set(path, { modifiedAt, text });
    return text;
  }

  private pathOf(id: string): string {
    return conversationPath(this.options.directory(), id);
  }
}
