/** The page around an app in a real browser, with the real bridge and a real server; VS Code's own frames apart. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { AppBridge } from '../../src/agent/apps/bridge.js';
import type { AppCall } from '../../src/agent/apps/call.js';
import { appPolicy } from '../../src/mcp/apps/policy.js';
import { appPage } from '../../src/presentation/apps/appPage.js';
import type { AppEvents, AppRequests } from '../../src/protocol/appProtocol.js';
import { MessageChannel } from '../../src/protocol/messages.js';
import { startCountingServer } from '../fixtures/countingServer.js';
import { ensureChromium } from '../workbench/chromium.mjs';
import { repository } from '../workbench/paths.mjs';

const html = readFileSync(join(repository, 'test/fixtures/servers/shopApp.html'), 'utf8');
const style = readFileSync(join(repository, 'media/webview/app.css'), 'utf8');
const orders = [{ customer: 'Ada', total: 12.5 }];

let browser: Browser;
let script: string;
let counting: Awaited<ReturnType<typeof startCountingServer>>;
let page: Page;
let dropped: string[];

beforeAll(async () => {
  counting = await startCountingServer();
  const bundle = await build({
    entryPoints: [join(repository, 'src/webview/app/main.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    mainFields: ['module', 'main'],
  });
  script = bundle.outputFiles[0]?.text ?? '';
  const executablePath = await ensureChromium();
  // only the page's own policy shall stand between an app and the loopback server
  const args = ['--no-sandbox', '--disable-gpu', '--disable-features=LocalNetworkAccessChecks'];
  browser = await chromium.launch({ executablePath, args });
});
afterEach(async () => {
  await page.close();
  counting.paths.length = 0;
});
afterAll(async () => {
  await browser.close();
  await counting.close();
});

const app = () => page.frameLocator('iframe');

async function open(connectDomains: readonly string[] = [], document = html): Promise<void> {
  dropped = [];
  const policy = appPolicy({
    connectDomains,
    resourceDomains: [],
    frameDomains: [],
    baseUriDomains: [],
    permissions: [],
  });
  page = await browser.newPage();
  page.setDefaultTimeout(10_000);
  const call = {
    args: { probe: counting.origin },
    tool: { name: 'show_orders', inputSchema: {} },
    result: { content: [], structuredContent: { orders }, isError: false },
  } as unknown as AppCall;
  let bridge: AppBridge | undefined;
  const channel = new MessageChannel<AppEvents, AppRequests>({
    post: (message) => void page.evaluate((data) => window.postMessage(data, '*'), message),
    handlers: {
      ready: (surroundings) => {
        bridge = new AppBridge({
          call,
          surroundings,
          domains: policy.domains,
          hostVersion: '1',
          locale: 'en',
          post: (message) => channel.notify('toApp', { message }),
          openLink: async () => false,
          suggest: () => undefined,
          close: () => undefined,
          onNotice: () => undefined,
          onFlood: () => undefined,
          log: () => undefined,
        });
        const status = { kind: 'live' } as const;
        return { html: document, title: 'App', reach: 'Nothing', status };
      },
      surroundings: () => undefined,
      fromApp: ({ message }) => bridge?.receive(message),
      dropped: ({ why }) => void dropped.push(why),
    },
  });
  await page.exposeFunction('toExtension', (message: unknown) => channel.receive(message));
  await page.addInitScript(() => {
    const host = window as unknown as Record<string, unknown>;
    if (window === window.top) {
      host.acquireVsCodeApi = () => ({ postMessage: host.toExtension });
    }
  });
  await page.route('http://page.localhost/', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: appPage({
        script,
        style,
        title: 'App',
        language: 'en',
        texts: '',
        policy: policy.contentSecurityPolicy,
      }),
    }),
  );
  await page.goto('http://page.localhost/');
}

it('runs the app, and lets it reach nothing', async () => {
  await open();
  await app().getByText('Ada: 12.5').waitFor();
  const probe = app().locator('#probe');
  await probe.getByText('top:').waitFor();
  const lines = ((await probe.textContent()) ?? '').split('\n');
  expect(lines.filter((line) => line.endsWith('worked'))).toEqual([]);
  expect(counting.paths).toEqual([]);
  expect(
    await app()
      .locator('html')
      .evaluate(() => document.compatMode),
  ).toBe('CSS1Compat');
  expect(page.url()).toBe('http://page.localhost/');
  expect(await page.getByText('forged').count()).toBe(0);
  await app().getByRole('button', { name: 'Leave' }).click();
  await expect.poll(() => app().getByRole('button', { name: 'Leave' }).count()).toBe(0);
  expect(counting.paths).toEqual([]);
});

it.each([
  ['a comment that ends with a bang', '<!-- a --!>', '<!-- --><!doctype html>'],
  ['a comment that ends at once', '<!-->', '--><!doctype html>'],
  ['a comment that ends after a dash', '<!--->', '--><!doctype html>'],
  ['two comments', '<!-- a --><!----!>', '--><!doctype html>'],
  ['a doctype with a bracket in it', '<!doctype html "a>', '">'],
])('takes connections between browsers from the first script behind %s', async (_, head, tail) => {
  const first = "<script>document.title = typeof RTCPeerConnection + '!'</script>";
  await open([], `${head}${first}${tail}<p>shown</p>`);
  await app().getByText('shown').waitFor();
  const title = await app()
    .locator('html')
    .evaluate(() => document.title);
  expect(title).toBe('undefined!');
});

it('lets the app connect to what its server declared, and to nothing else', async () => {
  await open([counting.origin]);
  await app().locator('#probe').getByText('top:').waitFor();
  await expect.poll(() => new Set(counting.paths)).toEqual(new Set(['/fetch', '/xhr', '/beacon']));
});

it('cuts off an app that does not stop sending, and says what was too large', async () => {
  await open();
  await app().getByText('Ada: 12.5').waitFor();
  await app().getByRole('button', { name: 'Flood' }).click();
  await expect.poll(() => dropped).toEqual(['flood']);
  expect(await page.locator('iframe').count()).toBe(0);
  await page.close();
  await open(
    [],
    `<script>parent.postMessage({ jsonrpc: '2.0', method: 'x'.repeat(2e6) }, '*')</script>`,
  );
  await expect.poll(() => dropped).toEqual(['size']);
});

it('gives the app as much height as it says it needs, within bounds', async () => {
  const wish = `<script>parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/size-changed', params: { height: 1e9 } }, '*')</script>`;
  await open([], wish);
  await expect
    .poll(() => page.locator('iframe').evaluate((frame) => frame.style.height))
    .toBe('8000px');
});
