import type { Disposable } from '../../base/disposable.js';
import type { Clock } from '../../platform/clock.js';

/** Readings in a row that found nothing new and after which the next one needs not wait. */
const freeUnchanged = 3;
/** Readings in a row, whatever they found, after which the next one needs not wait. */
const freeReadings = 10;
const firstPauseMs = 5000;
const longestPauseMs = 5 * 60_000;
/** Milliseconds without an announcement after which a row ends. */
const quietMs = 10_000;
/** The same where nothing had changed: who starts a process for every announcement may need long for the next one. */
const quietUnchangedMs = 60_000;

export interface ListPaceOptions {
  readonly clock: Clock;
  /** Reads the list again. Never rejects. @returns whether it is another one now. */
  readonly read: () => Promise<boolean>;
  /** Announcements now wait as many milliseconds before the list is read; 0: they do not wait. */
  readonly onDidChangePause: (pauseMs: number) => void;
}

/**
 * When a list is read again that its server says has changed: at once, never twice at the same time, and more and more
 * rarely where the server says so without end although nothing has changed. The last announcement is never lost.
 */
export class ListPace implements Disposable {
  private phase: 'quiet' | 'reading' | 'resting' = 'quiet';
  private timer: Disposable | undefined;
  /** The last one. */
  private reading = Promise.resolve();
  private isWanted = false;
  private inRow = 0;
  private unchangedInRow = 0;
  private announcedPauseMs = 0;
  private isDisposed = false;

  constructor(private readonly options: ListPaceOptions) {}

  /** The server says that the list has changed. */
  request(): void {
    if (this.isDisposed) {
      return;
    }
    this.isWanted = true;
    if (this.phase === 'resting') {
      this.announcePause(this.pauseMs);
    } else if (this.phase === 'quiet') {
      void this.read();
    }
  }

  /** Reads the list unless it is being read; that somebody uses it is no announcement. Resolves when it was read. */
  async refresh(): Promise<void> {
    if (!this.isDisposed) {
      await (this.phase === 'reading' ? this.reading : this.read(false));
    }
  }

  dispose(): void {
    this.isDisposed = true;
    this.timer?.dispose();
  }

  private get pauseMs(): number {
    if (this.unchangedInRow >= freeUnchanged) {
      return Math.min(longestPauseMs, firstPauseMs * 2 ** (this.unchangedInRow - freeUnchanged));
    }
    return this.inRow >= freeReadings ? firstPauseMs : 0;
  }

  private read(isAnnounced = true): Promise<void> {
    const reading = this.readNow(isAnnounced);
    this.reading = reading;
    return reading;
  }

  private async readNow(isAnnounced: boolean): Promise<void> {
    this.timer?.dispose();
    this.isWanted = false;
    this.phase = 'reading';
    const isChanged = await this.options.read();
    if (this.isDisposed) {
      return;
    }
    if (isAnnounced) {
      this.inRow++;
      this.unchangedInRow = isChanged ? 0 : this.unchangedInRow + 1;
    }
    this.rest();
  }

  private rest(): void {
    const { pauseMs } = this;
    if (this.isWanted || pauseMs === 0) {
      this.announcePause(pauseMs);
    }
    this.phase = 'resting';
    if (pauseMs === 0) {
      this.endRest();
    } else {
      this.timer = this.options.clock.after(pauseMs, () => this.endRest());
    }
  }

  private endRest(): void {
    if (this.isWanted) {
      void this.read();
      return;
    }
    this.phase = 'quiet';
    const waitMs = this.unchangedInRow > 0 ? quietUnchangedMs : quietMs;
    this.timer = this.options.clock.after(waitMs, () => {
      this.inRow = 0;
      this.unchangedInRow = 0;
      this.announcePause(0);
    });
  }

  private announcePause(pauseMs: number): void {
    if (pauseMs !== this.announcedPauseMs) {
      this.announcedPauseMs = pauseMs;
      this.options.onDidChangePause(pauseMs);
    }
  }
}
