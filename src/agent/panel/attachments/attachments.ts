/** What the user attached to the next message of each conversation; it outlives the window, as drafts do. */
import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type { Disposable } from '../../../base/disposable.js';
import { HumanError } from '../../../base/errors.js';
import { Emitter, type Event } from '../../../base/event.js';
import { maxImages } from '../../../base/pictures/acceptedImage.js';
import { readImageHeader } from '../../../base/pictures/imageHeader.js';
import { countBeginning, type TokenCounter } from '../../../mcp/catalog/tokens/tokenEstimate.js';
import { type Attachment, type KeptAttachment, readKept } from './attachment.js';

export interface AttachmentStore {
  write(conversation: string, list: readonly KeptAttachment[]): Promise<void>;
  /** `undefined`: nothing was attached. */
  read(conversation: string): Promise<unknown>;
}

export interface AttachmentsOptions {
  /** Of the shown one; empty while there is none. */
  readonly conversation: () => string;
  readonly store: AttachmentStore;
  readonly lists: AttachedLists;
  readonly loadCounter: () => Promise<TokenCounter>;
  readonly log: (error: unknown) => void;
}

/** Of one message. */
const maxAttachments = 20;
/** Characters of which tokens are counted; more are estimated by them. */
const countedLength = 40_000;
/** What is attached of a conversation that is in no file yet. */
const nowhere = '';

/** What is attached in a window: a conversation may go on in another panel of it. */
export class AttachedLists implements Disposable {
  private readonly changeEmitter = new Emitter<void>();
  readonly all = new Map</* conversation */ string, readonly KeptAttachment[]>();
  readonly onDidChange = this.changeEmitter.event;

  set(conversation: string, list: readonly KeptAttachment[]): void {
    this.all.set(conversation, list);
    this.changeEmitter.fire();
  }

  dispose(): void {
    this.changeEmitter.dispose();
  }
}

export class Attachments {
  constructor(private readonly options: AttachmentsOptions) {}

  /** Of any conversation of the window. */
  get onDidChange(): Event<void> {
    return this.options.lists.onDidChange;
  }

  private get lists(): AttachedLists['all'] {
    return this.options.lists.all;
  }

  /** Of the shown conversation. */
  get list(): readonly KeptAttachment[] {
    return this.lists.get(this.options.conversation()) ?? [];
  }

  private of(conversation: string): readonly KeptAttachment[] {
    return this.lists.get(conversation) ?? [];
  }

  /** Takes up what is kept of the shown conversation. Never rejects. */
  async load(): Promise<void> {
    const conversation = this.options.conversation();
    if (conversation === nowhere || this.lists.has(conversation)) {
      return;
    }
    const early = this.of(nowhere);
    this.lists.delete(nowhere);
    // what is attached meanwhile comes after it
    this.lists.set(conversation, early);
    const stored = readKept(await this.options.store.read(conversation).catch(() => undefined));
    if (stored.length > 0 || early.length > 0) {
      const ids = new Set(stored.map(({ id }) => id));
      const others = this.of(conversation).filter(({ id }) => !ids.has(id));
      await this.set(conversation, [...stored, ...others]);
    }
  }

  /**
   * The same twice is one. Resolves when the disk has it.
   * @param read what a file holds, which is read again when it is sent
   * @throws {HumanError} when there are too many
   */
  async add(what: Attachment, read: Attachment = what): Promise<void> {
    const conversation = this.options.conversation();
    const tokens = await this.tokensOf(read);
    const others = this.of(conversation).filter((one) => !isSame(one.what, what));
    const images = others.filter((one) => one.what.kind === 'image');
    if (others.length >= maxAttachments || (what.kind === 'image' && images.length >= maxImages)) {
      throw tooMany();
    }
    await this.set(conversation, [...others, { id: randomUUID(), what, tokens }]);
  }

  /** As it was attached. @throws {HumanError} when it has gone */
  get(id: string): Attachment {
    const found = this.list.find((one) => one.id === id);
    if (!found) {
      throw new HumanError('attachment_gone', l10n.t('This is not there any more.'));
    }
    return found.what;
  }

  remove(id: string): void {
    const conversation = this.options.conversation();
    const kept = this.of(conversation).filter((one) => one.id !== id);
    if (kept.length < this.of(conversation).length) {
      void this.set(conversation, kept);
    }
  }

  /** They were sent. What was attached since stays. */
  clear(sent: readonly KeptAttachment[]): void {
    const ids = new Set(sent.map(({ id }) => id));
    for (const [conversation, list] of this.lists) {
      const kept = list.filter(({ id }) => !ids.has(id));
      if (kept.length < list.length) {
        void this.set(conversation, kept);
      }
    }
  }

  /** Takes effect at once. Never rejects. */
  private async set(conversation: string, list: readonly KeptAttachment[]): Promise<void> {
    this.options.lists.set(conversation, list);
    if (conversation !== nowhere) {
      await this.options.store.write(conversation, list).catch(this.options.log);
    }
  }

  /** Estimated; `undefined` for what is read later. */
  private async tokensOf(what: Attachment): Promise<number | undefined> {
    if (what.kind === 'image') {
      return imageTokens(what.data);
    }
    if (what.kind !== 'text') {
      return undefined;
    }
    const count = await this.options.loadCounter();
    return countBeginning(what.text, count, countedLength);
  }
}

/** As providers shrink and charge them, roughly. */
function imageTokens(data: string): number | undefined {
  const size = readImageHeader(Buffer.from(data.slice(0, 700_000), 'base64'))?.size;
  if (!size) {
    return undefined;
  }
  const scale = Math.min(1, 1_568 / Math.max(size.width, size.height));
  return Math.max(1, Math.round((size.width * size.height * scale * scale) / 750));
}

function isSame(a: Attachment, b: Attachment): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function tooMany(): HumanError {
  return new HumanError('too_many_attachments', l10n.t('Nothing more can be attached.'), {
    remedy: l10n.t('Remove one first.'),
  });
}
