// @ts-check
/** Shows the webview pages in headless Chromium, with the extension's side played by sample states. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { chromium } from 'playwright-core';
import { ensureChromium } from '../../workbench/chromium.mjs';
import { BuiltPages, buildPages } from './build.mjs';
import { defaultStyles, themes } from './themes.mjs';

// never reached: every request is answered by the route below
const origin = 'http://preview.localhost';

/** @typedef {import('../../../src/presentation/pageHtml.js').PageName} PageName */

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

/** @type {Record<string, string>} */
const contentTypes = { '.js': 'text/javascript', '.css': 'text/css' };

export const browserArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // only the policies of pages and the guards of servers shall stand between a page and loopback
  '--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests',
  '--host-resolver-rules=MAP *.example 127.0.0.1',
];

/** One browser and the pages that it shows. */
export class Stage {
  /** What went wrong in any page, refused loads included. @type {string[]} */
  problems = [];

  /**
   * @param {import('playwright-core').Browser} browser
   * @param {BuiltPages} built
   * @param {import('./build.mjs').PageSources} sources
   */
  constructor(browser, built, sources) {
    this.browser = browser;
    this.built = built;
    this.sources = sources;
    /** The forms that the extension would send. */
    this.forms = sources.formModels();
  }

  /**
   * @param {Scenario} scenario
   * @returns {Promise<import('playwright-core').Page>} in a context of its own
   */
  async open(scenario) {
    const { width = 900, height = 800, theme = 'dark' } = scenario;
    const page = await this.browser.newPage({ viewport: { width, height } });
    page.on('pageerror', ({ message }) => this.problems.push(`${scenario.page}: ${message}`));
    page.on('console', (message) => {
      if (message.type() === 'error') {
        this.problems.push(`${scenario.page}: ${message.text()}`);
      }
    });
    await page.route(`${origin}/**`, (route) => {
      const path = new URL(route.request().url()).pathname.slice(1);
      return route.fulfill(this.#answer(path, scenario));
    });
    await page.addInitScript(playExtension, {
      replies: this.#replies(scenario),
      savedState: scenario.savedState,
      theme: themes[theme],
      background: placeOf(scenario) === 'view' ? 'sideBar-background' : 'editor-background',
    });
    await page.goto(`${origin}/`);
    return page;
  }

  /** @param {Scenario} scenario */
  #replies({ page, replies }) {
    const ready = /** @type {object} */ (replies.ready);
    return page === 'config'
      ? { checkServer: { secrets: [] }, ...replies, ready: { ...ready, forms: this.forms } }
      : replies;
  }

  /** @param {string} path @param {Scenario} scenario */
  #answer(path, scenario) {
    if (path === '') {
      return { contentType: 'text/html', body: this.#html(scenario) };
    }
    const body = this.built.read(path);
    return body
      ? { contentType: contentTypes[extname(path)] ?? 'font/ttf', body }
      : { status: 404, body: '' };
  }

  /** @param {Scenario} scenario */
  #html(scenario) {
    const { page: name, texts } = scenario;
    const html = this.sources.pageHtml(
      { name, title: name, place: placeOf(scenario) },
      {
        language: 'en',
        texts: this.sources.textsJson(texts),
        nonce: 'preview',
        source: origin,
        resource: (/** @type {string} */ path) => path,
      },
    );
    // as VS Code does, before the page's policy
    return html.replace(
      '<head>',
      () => `<head><style id="_defaultStyles">${defaultStyles}</style>`,
    );
  }
}

/** @param {Scenario} scenario */
function placeOf({ page, place }) {
  return page === 'agent' ? (place ?? 'view') : undefined;
}

/** Builds the pages and starts a browser of its own; outside of the ring `pages`, which has both. */
export async function startStage() {
  const dir = mkdtempSync(join(tmpdir(), 'pi-mcp-pages-'));
  const [executablePath] = await Promise.all([ensureChromium(), buildPages(dir)]);
  const browser = await chromium.launch({ executablePath, args: browserArgs });
  const built = new BuiltPages(dir);
  const stage = new Stage(browser, built, await built.sources());
  return Object.assign(stage, {
    close: async () => {
      await browser.close();
      rmSync(dir, { recursive: true, force: true });
    },
  });
}

/**
 * Runs in the page: answers requests from `replies` and keeps what the page sent in `window.sent`.
 * @param {{ replies: Record<string, any>, savedState: unknown, theme: any, background: string }} setup
 */
function playExtension({ replies, savedState, theme, background }) {
  const page = /** @type {any} */ (window);
  page.sent = [];
  page.savedState = savedState;
  page.acquireVsCodeApi = () => ({
    getState: () => page.savedState,
    setState: (/** @type {unknown} */ state) => {
      page.savedState = state;
    },
    postMessage: (/** @type {any} */ message) => {
      page.sent.push(message);
      const result = replies[message.type];
      const reply =
        result?.error === undefined
          ? { replyTo: message.id, result }
          : { replyTo: message.id, error: result.error };
      setTimeout(() => window.postMessage(reply, '*'), 0);
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
