/** What the user does with messages that were sent: changing one, sending it again, and showing another in its place. */
import * as l10n from '@vscode/l10n';
import type { BranchStep, SentMessage } from '../../../protocol/branches.js';
import { addedTo, type PageAccess } from '../pageState.js';
import type { EditedMessage } from '../savedPage.js';

/** What it needs of the page. */
interface Page extends PageAccess {
  leaveEnd(): void;
}

export class SentMessageActions {
  constructor(private readonly page: Page) {}

  async edit({ id, branch }: SentMessage): Promise<void> {
    await this.page.run(async (send) => {
      const { text } = await send('editMessage', { id });
      const versions = branch?.of ?? 1;
      const editedMessage = { id, text, versions, removed: [] };
      this.page.change({ editedMessage, mention: undefined });
    });
  }

  change(change: Partial<Pick<EditedMessage, 'text' | 'removed'>>): void {
    const { editedMessage } = this.page.state;
    if (editedMessage) {
      this.page.change({ editedMessage: { ...editedMessage, ...change } });
    }
  }

  joinText(text: string): void {
    const { text: before = '' } = this.page.state.editedMessage ?? {};
    this.change({ text: before === '' ? text : `${before}\n${text}` });
  }

  /** Something of the message that is changed is left to send. */
  get hasMessage(): boolean {
    const { editedMessage, transcript } = this.page.state;
    const { id, text = '', removed = [] } = editedMessage ?? {};
    const entry = transcript.find((one) => one.kind === 'user' && one.message?.id === id);
    const has = entry?.kind === 'user' ? (entry.attachments ?? []) : [];
    const added = addedTo(`message/${id}`, this.page.state).length;
    return text.trim() !== '' || has.length - removed.length + added > 0;
  }

  leave(): void {
    this.page.change({ editedMessage: undefined });
  }

  /** Ends what runs. What is not taken stays as the user wrote it. Resolves to whether it was sent. */
  async send(): Promise<boolean> {
    const { editedMessage, state } = this.page.state;
    const text = editedMessage?.text.trim();
    if (!editedMessage || text === undefined || !this.hasMessage) {
      return false;
    }
    const { id, removed } = editedMessage;
    const isStopping = state?.status === 'running';
    let isSent = false;
    await this.page.run(async (send) => {
      ({ isSent } = await send('resend', {
        id,
        text,
        isStopping,
        removed: removed.length > 0 ? removed : undefined,
      }));
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
