/** A browser page that stays shows nothing of the test before: what a test leaves behind is looked for by the next one. */
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { savedState, sent } from '../helpers/pages/host.js';
import { agentSnapshots } from '../helpers/pages/states/agent.mjs';
import { plainView } from '../helpers/pages/states/consent.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const pages = usePages();

const open = () =>
  pages.open({ page: 'consent', replies: { look: plainView }, height: 900, savedState: 'first' });

/** What a document and its origin can remember. */
const remembered = (page: Page) =>
  page.evaluate(async () => ({
    local: { ...localStorage },
    session: { ...sessionStorage },
    cookies: document.cookie,
    databases: (await indexedDB.databases()).map(({ name }) => name),
    windowName: window.name,
    global: 'leak' in window || 'leak' in Array.prototype,
    marked: document.querySelectorAll('[data-leak]').length,
    zoom: document.documentElement.style.zoom,
    scroll: window.scrollY,
    focus: document.activeElement?.tagName,
    selected: String(document.getSelection()),
    state: history.state,
  }));

const nothing = {
  local: {},
  session: {},
  cookies: '',
  databases: [],
  windowName: '',
  global: false,
  marked: 0,
  zoom: '',
  scroll: 0,
  focus: 'BODY',
  selected: '',
  state: null,
};

/** Leaves something in each of them, and listeners and a timer that would leave more. */
async function leak(page: Page): Promise<void> {
  await page.evaluate(async () => {
    localStorage.setItem('leak', '1');
    sessionStorage.setItem('leak', '1');
    // biome-ignore lint/suspicious/noDocumentCookie: the plain way to leave one
    document.cookie = 'leak=1';
    await new Promise((done) => {
      indexedDB.open('leak').onsuccess = done;
    });
    window.name = 'leak';
    history.replaceState('leak', '');
    Object.assign(window, { leak: true });
    Object.assign(Array.prototype, { leak: true });
    const spread = () => document.body.setAttribute('data-leak', '');
    for (const type of ['message', 'keydown', 'click', 'focus']) {
      window.addEventListener(type, spread, true);
    }
    setInterval(spread, 1);
    spread();
    document.body.style.height = '5000px';
    document.documentElement.style.zoom = '2';
    document.querySelector<HTMLElement>('vscode-checkbox')?.focus();
    document.getSelection()?.selectAllChildren(document.body);
    window.scrollTo(0, 300);
    const host = window as unknown as { savedState: unknown; sent: unknown[] };
    host.savedState = 'leak';
    host.sent.push({ type: 'leak' });
  });
  await page.setViewportSize({ width: 280, height: 300 });
  await page.mouse.move(100, 100);
}

let first: Page;
const seen = new Set<Page>();

describe('a page that stays', () => {
  it('is left with as much as a test can leave', async () => {
    first = await open();
    await first.getByRole('checkbox').first().waitFor();
    expect(await remembered(first)).toEqual(nothing);
    await leak(first);
    // the control: all of it is there to be seen
    const left = await remembered(first);
    const same = Object.entries(nothing).filter(
      ([key, value]) => JSON.stringify(left[key as keyof typeof left]) === JSON.stringify(value),
    );
    expect(same).toEqual([]);
    expect(await savedState(first)).toBe('leak');
  });

  it('has none of it in the next test', async () => {
    const page = await open();
    expect(page).toBe(first);
    await page.getByRole('checkbox').first().waitFor();
    await page.keyboard.press('Shift');
    expect(await remembered(page)).toEqual(nothing);
    expect(page.viewportSize()).toEqual({ width: 900, height: 900 });
    expect(await savedState(page)).toBe('first');
    expect(await sent(page, 'leak')).toEqual([]);
    expect(await page.locator('vscode-button:hover, vscode-checkbox:hover').count()).toBe(0);
  });

  it('has none of it within a test that closed it', async () => {
    const page = await open();
    await leak(page);
    await page.close();
    const again = await open();
    expect(again).toBe(page);
    expect(await remembered(again)).toEqual(nothing);
  });

  it('is not heard by a listener of another test', async () => {
    const heard: string[] = [];
    const page = await open();
    page.on('request', (request) => heard.push(request.url()));
    await page.reload();
    expect(heard.length).toBeGreaterThan(0);
    heard.length = 0;
    await page.close();
    expect(await open()).toBe(page);
    expect(heard).toEqual([]);
  });

  it('shows another page as it shows its own', async () => {
    const ready = agentSnapshots.empty;
    const page = await pages.open({ page: 'agent', replies: { ready }, width: 300 });
    expect(page).toBe(first);
    await page.locator('#composer-text').waitFor();
    expect((await remembered(page)).marked).toBe(0);
  });

  it('is not the one of another page at the same time', async () => {
    const [one, other] = [await open(), await open()];
    expect(one).not.toBe(other);
    await leak(one);
    expect(await remembered(other)).toEqual(nothing);
  });
});

describe('what outlives a document', () => {
  it.each<[string, (page: Page) => unknown]>([
    ['a script for each document', (page) => page.addInitScript(() => undefined)],
    ['a clock', (page) => page.clock.install()],
    ['a binding', (page) => page.exposeFunction('leak', () => undefined)],
    ['a route', (page) => page.route('**/leak', (route) => route.abort())],
    ['what is set for the whole context', (page) => page.context().setOffline(false)],
    ['a medium', (page) => page.emulateMedia({ reducedMotion: 'reduce' })],
    ['a key that is held', (page) => page.keyboard.down('Shift')],
  ])('takes the page with it: %s', async (_what, change) => {
    const page = await open();
    expect(seen.has(page)).toBe(false);
    seen.add(page);
    await change(page);
  });

  afterAll(() => {
    expect([...seen].filter((page) => !page.isClosed())).toEqual([]);
  });
});
