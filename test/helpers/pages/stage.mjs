// @ts-check
/** Shows the webview pages in headless Chromium, with the extension's side played by sample states. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { ensureChromium, quietArgs } from '../../workbench/chromium.mjs';
import { BuiltPages, buildPages } from './build.mjs';
import { Site } from './site.mjs';
import { defaultStyles, themes } from './themes.mjs';

/** @typedef {import('../../../src/presentation/pageHtml.js').PageName} PageName */
/** @typedef {import('playwright-core').Page} Page */

/**
 * @typedef {object} Scenario
 * @property {PageName} page
 * @property {Readonly<Record<string, unknown>>} replies type of a request → its result, or `{ error }`
 * @property {string} [theme] default `dark`
 * @property {number} [width]
 * @property {number} [height]
 * @property {unknown} [savedState] of the page before
 * @property {Record<string, string>} [texts] of the display language
 * @property {'view' | 'tab'} [place] of the agent's page
 */

export const browserArgs = [
  ...quietArgs,
  // a key that scrolls takes one frame
  '--disable-smooth-scrolling',
  // only the policies of pages and the guards of servers shall stand between a page and loopback
  '--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests',
  '--host-resolver-rules=MAP *.example 127.0.0.1',
];

/** One browser and the pages that it shows. */
export class Stage {
  /** What went wrong in any page, refused loads included. @type {string[]} */
  problems = [];
  /** @type {WeakMap<Page, { name: PageName, address: string }>} */
  #shown = new WeakMap();

  /**
   * @param {import('playwright-core').Browser} browser
   * @param {BuiltPages} built
   * @param {import('./build.mjs').PageSources} sources
   * @param {Site} site that has started
   */
  constructor(browser, built, sources, site) {
    this.browser = browser;
    this.built = built;
    this.sources = sources;
    this.site = site;
    /** The forms that the extension would send. */
    this.forms = sources.formModels();
  }

  /**
   * @param {Scenario} scenario
   * @returns {Promise<Page>} in a context of its own
   */
  async open(scenario) {
    const page = await this.newPage();
    await this.show(page, scenario);
    return page;
  }

  /** One that shows nothing yet. */
  async newPage() {
    const page = await this.browser.newPage({ viewport: null });
    const report = (/** @type {string} */ text) =>
      this.problems.push(`${this.#shown.get(page)?.name}: ${text}`);
    page.on('pageerror', ({ message }) => report(message));
    page.on('console', (message) => {
      if (message.type() === 'error') {
        report(message.text());
      }
    });
    page.on('close', () => this.clear(page));
    return page;
  }

  /** @param {Page} page @param {Scenario} scenario */
  async show(page, scenario) {
    const { width = 900, height = 800 } = scenario;
    const now = page.viewportSize();
    if (now?.width !== width || now.height !== height) {
      await page.setViewportSize({ width, height });
    }
    const address = this.site.add(this.#html(scenario));
    this.clear(page);
    this.#shown.set(page, { name: scenario.page, address });
    await page.goto(address);
  }

  /** What it showed cannot be loaded again. @param {Page} page */
  clear(page) {
    const shown = this.#shown.get(page);
    if (shown) {
      this.site.remove(shown.address);
    }
  }

  /** @param {Scenario} scenario */
  #replies({ page, replies }) {
    const ready = /** @type {object} */ (replies.ready ?? {});
    return page === 'server' && 'pools' in ready
      ? { checkServer: { secrets: [] }, ...replies, ready: { ...ready, forms: this.forms } }
      : replies;
  }

  /** @param {Scenario} scenario */
  #html(scenario) {
    const { page: name, texts, savedState, theme = 'dark' } = scenario;
    const place = name === 'agent' ? (scenario.place ?? 'view') : undefined;
    const html = this.sources.pageHtml(
      { name, title: name, place },
      {
        language: 'en',
        texts: this.sources.textsJson(texts),
        nonce: 'preview',
        source: this.site.origin ?? '',
        resource: (/** @type {string} */ path) => path,
      },
    );
    const setup = JSON.stringify({
      replies: this.#replies(scenario),
      savedState,
      theme: themes[theme],
      background: place === 'view' ? 'sideBar-background' : 'editor-background',
    });
    const host = `(${playExtension})(${setup.replaceAll('<', '\\u003c')})`;
    // as VS Code does, before the page's policy
    return html.replace(
      '<head>',
      () => `<head><script>${host}</script><style id="_defaultStyles">${defaultStyles}</style>`,
    );
  }
}

/** Builds the pages and starts a browser of its own; outside of the ring `pages`, which has both. */
export async function startStage() {
  const dir = mkdtempSync(join(tmpdir(), 'pi-mcp-pages-'));
  const [executablePath] = await Promise.all([ensureChromium(), buildPages(dir)]);
  const browser = await chromium.launch({ executablePath, args: browserArgs });
  const stage = await enterStage(browser, dir);
  return Object.assign(stage, {
    close: async () => {
      await browser.close();
      stage.site.close();
      rmSync(dir, { recursive: true, force: true });
    },
  });
}

/**
 * @param {import('playwright-core').Browser} browser
 * @param {string} dir that `buildPages` filled
 */
export async function enterStage(browser, dir) {
  const built = new BuiltPages(dir);
  const site = new Site(built);
  await site.start();
  return new Stage(browser, built, await built.sources(), site);
}

/**
 * Runs in the page: answers requests from `replies` and keeps what the page sent in `window.sent`.
 * @param {{ replies: Record<string, any>, savedState: unknown, theme: any, background: string }} setup
 */
function playExtension({ replies, savedState, theme, background }) {
  const page = /** @type {any} */ (window);
  document.currentScript?.remove();
  // also while a test holds the page's time
  const later = window.setTimeout;
  page.sent = [];
  page.savedState = savedState;
  page.acquireVsCodeApi = () => ({
    getState: () => page.savedState,
    setState: (/** @type {unknown} */ state) => {
      page.savedState = state;
    },
    postMessage: (/** @type {any} */ message) => {
      page.sent.push(message);
      const { id: replyTo, type, scope } = message;
      const result = replies[type];
      const reply =
        result?.error === undefined
          ? { replyTo, result, scope }
          : { replyTo, error: result.error, scope };
      later(() => window.postMessage(reply, '*'), 0);
    },
  });
  document.addEventListener('DOMContentLoaded', () => {
    for (const [name, value] of Object.entries(theme.variables)) {
      document.documentElement.style.setProperty(`--vscode-${name}`, value);
    }
    document.body.className = theme.bodyClass;
    document.documentElement.style.backgroundColor = `var(--vscode-${background})`;
  });
}
