/** Windows of a real VS Code to measure, and clocks that see what is painted. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import {
  startWorkbench,
  type Workbench,
  type WorkbenchOptions,
} from '../../helpers/e2e/workbench.js';
import { repository } from '../../workbench/paths.mjs';
import type { Figure } from '../connections/figures.js';
import { keepRows } from '../table.mjs';

/**
 * Extensions to compare with: one that does nothing, one that shows a view without rows, and one with a page that shows
 * nothing but a text field.
 */
const peers = ['empty', 'least', 'page'].map((name) => join(repository, 'test/bench/host', name));

/** A window with the peers beside ours, closely watched. */
function openWindow(options: WorkbenchOptions = {}): Promise<Workbench> {
  return startWorkbench({ isWatched: true, ...options, otherExtensions: peers });
}

/** How much a scenario does: `npm run bench:host -- --short` sets it. */
export const isShort = process.env.PI_MCP_BENCH_IS_SHORT !== undefined;

/** Opens a window, measures, and closes it whatever happens. */
export async function inWindow<T>(
  options: WorkbenchOptions,
  measure: (window: Workbench) => Promise<T>,
): Promise<T> {
  const window = await openWindow(options);
  try {
    return await measure(window);
  } catch (error) {
    await window.savePicture('bench-failed');
    throw error;
  } finally {
    await window.stop();
  }
}

/** Keeps the figures of a file for the table. */
export function record(name: string, figures: readonly Figure[]): void {
  keepRows('host', name, figures);
}

/** What to look for: an element whose name for a screen reader, or else its text, has these words. */
export interface Sight {
  readonly selector: string;
  /** Default: any. */
  readonly words?: string;
  /** How many of them there have to be. Default 1. */
  readonly count?: number;
}

/** What nobody sees by then is not coming. */
const paintTimeoutMs = 30_000;

/** When something is painted, on the wall clock. Resolves at once for what is there already. @throws when it never is */
export function painted(place: Pick<Page, 'locator'>, sight: Sight): Promise<number> {
  return place.locator('body').evaluate(
    (_body, { selector, words = '', count = 1, timeoutMs }) =>
      new Promise<number>((resolve, reject) => {
        const end = performance.now() + timeoutMs;
        const nameOf = (element: Element) =>
          element.getAttribute('aria-label') ?? element.textContent ?? '';
        const look = () => {
          const found = [...document.querySelectorAll(selector)];
          const fitting = found.filter((element) => nameOf(element).includes(words));
          const isThere = fitting.length >= count;
          const time = performance.timeOrigin + performance.now();
          if (performance.now() > end) {
            const seen = `${found.length} of ${selector}, ${fitting.length} with "${words}"`;
            reject(new Error(`Not painted within ${timeoutMs} ms: there are ${seen}`));
            return;
          }
          requestAnimationFrame(isThere ? () => resolve(time) : look);
        };
        look();
      }),
    { ...sight, timeoutMs: paintTimeoutMs },
  );
}

/** From now on every opened window notes when it first paints each of these. */
export async function noteFirstPaints(
  page: Page,
  sights: Readonly<Record<string, Sight>>,
): Promise<void> {
  await page.addInitScript((wanted) => {
    if (window !== window.top) {
      return;
    }
    const times: Record<string, number> = {};
    Object.assign(window, { firstPaints: times });
    const nameOf = (element: Element) =>
      element.getAttribute('aria-label') ?? element.textContent ?? '';
    const look = () => {
      for (const [name, { selector, words = '' }] of Object.entries(wanted)) {
        const found = times[name] === undefined ? [...document.querySelectorAll(selector)] : [];
        if (found.some((element) => nameOf(element).includes(words))) {
          times[name] = performance.timeOrigin + performance.now();
        }
      }
      if (Object.keys(times).length < Object.keys(wanted).length) {
        requestAnimationFrame(look);
      }
    };
    requestAnimationFrame(look);
  }, sights);
}

/** When this window first painted each of what {@link noteFirstPaints} named; waits for all of them. */
export async function firstPaints(
  page: Page,
  names: readonly string[],
): Promise<Readonly<Record<string, number>>> {
  const handle = await page.waitForFunction((wanted) => {
    const { firstPaints: times = {} } = window as { firstPaints?: Record<string, number> };
    return wanted.every((name) => times[name] !== undefined) ? times : undefined;
  }, names);
  return (await handle.jsonValue()) ?? {};
}
