/** Gives the extension every draft, which keeps it with its conversation: one at a time, always the latest. */
import type { DraftView } from '../../../protocol/drafts.js';
import type { Send } from '../pageState.js';

interface KeptDraft {
  readonly conversation: string;
  readonly draft: DraftView;
}

export class DraftKeeper {
  /** By conversation, since another one may be shown before this is sent. */
  private readonly waiting = new Map</* conversation */ string, DraftView>();
  private isSending = false;
  private held = 0;

  constructor(private readonly send: Send) {}

  keep({ conversation, draft }: KeptDraft): void {
    this.waiting.set(conversation, draft);
    void this.sendWaiting();
  }

  /** What the user has just sent stays kept as a draft until the work is done: it is nowhere else before. */
  async during(work: () => Promise<void>): Promise<void> {
    this.held++;
    try {
      await work();
    } finally {
      this.held--;
      void this.sendWaiting();
    }
  }

  /** What cannot be kept is tried again with the next change. Never rejects. */
  private async sendWaiting(): Promise<void> {
    if (this.isSending) {
      return;
    }
    this.isSending = true;
    for (let next = this.next(); next; next = this.next()) {
      this.waiting.delete(next.conversation);
      // without an extension there is nobody to keep it but the page
      await this.send('keepDraft', next).catch(() => undefined);
    }
    this.isSending = false;
  }

  private next(): KeptDraft | undefined {
    const [first] = this.held > 0 ? [] : this.waiting;
    return first && { conversation: first[0], draft: first[1] };
  }
}
