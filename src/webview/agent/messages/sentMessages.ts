/** What the user does with messages that were sent: changing one, sending it again, and showing another in its place. */
import * as l10n from '@vscode/l10n';
import type { BranchStep, SentMessage } from '../../../protocol/branches.js';
import type { PageAccess } from '../pageState.js';

/** What it needs of the page. */
interface Page extends PageAccess {
  leaveEnd(): void;
}

export class SentMessages {
  constructor(private readonly page: Page) {}

  async edit({ id, branch }: SentMessage): Promise<void> {
    await this.page.run(async (send) => {
      const { text } = await send('editMessage', { id });
      this.page.change({ editedMessage: { id, text, versions: branch?.of ?? 1 } });
    });
  }

  changeText(text: string): void {
    const { editedMessage } = this.page.state;
    if (editedMessage) {
      this.page.change({ editedMessage: { ...editedMessage, text } });
    }
  }

  leave(): void {
    this.page.change({ editedMessage: undefined });
  }

  /** Ends what runs. What is not taken stays as the user wrote it. Resolves to whether it was sent. */
  async send(): Promise<boolean> {
    const { editedMessage, state } = this.page.state;
    const text = editedMessage?.text.trim();
    if (!editedMessage || !text) {
      return false;
    }
    const { id } = editedMessage;
    const isStopping = state?.status === 'running';
    let isSent = false;
    await this.page.run(async (send) => {
      ({ isSent } = await send('resend', { id, text, isStopping }));
    });
    if (isSent && this.page.state.editedMessage?.id === id) {
      this.leave();
    }
    return isSent;
  }

  async retry(id: string): Promise<void> {
    await this.page.run((send) => send('resend', { id }));
  }

  /** Lets the model go on from what it has done: nothing of it is done again. */
  async goOn(): Promise<void> {
    const text = l10n.t('Continue where you stopped.');
    await this.page.run((send) => send('prompt', { text, kind: 'next' }));
  }

  async fork(id: string): Promise<void> {
    await this.page.run((send) => send('forkFrom', { id }));
  }

  /** Resolves to the message that is shown now, if one is. The reader stays where the message is. */
  async show(id: string, step: BranchStep): Promise<string | undefined> {
    this.page.leaveEnd();
    let shown: string | undefined;
    await this.page.run(async (send) => {
      shown = (await send('showBranch', { id, step })).id;
    });
    return shown;
  }
}
