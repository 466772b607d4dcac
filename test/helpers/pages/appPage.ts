/** The page around an app in a real browser, with the real bridge; VS Code's own frames apart. */
import type { FrameLocator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { AppBridge } from '../../../src/agent/apps/bridge.js';
import type { AppCall } from '../../../src/agent/apps/sessionApps.js';
import { appPolicy } from '../../../src/mcp/apps/policy.js';
import { appPage } from '../../../src/presentation/apps/appPage.js';
import type { AppEvents, AppRequests, AppStatus } from '../../../src/protocol/appProtocol.js';
import { MessageChannel } from '../../../src/protocol/messages.js';
import { startCountingServer } from '../../fixtures/countingServer.js';
import { usePages } from './usePages.js';

const orders = [{ customer: 'Ada', total: 12.5 }];
const address = 'http://page.localhost/';

export interface AppPageHarness {
  readonly page: Page;
  /** In the frame. */
  readonly frame: FrameLocator;
  readonly counting: Awaited<ReturnType<typeof startCountingServer>>;
  /** Why messages of the app were dropped. */
  readonly dropped: readonly string[];
  open(document: string, connectDomains?: readonly string[]): Promise<void>;
  /** Of the app that is open. */
  setStatus(status: AppStatus): void;
  /** Documents in such frames, without anything of ours. */
  openBare(documents: readonly string[]): Promise<void>;
}

export function useAppPage(): AppPageHarness {
  const pages = usePages();
  let counting: Awaited<ReturnType<typeof startCountingServer>>;
  let page: Page;
  let dropped: string[] = [];
  let channel: MessageChannel<AppEvents, AppRequests> | undefined;
  beforeAll(async () => {
    counting = await startCountingServer();
  });
  afterEach(() => {
    counting.paths.length = 0;
  });
  afterAll(() => counting.close());
  const newPage = async () => {
    dropped = [];
    await page?.context().close();
    page = await (await pages.browser.newContext()).newPage();
  };
  const show = async (body: string) => {
    await page.route(address, (route) => route.fulfill({ contentType: 'text/html', body }));
    await page.goto(address);
  };
  return {
    get page() {
      return page;
    },
    get frame() {
      return page.frameLocator('iframe');
    },
    get counting() {
      return counting;
    },
    get dropped() {
      return dropped;
    },
    open: async (document, connectDomains = []) => {
      await newPage();
      const policy = appPolicy({
        connectDomains,
        resourceDomains: [],
        frameDomains: [],
        baseUriDomains: [],
        permissions: [],
      });
      const call = {
        args: { probe: counting.origin },
        tool: { name: 'show_orders', inputSchema: {} },
        result: { content: [], structuredContent: { orders }, isError: false },
      } as unknown as AppCall;
      let bridge: AppBridge | undefined;
      const target = page;
      const toPage = new MessageChannel<AppEvents, AppRequests>({
        // a page that is closed, or shows another document now, hears nothing more, as in VS Code
        post: (message) =>
          void target
            .evaluate((data) => window.postMessage(data, '*'), message)
            .catch(() => undefined),
        handlers: {
          ready: (surroundings) => {
            bridge = new AppBridge({
              call,
              surroundings,
              domains: policy.domains,
              hostVersion: '1',
              locale: 'en',
              post: (message) => toPage.notify('toApp', { message }),
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
          surroundings: (surroundings) => bridge?.setSurroundings(surroundings),
          fromApp: ({ message }) => bridge?.receive(message),
          dropped: ({ why }) => void dropped.push(why),
        },
      });
      channel = toPage;
      await page.exposeFunction('toExtension', (message: unknown) => toPage.receive(message));
      await page.addInitScript(() => {
        const host = window as unknown as Record<string, unknown>;
        if (window === window.top) {
          host.acquireVsCodeApi = () => ({ postMessage: host.toExtension });
        }
      });
      const { contentSecurityPolicy } = policy;
      const script = pages.read('dist/webview/app.js');
      const style = pages.read('dist/webview/app.css');
      const parts = { script, style, title: 'App', language: 'en', texts: '' };
      await show(appPage({ ...parts, policy: contentSecurityPolicy }));
    },
    setStatus: (status) => channel?.notify('status', status),
    openBare: async (documents) => {
      await newPage();
      await show('<!doctype html><body></body>');
      await page.evaluate((all) => {
        for (const srcdoc of all) {
          const frame = document.createElement('iframe');
          frame.sandbox.add('allow-scripts');
          frame.srcdoc = srcdoc;
          document.body.append(frame);
        }
      }, documents);
    },
  };
}
