/** The extension's side of a page: what the page sent, and what it is told. */
import type { Page } from 'playwright-core';

interface Message {
  readonly type: string;
  readonly params?: unknown;
}

/** Everything that the page sent, in order. */
export function messages(page: Page): Promise<readonly Message[]> {
  return page.evaluate(() =>
    (window as unknown as { sent: Message[] }).sent.map(({ type, params }) => ({ type, params })),
  );
}

/** Parameters of the messages of these types, in the order in which the page sent them. */
export async function sent<T = unknown>(
  page: Page,
  ...types: readonly string[]
): Promise<readonly T[]> {
  const all = await messages(page);
  return all.filter(({ type }) => types.includes(type)).map(({ params }) => params as T);
}

/** Tells the page something unasked. @param scope of one of its channels */
export function tell(page: Page, type: string, params?: unknown, scope?: string): Promise<void> {
  return page.evaluate((message) => window.postMessage(message, '*'), { type, params, scope });
}

/** What the page would find again if it were opened anew. */
export function savedState(page: Page): Promise<unknown> {
  return page.evaluate(() => (window as unknown as { savedState: unknown }).savedState);
}

/** What the page had read out last. */
export async function spoken(page: Page): Promise<string> {
  return (await page.locator('body > .visually-hidden[role=status]').textContent()) ?? '';
}

/**
 * The page's time stands still from here on, a minute later: its timers end as `page.clock` moves it. A click waits for a
 * frame, which takes time: by `page.clock.resume`.
 */
export async function holdTime(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
}

/** After what has changed was drawn and observers were told. */
export function drawn(page: Page): Promise<void> {
  return page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++) {
      await new Promise((done) => requestAnimationFrame(done));
    }
  });
}

/** For `locator.evaluate`. */
export const isFocused = (element: Element) => element === document.activeElement;
