/** Asks before a page opens, and opens it. @returns whether it was opened */
export type AskToOpen = (url: string, signal: AbortSignal) => Promise<boolean>;

/** Questions in a row that the user may decline before the app is not listened to any more. */
const maxDeclined = 3;

/** Links that an app wants to open, one at a time. */
export class AppLinks {
  private isAsking = false;
  private declined = 0;

  constructor(private readonly ask: AskToOpen) {}

  /** @returns whether it was opened. */
  async open(url: string, signal: AbortSignal): Promise<boolean> {
    if (this.isAsking || this.declined >= maxDeclined || signal.aborted) {
      return false;
    }
    this.isAsking = true;
    try {
      const isOpened = await this.ask(new URL(url).href, signal);
      this.declined = isOpened ? 0 : this.declined + 1;
      return isOpened;
    } finally {
      this.isAsking = false;
    }
  }
}
