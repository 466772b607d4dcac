/** What the user writes, and where it goes: to the model, to the queue, to a command, or back. */
import { asMessage, readCommandLine } from '../../../base/text/commandLine.js';
import type { CommandOutcome } from '../../../protocol/agentProtocol.js';
import type { SendKind } from '../../../protocol/sending.js';
import type { ContextReader } from '../context/contextReader.js';
import { addedTo, type PageAccess } from '../pageState.js';
import type { EditedQueued } from '../savedPage.js';
import type { ToolPicker } from '../tools/toolPicker.js';
import type { DraftKeeper } from './draftKeeper.js';

/** What it needs of the page. */
interface Page extends PageAccess {
  readonly picker: Pick<ToolPicker, 'open'>;
  readonly context: Pick<ContextReader, 'open'>;
}

/** Milliseconds in which the extension says what became of a message that was taken. */
const toldMs = 1_000;
/** Characters up to which suggestions join a draft. */
const maxDraft = 100_000;

export class Sending {
  constructor(
    private readonly page: Page,
    private readonly drafts: Pick<DraftKeeper, 'during'>,
  ) {}

  setDraft(draft: string): void {
    this.page.change({ draft, slashIndex: 0, isSlashMenuClosed: false, refusal: undefined });
  }

  /** Joins the draft, which the user may change, send or drop. No part of it becomes a line to be run. */
  suggest(text: string): void {
    const { draft } = this.page.state;
    if (draft.length + text.length <= maxDraft) {
      this.setDraft(asMessage(draft === '' ? text : `${draft}\n${text}`));
    }
  }

  /** Runs or sends the draft and empties it; what is neither comes back. `kind` says where to while Pi works. */
  async submit(kind: SendKind = 'next'): Promise<void> {
    const text = this.page.state.draft.trim();
    if (!this.hasMessage() || !this.canSubmit()) {
      return;
    }
    const isLine = readCommandLine(this.page.state.draft) !== undefined;
    await this.drafts.during(() =>
      isLine || text.startsWith('/') ? this.runCommand(text, kind) : this.deliver(text, kind),
    );
  }

  /** Sends the draft, also when it looks like a command. */
  async sendDraft(): Promise<void> {
    const text = this.page.state.draft.trim();
    if (this.hasMessage()) {
      await this.drafts.during(() => this.deliver(text, 'next'));
    }
  }

  /** What is attached may be all that there is to say. */
  hasMessage(): boolean {
    const { draft, inputs } = this.page.state;
    const line = readCommandLine(draft);
    return line ? line.command !== '' : draft.trim() !== '' || inputs.attachments.length > 0;
  }

  /** Commands also work without a model. */
  canSubmit(): boolean {
    const { state, draft } = this.page.state;
    return this.isReady() || (state !== undefined && /^[/!]/.test(draft));
  }

  async editQueued(id: string): Promise<void> {
    await this.page.run(async (send) => {
      const original = this.queuedText(id);
      const { text } = await send('editQueued', { id });
      this.page.change({ edited: { id, text, original, removed: [] }, mention: undefined });
    });
  }

  /** Goes on where an earlier page was. What has gone meanwhile joins the draft. */
  async editAgain(edited: EditedQueued): Promise<void> {
    const { id, text, original, removed } = edited;
    const queued = this.queuedText(id);
    const isAsWritten = queued === text && removed.length === 0;
    const isOther = queued !== undefined && original !== undefined && queued !== original;
    if (isAsWritten || isOther) {
      // it was saved after the page was written down
      return;
    }
    const isHeld =
      queued !== undefined && (await this.page.run((send) => send('editQueued', { id })));
    if (isHeld) {
      this.page.change({ edited });
    } else {
      this.suggest(text);
    }
  }

  /** As its row shows it. */
  private queuedText(id: string): string | undefined {
    return this.page.state.state?.queue.messages.find((one) => one.id === id)?.text;
  }

  changeQueued(change: Partial<Omit<EditedQueued, 'id'>>): void {
    const { edited } = this.page.state;
    if (edited) {
      this.page.change({ edited: { ...edited, ...change } });
    }
  }

  joinQueued(text: string): void {
    const { text: before = '' } = this.page.state.edited ?? {};
    this.changeQueued({ text: before === '' ? text : `${before}\n${text}` });
  }

  /** Something of the message that is changed is left to send. */
  hasQueued(): boolean {
    const { edited, state } = this.page.state;
    const message = state?.queue.messages.find(({ id }) => id === edited?.id);
    const added = addedTo(`queue/${edited?.id}`, this.page.state).length;
    const kept = (message?.attachments.length ?? 0) - (edited?.removed.length ?? 0);
    return edited?.text.trim() !== '' || kept + added > 0;
  }

  /** What cannot be saved any more joins the draft. */
  async endEditQueued(isSaved: boolean): Promise<void> {
    const { edited } = this.page.state;
    const text = edited?.text.trim();
    if (!edited || text === undefined || (isSaved && !this.hasQueued())) {
      return;
    }
    this.page.change({ edited: undefined });
    const isDone = await this.page.run((send) =>
      send('endEditQueued', {
        id: edited.id,
        text: isSaved ? text : undefined,
        removed: isSaved && edited.removed.length > 0 ? edited.removed : undefined,
      }),
    );
    if (isSaved && !isDone) {
      this.suggest(edited.text);
    }
  }

  private isReady(): boolean {
    const status = this.page.state.state?.status;
    return status === 'ready' || status === 'running';
  }

  private async deliver(text: string, kind: SendKind): Promise<void> {
    if (!this.isReady()) {
      this.giveBack(asMessage(text));
      return;
    }
    // the first sign of life is here: the extension says more
    const sendingSince = this.page.state.state?.activity ? undefined : Date.now();
    this.page.change({ draft: '', answer: undefined, refusal: undefined, sendingSince });
    let isSent = false;
    await this.page.run(async (send) => {
      isSent = (await send('prompt', { text, kind })).isSent;
    });
    if (!isSent || this.page.state.state?.activity) {
      this.page.change({ sendingSince: undefined });
    } else {
      // it may have been for an extension of Pi, which says nothing
      setTimeout(() => this.page.change({ sendingSince: undefined }), toldMs);
    }
    if (!isSent) {
      this.giveBack(asMessage(text));
    }
  }

  private async runCommand(text: string, kind: SendKind): Promise<void> {
    this.page.change({ draft: '', answer: undefined, refusal: undefined });
    let outcome: CommandOutcome | undefined;
    await this.page.run(async (send) => {
      outcome = await send('runCommand', { text });
    });
    switch (outcome?.kind) {
      case 'text':
        await this.deliver(text, kind);
        break;
      case 'done':
        this.page.change({ answer: outcome.answer });
        if (outcome.opens === 'tools') {
          await this.page.picker.open();
        } else if (outcome.opens === 'context') {
          this.page.context.open();
        }
        break;
      case 'refused':
        this.giveBack(text);
        this.page.change({ refusal: outcome });
        break;
      default:
        this.giveBack(text);
    }
  }

  /** Before what the user has written meanwhile. */
  private giveBack(text: string): void {
    const { draft } = this.page.state;
    this.page.change({ draft: draft === '' ? text : asMessage(`${text}\n${draft}`) });
  }
}
