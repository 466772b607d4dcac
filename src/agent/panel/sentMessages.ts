/** What the user does with messages that were sent. What was said after them stays in the conversation, as a branch. */
import type { BranchStep } from '../../protocol/branches.js';
import type { ComposedPrompt, PromptImage } from '../queue/queue.js';
import type { AgentSession } from '../session/agentSession.js';
import { type AttachedChange, changeAttached } from '../session/composePrompt.js';
import { readUserMessage } from '../transcript/userMessage.js';

/** What the user makes of a message. */
export interface ChangedMessage {
  readonly words: string;
  /** What the model gets for the words. */
  readonly body: ComposedPrompt;
  /** Default: what goes with it stays. */
  readonly attached?: AttachedChange;
}

/** Each method rejects with a {@link HumanError} while something runs, and the conversation is where it was then. */
export class SentMessages {
  /** @param session of the shown conversation. @throws {HumanError} when there is none */
  constructor(private readonly session: () => AgentSession) {}

  /** What the user wrote. */
  wordsOf(messageId: string): string {
    return readUserMessage(this.session().branches.contentOf(messageId)).words;
  }

  /** Its pictures, in order. */
  imagesOf(messageId: string): readonly PromptImage[] {
    return readUserMessage(this.session().branches.contentOf(messageId)).images;
  }

  /** Resolves when a run begins with it. @param change default: none */
  async resend(messageId: string, change?: ChangedMessage): Promise<void> {
    const { branches, queue } = this.session();
    const { text, images, ...sent } = readUserMessage(branches.contentOf(messageId));
    const { attachments } = sent;
    const attached = { text: sent.attached, images };
    const message = change
      ? {
          words: change.words,
          body: change.body,
          ...(change.attached
            ? changeAttached(attached, change.attached)
            : { attached, attachments }),
        }
      : {
          words: sent.words,
          body: { text, images: [] },
          attached: { text: '', images },
          attachments,
        };
    const left = await branches.goBefore(messageId, true);
    try {
      await queue.submit(message, 'next');
    } catch (error) {
      await branches.goTo(left);
      throw error;
    }
  }

  /** As {@link resend}, when what runs has ended for it. */
  async stopAndResend(messageId: string, change?: ChangedMessage): Promise<void> {
    await this.session().stop(true);
    await this.resend(messageId, change);
  }

  /** Shows another message that was sent in the place of one, or the one itself, with what followed it. @returns which */
  async showBranch(messageId: string, step: BranchStep): Promise<string> {
    const by = step === 'itself' ? 0 : step === 'next' ? 1 : -1;
    return await this.session().branches.showAlternative(messageId, by);
  }
}
