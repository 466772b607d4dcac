/** Our pages in a real browser without VS Code, with the extension's side played by the test. */
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { KeptPages } from './keptPages.js';
import { browserArgs, enterStage, type Scenario, type Stage, startStage } from './stage.mjs';

export interface Pages {
  /**
   * A page in a context of its own. It is the test's until it ends or closes the page; the browser's page may be another
   * test's after it.
   */
  open(scenario: Scenario): Promise<Page>;
  readonly browser: Browser;
  /** The text of a file of the extension, by its path there. */
  read(path: string): string;
  /** The forms that the extension would send. */
  readonly forms: Stage['forms'];
}

interface Entered {
  readonly stage: Stage;
  readonly kept: KeptPages;
  close(): Promise<void>;
}

/** Of the worker, in the ring `pages`. */
let ofWorker: Promise<Entered> | undefined;

/** Of a file of tests. A test fails when one of its pages had an error or was refused a load. */
export function usePages(): Pages {
  let entered: Entered;
  beforeAll(async () => {
    entered = await enter();
  });
  afterEach(async () => {
    const { stage, kept } = entered;
    await kept.releaseAll();
    const others = stage.browser.contexts().filter((context) => !kept.has(context));
    await Promise.all(others.map((context) => context.close()));
    expect(stage.problems.splice(0)).toEqual([]);
  });
  afterAll(() => entered?.close());
  return {
    open: (scenario) => entered.kept.open(scenario),
    read: (path) => entered.stage.built.read(path)?.toString() ?? '',
    get browser() {
      return entered.stage.browser;
    },
    get forms() {
      return entered.stage.forms;
    },
  };
}

async function enter(): Promise<Entered> {
  const shared = inject('pages');
  if (shared) {
    ofWorker ??= enterShared(shared);
    return await ofWorker;
  }
  const stage = await startStage();
  return { stage, kept: new KeptPages(stage), close: () => stage.close() };
}

/** The browser ends with the worker. */
async function enterShared({ dir, executablePath }: { dir: string; executablePath: string }) {
  const browser = await chromium.launch({ executablePath, args: [...browserArgs] });
  const stage = await enterStage(browser, dir);
  return { stage, kept: new KeptPages(stage), close: async () => undefined };
}
