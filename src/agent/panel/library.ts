/** The stored conversations of the folder that a panel shows: found, named, copied, deleted and brought back. */
import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import type { Event } from '../../base/event.js';
import { type MaskText, maskDocument } from '../../config/secrets/secretMask.js';
import { byState, type ConversationState } from './conversationState.js';
import {
  type ConversationInfo,
  type ConversationPlace,
  conversationPath,
  deleteConversation,
  listConversations,
  restoreConversation,
} from './conversations.js';
import { conversationDocument, conversationMarkdown, searchableText } from './conversationText.js';
import { readConversation } from './storedConversation.js';

export interface ListedConversation extends ConversationInfo {
  /** It is the one that the panel shows. */
  readonly isShown: boolean;
  readonly state: ConversationState;
  /** Files that it changed. */
  readonly changedFiles: number;
  /** Bytes on disk of what those files held. */
  readonly keptBytes: number;
}

/** A conversation that is live, as far as the library has to do with it. */
export interface OpenConversation {
  readonly id: string;
  /** Absolute; the file may not exist yet. */
  readonly file: string | undefined;
  readonly isShown: boolean;
  /** Milliseconds since the epoch. */
  readonly openedAt: number;
  /** Absent before its first message. */
  readonly title: string | undefined;
  readonly state: ConversationState;
  readonly changedFiles: number;
  rename(name: string): void;
}

export interface LibraryOptions {
  /** Of the shown folder. New conversations begin in the first one. */
  readonly places: () => Promise<readonly ConversationPlace[]>;
  /** Those of the shown folder. */
  readonly live: () => readonly OpenConversation[];
  /** Fires when one of {@link live} is in another state. */
  readonly onDidChange: Event<void>;
  /** Shows another conversation of the folder, or a new one; the one before goes on. */
  readonly show: (id: string | undefined) => Promise<void>;
  /** Shows something else in the place of the shown one, which is about to be deleted. */
  readonly leave: () => Promise<void>;
  /** Ends a conversation that is live. */
  readonly close: (id: string) => Promise<void>;
  /** Name of the folder; absent for a window without folders. */
  readonly folderName: () => string | undefined;
  /** Hides what the configuration keeps secret, and what looks like a secret. */
  readonly mask: () => MaskText;
  /** Opens files of conversations that are not live. */
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
const maxRequests = 200;

export class ConversationLibrary {
  private readonly texts = new Map<
    /* conversation id */ string,
    { readonly modifiedAt: number; readonly text: string }
  >();

  /** What {@link list} says may be another. */
  readonly onDidChange: Event<void>;

  constructor(private readonly options: LibraryOptions) {
    this.onDidChange = options.onDidChange;
  }

  /** Those that wait for the user first, then those that work, then the newest. Loads nothing of Pi. */
  async list(): Promise<readonly ListedConversation[]> {
    const stored = await listConversations(await this.options.places());
    const live = this.options.live();
    const isStored = new Set(stored.map(({ id }) => id));
    // before the first answer there is no file
    const begun = live.filter(({ id, title }) => title !== undefined && !isStored.has(id));
    return [
      ...stored.map(({ end, ...info }) => {
        const open = live.find(({ id }) => id === info.id);
        return { ...info, isShown: false, state: end, ...(open && liveFacts(open, info.title)) };
      }),
      ...begun.map((open) => ({
        id: open.id,
        modifiedAt: open.openedAt,
        keptBytes: 0,
        ...liveFacts(open, ''),
      })),
    ].sort(byState);
  }

  /** Shows another conversation of the folder; the one before goes on. */
  async open(id: string): Promise<void> {
    if (!this.liveOne(id)?.isShown) {
      await this.options.show(id);
    }
  }

  /** An empty name takes the name away, so that the first request is the title again. */
  async rename(id: string, name: string): Promise<void> {
    const path = await this.pathOf(id);
    const oneLine = name.replace(/\s+/g, ' ').trim().slice(0, maxNameLength);
    const live = this.liveOne(id);
    if (live) {
      live.rename(oneLine);
    } else {
      await (await this.options.files()).rename(path, oneLine);
    }
  }

  /** Shows a copy, which goes on by itself. @param end id of Pi's of the message that is its last one; default: all */
  async fork(id: string, end?: string): Promise<void> {
    const { path, title } = await this.answered(id);
    const files = await this.options.files();
    await this.options.show(basename(await files.copy(path, l10n.t('Fork of {0}', title), end)));
  }

  /** As {@link fork}, of what was said in the shown one up to a message. */
  async forkFrom(messageId: string): Promise<void> {
    await this.fork(this.options.live().find(({ isShown }) => isShown)?.id ?? '', messageId);
  }

  /** What runs in it ends. When it is the shown one, a new one is shown in its place. {@link restore} brings it back for a day. */
  async delete(id: string): Promise<void> {
    const path = await this.pathOf(id);
    const live = this.liveOne(id);
    if (live?.isShown) {
      await this.options.leave();
    }
    if (live) {
      await this.options.close(id);
    }
    await deleteConversation(path);
  }

  async restore(id: string): Promise<void> {
    await restoreConversation(await this.pathOf(id));
  }

  /** To be read elsewhere: without secrets. */
  async markdown({ id }: Pick<ConversationInfo, 'id'>): Promise<string> {
    const { mask, folderName } = this.options;
    const { path, title } = await this.answered(id);
    const heading = { title, folder: folderName() };
    return mask()(conversationMarkdown(heading, await readConversation(path)));
  }

  /** As {@link markdown}, for programs. */
  async json({ id }: Pick<ConversationInfo, 'id'>): Promise<string> {
    const { mask, folderName } = this.options;
    const { path, title } = await this.answered(id);
    const heading = { title, folder: folderName() };
    const document = conversationDocument(heading, await readConversation(path));
    return `${JSON.stringify(maskDocument(document, mask()), undefined, 2)}\n`;
  }

  /** All words of a conversation. Never rejects: what cannot be read has none. */
  async textOf({ id, modifiedAt }: ConversationInfo): Promise<string> {
    const known = this.texts.get(id);
    if (known?.modifiedAt === modifiedAt) {
      return known.text;
    }
    try {
      const text = searchableText(await readConversation(await this.pathOf(id)));
      this.texts.set(id, { modifiedAt, text });
      return text;
    } catch {
      // as far as can be told now
      return '';
    }
  }

  /** What the user sent in the other conversations, the latest first; one that cannot be read has none. */
  async earlierRequests(): Promise<readonly string[]> {
    const others = (await this.list()).filter(({ isShown }) => !isShown);
    let texts: readonly string[] = [];
    for (const { id } of others.sort((a, b) => b.modifiedAt - a.modifiedAt)) {
      if (texts.length >= maxRequests) {
        break;
      }
      const { parts } = await this.pathOf(id)
        .then(readConversation)
        .catch(() => ({ parts: [] }));
      const requests = parts.flatMap((part) => (part.kind === 'request' ? [part.text] : []));
      texts = [...texts, ...requests.reverse().filter((text) => text !== '')];
    }
    return texts.slice(0, maxRequests);
  }

  private async pathOf(id: string): Promise<string> {
    return await conversationPath(await this.options.places(), id);
  }

  private liveOne(id: string): OpenConversation | undefined {
    return this.options.live().find((one) => one.id === id);
  }

  /** @throws {HumanError} while there is nothing of it on disk. */
  private async answered(id: string): Promise<{ readonly path: string; readonly title: string }> {
    const stored = await listConversations(await this.options.places());
    const title = stored.find((one) => one.id === id)?.title;
    if (title === undefined) {
      throw new HumanError('no_conversation', l10n.t('This conversation has no answer yet.'), {
        remedy: l10n.t('Try again once Pi has answered.'),
      });
    }
    return { path: await this.pathOf(id), title: this.liveOne(id)?.title ?? title };
  }
}

function liveFacts({ isShown, title, state, changedFiles }: OpenConversation, stored: string) {
  return { isShown, title: title ?? stored, state, changedFiles };
}
