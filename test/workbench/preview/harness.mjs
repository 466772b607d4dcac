// @ts-check
/** Opens the webview pages in headless Chromium, with the extension's side played by sample states. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { diagramWrapper } from '../../../esbuild.mjs';
import { ensureChromium } from '../chromium.mjs';
import { repository } from '../paths.mjs';
import { themes } from './themes.mjs';

/** As `webviewHtml` has them. @type {Record<string, readonly string[]>} */
const sheets = {
  agent: ['fields', 'cardQuestions', 'agent', 'cards'],
  config: ['form', 'groups', 'config'],
  consent: ['consent'],
  doctor: ['doctor'],
  inspector: ['inspector'],
  questions: ['fields', 'cardQuestions', 'questions'],
  registry: ['form', 'registry'],
  runTool: ['groups', 'fields', 'runTool'],
};

// never reached: every request is answered by the route below
const origin = 'http://preview.localhost';

/** @typedef {{ page: 'config' | 'agent' | 'registry' | 'consent' | 'doctor' | 'inspector' | 'questions' | 'runTool', replies: Record<string, unknown>, theme?: string, width?: number, height?: number, savedState?: unknown, texts?: Record<string, string>, place?: 'view' | 'tab' }} Scenario `texts` are those of the display language */

/** @typedef {Scenario['page'] | 'code' | 'diagram'} Script */

/** @type {Map<Script, Promise<string>>} */
const scripts = new Map();

/** Each is bundled once, for the first page that needs it: most files of tests show one. @param {Script} name */
function scriptOf(name) {
  const script = scripts.get(name) ?? bundlePage(name);
  scripts.set(name, script);
  return script;
}

/** @param {Script} name */
async function bundlePage(name) {
  const result = await build({
    entryPoints: [join(repository, `src/webview/${name}/main.ts`)],
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    mainFields: ['module', 'main'],
    logLevel: 'error',
    ...(name === 'diagram' ? diagramWrapper : {}),
  });
  return result.outputFiles[0]?.text ?? '';
}

/** The forms that the extension would send. */
async function loadForms() {
  const result = await build({
    entryPoints: [join(repository, 'src/presentation/configPage/formModel.ts')],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire("/");',
    },
  });
  const source = Buffer.from(result.outputFiles[0]?.contents ?? []).toString('base64');
  return (await import(`data:text/javascript;base64,${source}`)).formModels();
}

/** Starts one browser; `open` gives each scenario a page of its own. Close it when done. */
export async function startPreview() {
  const forms = await loadForms();
  const browser = await chromium.launch({
    executablePath: await ensureChromium(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  /** @param {Scenario} scenario */
  const open = async (scenario) => {
    const { width = 900, height = 800, theme = 'dark' } = scenario;
    // what cannot be bundled fails here, and no page that is closed still waits for a script
    await Promise.all([scriptOf(scenario.page), scriptOf('code'), scriptOf('diagram')]);
    const page = await browser.newPage({ viewport: { width, height } });
    page.on('pageerror', (error) => problems.push(`${scenario.page}: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error') {
        problems.push(`${scenario.page}: ${message.text()}`);
      }
    });
    await page.route(`${origin}/**`, async (route) => {
      const path = new URL(route.request().url()).pathname;
      await route.fulfill(await response(path, scenario));
    });
    await page.addInitScript(playExtension, {
      replies: withForms(scenario, forms),
      savedState: scenario.savedState,
      theme: themes[theme],
      background:
        scenario.page === 'agent' && scenario.place !== 'tab'
          ? 'sideBar-background'
          : 'editor-background',
    });
    await page.goto(`${origin}/`);
    return page;
  };
  /** @type {string[]} what went wrong in any page, refused loads included */
  const problems = [];
  return { open, forms, problems, close: () => browser.close() };
}

/** @param {Scenario} scenario @param {unknown} forms */
function withForms({ page, replies }, forms) {
  const ready = /** @type {object} */ (replies.ready);
  return page === 'config'
    ? { checkServer: { secrets: [] }, ...replies, ready: { ...ready, forms } }
    : replies;
}

/** @param {string} path @param {Scenario} scenario */
async function response(path, { page: name, texts, place }) {
  const file = basename(path);
  if (path === '/') {
    return {
      contentType: 'text/html',
      body: pageHtml(name, texts, place ?? (name === 'agent' ? 'view' : undefined)),
    };
  }
  if (file === 'page.js') {
    return { contentType: 'text/javascript', body: await scriptOf(name) };
  }
  if (file === 'code.js' || file === 'diagram.js') {
    const body = await scriptOf(file === 'code.js' ? 'code' : 'diagram');
    return { contentType: 'text/javascript', body };
  }
  if (file === 'codicon.css' || file === 'codicon.ttf') {
    const body = readFileSync(join(repository, 'node_modules/@vscode/codicons/dist', file));
    return { contentType: file.endsWith('.css') ? 'text/css' : 'font/ttf', body };
  }
  if (file.endsWith('.css')) {
    return { contentType: 'text/css', body: readFileSync(join(repository, 'media/webview', file)) };
  }
  return { status: 404, body: '' };
}

/**
 * The same policy as the real page.
 * @param {string} name
 */
export function previewPolicy(name) {
  return `default-src 'none'; script-src 'nonce-preview'; style-src ${origin} 'nonce-preview'; font-src ${origin}; img-src data:; base-uri 'none'; form-action 'none'${name === 'agent' || name === 'runTool' ? '; worker-src blob:' : ''}`;
}

/**
 * @param {string} name
 * @param {Record<string, string>} [texts]
 * @param {string} [place]
 */
function pageHtml(name, texts, place) {
  const l10n = texts ? JSON.stringify(texts).replaceAll('<', '\\u003c') : '';
  const policy = previewPolicy(name);
  return `<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><title>${name}</title>
<meta http-equiv="Content-Security-Policy" content="${policy}"><meta property="csp-nonce" content="preview">
<link rel="stylesheet" href="codicon.css"><link rel="stylesheet" href="base.css">${(sheets[name] ?? []).map((sheet) => `<link rel="stylesheet" href="${sheet}.css">`).join('')}
</head><body${place === undefined ? '' : ` data-place="${place}"`}><div id="root"></div>
<script type="application/json" id="l10n" nonce="preview">${l10n}</script><script nonce="preview" src="page.js"></script></body></html>`;
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
    document.body.style.backgroundColor = `var(--vscode-${background})`;
  });
}
