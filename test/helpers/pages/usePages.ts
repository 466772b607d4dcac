/** Our pages in a real browser without VS Code, with the extension's side played by the test. */
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { BuiltPages } from './build.mjs';
import { type Scenario, Stage, startStage } from './stage.mjs';

export interface Pages {
  /** Each page has a context of its own, and is closed after the test. */
  open(scenario: Scenario): Promise<Page>;
  readonly browser: Browser;
  /** The text of a file of the extension, by its path there. */
  read(path: string): string;
  /** The forms that the extension would send. */
  readonly forms: Stage['forms'];
}

/** Of a file of tests. A test fails when one of its pages had an error or was refused a load. */
export function usePages(): Pages {
  let stage: Stage;
  let close: () => Promise<void>;
  beforeAll(async () => {
    [stage, close] = await enter();
  });
  afterEach(async () => {
    await Promise.all(stage.browser.contexts().map((context) => context.close()));
    expect(stage.problems.splice(0)).toEqual([]);
  });
  afterAll(() => close());
  return {
    open: (scenario) => stage.open(scenario),
    read: (path) => stage.built.read(path)?.toString() ?? '',
    get browser() {
      return stage.browser;
    },
    get forms() {
      return stage.forms;
    },
  };
}

async function enter(): Promise<[Stage, () => Promise<void>]> {
  const shared = inject('pages');
  if (!shared) {
    const own = await startStage();
    return [own, () => own.close()];
  }
  const worker = Number(process.env.VITEST_POOL_ID) - 1;
  const browser = await chromium.connect(shared.browsers[worker % shared.browsers.length] ?? '');
  const built = new BuiltPages(shared.dir);
  return [new Stage(browser, built, await built.sources()), () => browser.close()];
}
