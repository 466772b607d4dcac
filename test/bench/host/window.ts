/** Windows of a real VS Code to measure: with the monitor of the extension host, and clocks that see what is painted. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import {
  startWorkbench,
  type Workbench,
  type WorkbenchOptions,
} from '../../helpers/e2e/workbench.js';
import { repository } from '../../workbench/paths.mjs';
import type { Figure } from '../connections/figures.js';

const emptyExtension = join(repository, 'test/bench/host/empty');
const monitorExtension = join(repository, 'test/workbench/monitor');
/** What the monitor calls our extension. */
export const ours = 'pi-mcp.pi-mcp';

interface Stall {
  readonly ms: number;
  readonly busyMs: number;
  readonly owner: string;
  readonly stack: readonly string[];
}

interface Period {
  readonly kind: 'period';
  readonly cpuMs: Readonly<Record<string, number>>;
  readonly stalls: readonly Stall[];
}

type Line = Period | { readonly kind: 'ready'; readonly at: number };

export interface HostWindow extends Workbench {
  /** When each extension host of this window was ready for its first extension; milliseconds of the wall clock. */
  readyTimes(): readonly number[];
  /** What the monitor saw until now. */
  periods(): readonly Period[];
}

/** A window with the empty extension and the monitor beside ours. */
async function openWindow(options: WorkbenchOptions = {}): Promise<HostWindow> {
  const dir = mkdtempSync(join(tmpdir(), 'pi-mcp-monitor-'));
  const file = join(dir, 'monitor.jsonl');
  writeFileSync(file, '');
  const workbench = await startWorkbench({
    ...options,
    otherExtensions: [emptyExtension, monitorExtension],
    env: { ...options.env, PI_MCP_MONITOR_FILE: file },
  });
  const lines = () =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line): Line => JSON.parse(line));
  return {
    ...workbench,
    readyTimes: () => lines().flatMap((line) => (line.kind === 'ready' ? [line.at] : [])),
    periods: () => lines().filter((line) => line.kind === 'period'),
    stop: async () => {
      await workbench.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Opens a window, measures, and closes it whatever happens. */
export async function inWindow<T>(
  options: WorkbenchOptions,
  measure: (window: HostWindow) => Promise<T>,
): Promise<T> {
  const window = await openWindow(options);
  try {
    return await measure(window);
  } catch (error) {
    await window.screenshot('bench-failed');
    throw error;
  } finally {
    await window.stop();
  }
}

/** Keeps the figures of a file for the table. `file` is its name without an ending. */
export function record(file: string, figures: readonly Figure[]): void {
  const dir = join(repository, 'test-results/host');
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, `${file}.json`), JSON.stringify(figures, undefined, 2));
}

/** What to look for: an element whose name for a screen reader, or else its text, has these words. */
export interface Sight {
  readonly selector: string;
  /** Default: any. */
  readonly words?: string;
  /** How many of them there have to be. Default 1. */
  readonly count?: number;
}

/** When something is painted, on the wall clock. Resolves at once for what is there already. */
export function painted(place: Page, sight: Sight): Promise<number> {
  return place.evaluate(
    ({ selector, words = '', count = 1 }) =>
      new Promise<number>((resolve) => {
        const nameOf = (element: Element) =>
          element.getAttribute('aria-label') ?? element.textContent ?? '';
        const look = () => {
          const found = [...document.querySelectorAll(selector)];
          const fitting = found.filter((element) => nameOf(element).includes(words));
          const isThere = fitting.length >= count;
          const time = performance.timeOrigin + performance.now();
          requestAnimationFrame(isThere ? () => resolve(time) : look);
        };
        look();
      }),
    sight,
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
