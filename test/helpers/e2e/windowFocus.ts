/**
 * A user who works in another tab, and a listener to what the pages play. Headless Chromium never takes the focus from
 * a page, so that the window is told what a browser tells it: VS Code asks `document.hasFocus()` when it hears of
 * `visibilitychange`, and does everything else itself.
 */
import type { Page } from 'playwright-core';

export async function leaveWindow(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(document, 'hasFocus', { value: () => false, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
}

export async function enterWindow(page: Page): Promise<void> {
  await page.evaluate(() => {
    Reflect.deleteProperty(document, 'hasFocus');
    document.dispatchEvent(new Event('visibilitychange'));
  });
}

/** For windows that are opened from then on. @returns the notes in Hertz, as they are begun in any page */
export async function listenToNotes(page: Page): Promise<readonly number[]> {
  const notes: number[] = [];
  await page.exposeBinding('tellNote', (_source, frequency: number) => {
    notes.push(frequency);
  });
  await page.addInitScript(() => {
    const { tellNote } = window as unknown as { tellNote?: (frequency: number) => void };
    const { start } = AudioScheduledSourceNode.prototype;
    AudioScheduledSourceNode.prototype.start = function (when) {
      if (this instanceof OscillatorNode) {
        tellNote?.(this.frequency.value);
      }
      start.call(this, when);
    };
  });
  return notes;
}
