/** What fills the context, while the user looks at it. It is asked for when it is opened, and when a turn ends. */
import type { ContextUsageView } from '../../../protocol/context.js';
import { focusLater } from '../../shared/inputs.js';
import type { LimitsDraft, PageAccess } from '../pageState.js';

export const contextButtonId = 'context-button';
export const contextPanelId = 'context-panel';

export class ContextReader {
  private usage = '';

  constructor(private readonly page: PageAccess) {}

  toggle(): void {
    if (this.page.state.context) {
      this.close();
    } else {
      this.open();
    }
  }

  open(): void {
    this.page.change({ context: {} });
    focusLater(`#${contextPanelId}`);
    void this.read();
  }

  close(): void {
    this.leave();
    focusLater(`#${contextButtonId}`);
  }

  /** Without taking the focus anywhere. */
  leave(): void {
    if (this.page.state.context) {
      this.page.change({ context: undefined });
    }
  }

  /** A turn has ended when the numbers are others. */
  follow(usage: ContextUsageView | undefined): void {
    const now = JSON.stringify(usage ?? null);
    if (now !== this.usage) {
      this.usage = now;
      if (this.page.state.context) {
        void this.read();
      }
    }
  }

  /** `undefined`: no summary after all. */
  writeFocus(focus: string | undefined): void {
    const { context } = this.page.state;
    if (context) {
      this.page.change({ context: { ...context, focus, limits: undefined } });
    }
  }

  /** `undefined`: they stay as they are. */
  writeLimits(limits: LimitsDraft | undefined): void {
    const { context } = this.page.state;
    if (context) {
      this.page.change({ context: { ...context, limits, focus: undefined } });
    }
  }

  /** @param limits empty: the default ones */
  async setLimits(limits: { above?: number; keeps?: number }): Promise<void> {
    if (await this.page.run((send) => send('setCompactionLimits', limits))) {
      // the form keeps the keys until what takes its place is there
      await this.read();
      this.writeLimits(undefined);
      focusLater('#change-limits');
    }
  }

  async setAutomatic(isOn: boolean): Promise<void> {
    if (await this.page.run((send) => send('setAutoCompaction', { isOn }))) {
      await this.read();
      focusLater('#auto');
    }
  }

  async compact(): Promise<void> {
    const focus = this.page.state.context?.focus?.trim();
    this.leave();
    focusLater('#composer-text');
    await this.page.run((send) => send('compact', focus ? { focus } : {}));
  }

  private async read(): Promise<void> {
    await this.page.run(async (send) => {
      const view = await send('readContext', undefined);
      const { context } = this.page.state;
      if (context && view) {
        this.page.change({ context: { ...context, view } });
      }
    });
  }
}
