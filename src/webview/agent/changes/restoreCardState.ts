/** Restores as the page asks for them. */
import { asMessage } from '../../../base/text/commandLine.js';
import type { RestorePart, RestoreView } from '../../../protocol/restoring.js';
import type { PageAccess } from '../pageState.js';
import { currentChoices, type RestoreChoices, withFile, withPart } from './restoreChoices.js';

export class RestoreCardState {
  constructor(private readonly page: PageAccess) {}

  async show(id: string): Promise<void> {
    this.page.change({ restore: undefined });
    await this.page.run((send) => send('showRestore', { id }));
  }

  async leave(): Promise<void> {
    this.page.change({ restore: undefined });
    await this.page.run((send) => send('leaveRestore', undefined));
  }

  choosePart(view: RestoreView, part: RestorePart, isChosen: boolean): void {
    this.page.change({ restore: withPart(this.choices(view), part, isChosen) });
  }

  chooseFile(view: RestoreView, id: string, isChosen: boolean): void {
    this.page.change({ restore: withFile(this.choices(view), id, isChosen) });
  }

  /** Resolves to whether it was done. The message comes back to be sent in other words. */
  async restore(view: RestoreView): Promise<boolean> {
    const { parts, files } = this.choices(view);
    const chosen = (isChosen: boolean) =>
      [...files].flatMap(([id, is]) => (is === isChosen ? [id] : []));
    let isDone = false;
    await this.page.run(async (send) => {
      const result = await send('restore', {
        stamp: view.stamp,
        files: parts.has('files'),
        conversation: parts.has('conversation'),
        restored: chosen(true),
        left: chosen(false),
      });
      isDone = result.isDone;
      if (isDone) {
        this.page.change({ restore: undefined });
      }
      if (result.draft !== undefined && this.page.state.draft === '') {
        this.page.change({ draft: asMessage(result.draft) });
      }
    });
    return isDone;
  }

  private choices(view: RestoreView): RestoreChoices {
    return currentChoices(view, this.page.state.restore);
  }
}
