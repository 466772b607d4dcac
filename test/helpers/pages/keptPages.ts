/** Browser pages that stay from test to test: to show another document in one costs a tenth of a new one. */
import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import type { Scenario, Stage } from './stage.mjs';

interface Kept {
  readonly page: Page;
  readonly session: CDPSession;
  /** Takes the listeners of the test away. */
  readonly unlisten: (() => void)[];
  /** Why the next test may not have it. */
  spoilt?: string;
}

/** Methods whose effect outlives a document. A page of which a test calls one is closed after the test. */
const lasting = {
  page: [
    'addInitScript',
    'addLocatorHandler',
    'emulateMedia',
    'exposeBinding',
    'exposeFunction',
    'once',
    'route',
    'routeFromHAR',
    'routeWebSocket',
    'setDefaultNavigationTimeout',
    'setDefaultTimeout',
    'setExtraHTTPHeaders',
  ],
  context: [
    'addCookies',
    'addInitScript',
    'exposeBinding',
    'exposeFunction',
    'grantPermissions',
    'route',
    'routeFromHAR',
    'routeWebSocket',
    'setExtraHTTPHeaders',
    'setGeolocation',
    'setOffline',
  ],
  clock: ['install', 'pauseAt', 'resume', 'runFor', 'setFixedTime', 'setSystemTime'],
  keyboard: ['down'],
  mouse: ['down'],
} as const;

const blank = 'about:blank';

export class KeptPages {
  readonly #stage: Stage;
  #free: Kept[] = [];
  #taken: Kept[] = [];

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** A test may close it; it is another one's then, as at the end of the test. */
  async open(scenario: Scenario): Promise<Page> {
    const kept = this.#free.pop() ?? (await this.#create());
    this.#taken.push(kept);
    await this.#stage.show(kept.page, scenario);
    return kept.page;
  }

  /** At the end of a test. What went wrong in its pages has been reported then. */
  async releaseAll(): Promise<void> {
    await Promise.all(this.#taken.map((kept) => this.#release(kept)));
    // one that another test may never take does not go on
    const idle = this.#free.slice(0, -1).filter(({ page }) => page.url() !== blank);
    await Promise.all(idle.map(({ page }) => page.goto(blank)));
  }

  has(context: BrowserContext): boolean {
    return this.#free.some(({ page }) => context.pages().includes(page));
  }

  async #create(): Promise<Kept> {
    const page = await this.#stage.newPage();
    const session = await page.context().newCDPSession(page);
    const kept: Kept = { page, session, unlisten: [] };
    const listen = page.on.bind(page) as (event: string, listener: never) => Page;
    Object.assign(page, {
      on: (event: 'close', listener: never) => {
        kept.unlisten.push(() => page.off(event, listener));
        return listen(event, listener);
      },
    });
    const { clock, keyboard, mouse } = page;
    const owners = { page, context: page.context(), clock, keyboard, mouse };
    for (const [name, owner] of Object.entries(owners)) {
      for (const method of lasting[name as keyof typeof lasting]) {
        spoilBy(owner, method, () => {
          kept.spoilt = `${name}.${method}`;
        });
      }
    }
    page.close = () => this.#release(kept);
    return kept;
  }

  async #release(kept: Kept): Promise<void> {
    const { page, session, spoilt } = kept;
    if (!this.#taken.includes(kept)) {
      return;
    }
    this.#taken = this.#taken.filter((other) => other !== kept);
    if (spoilt !== undefined || page.isClosed()) {
      await session.detach().catch(() => undefined);
      await page.context().close();
      return;
    }
    for (const unlisten of kept.unlisten.splice(0)) {
      unlisten();
    }
    await page.mouse.move(0, 0);
    await page.evaluate(() => {
      sessionStorage.clear();
      window.name = '';
    });
    const { origin } = new URL(page.url());
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
    this.#stage.clear(page);
    this.#free.push(kept);
  }
}

function spoilBy(owner: object, name: string, spoil: () => void): void {
  const methods = owner as Record<string, (...args: unknown[]) => unknown>;
  const method = methods[name];
  if (method === undefined) {
    throw new Error(`Playwright has no ${name} any more`);
  }
  methods[name] = (...args) => {
    spoil();
    return method.apply(owner, args);
  };
}
