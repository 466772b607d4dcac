/**
 * A user who works in another tab, and a listener to what the pages play. Headless Chromium never takes the focus from
 * a page, so that the window is told what a browser tells it: VS Code asks `document.hasFocus()` when it hears of
 * `visibilitychange`, and does everything else itself. What extensions know of it is shown by `fixtures/consumer`.
 */
import type { Page } from 'playwright-core';
import type { Workbench } from './workbench.js';

export async function leaveWindow({ page, shell }: Workbench): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(document, 'hasFocus', { value: () => false, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await shell.statusItem('window has no focus').waitFor();
}

export async function enterWindow({ page, shell }: Workbench): Promise<void> {
  await page.evaluate(() => {
    Reflect.deleteProperty(document, 'hasFocus');
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await shell.statusItem('window has focus').waitFor();
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
