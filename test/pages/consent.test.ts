/** The page of consent in a real browser, with the extension's side played by sample states. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { deliberateMs } from '../../src/webview/shared/deliberate.js';
import { drawn, holdTime, isFocused, savedState, sent, spoken } from '../helpers/pages/host.js';
import { faultsInAllLooks, wear } from '../helpers/pages/looks.js';
import {
  card,
  changedView,
  command,
  consentStates,
  oddArguments,
  oddView,
  plainView,
  tallView,
  twelveView,
  value,
} from '../helpers/pages/states/consent.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const pages = usePages();

interface Look {
  readonly theme?: string;
  readonly width?: number;
  readonly height?: number;
}

/** @param look what the extension answers, by message; or what it shows */
function open(look: object, size: Look = {}, replies: Record<string, unknown> = {}): Promise<Page> {
  return pages.open({
    page: 'consent',
    replies: { look, trust: { refused: [] }, trustFolder: { refused: [] }, ...replies },
    height: 900,
    ...size,
  });
}

/** As the extension does when something else waits. */
function receive(page: Page, view: unknown): Promise<void> {
  return page.evaluate((params) => window.postMessage({ type: 'view', params }, '*'), view);
}

/** As often as somebody can within the moment. */
const pressFast = (page: Page) =>
  page.locator('vscode-button[data-press^=servers]').evaluate((button: HTMLElement) => {
    for (let press = 0; press < 20; press++) {
      button.click();
    }
  });

const trust = (page: Page) => page.locator('vscode-button', { hasText: 'Trust Selected' });
const enabled = (page: Page) => page.locator('vscode-button[data-press^=servers]:not([disabled])');
const box = (page: Page, name: string) =>
  page.getByRole('checkbox', { name: `Trust server ${name}`, exact: true });
const obstacle = (page: Page) => page.locator('#obstacle').textContent();
const said = spoken;

/** What a press of Ctrl+C would put on the clipboard. */
function copied(page: Page): Promise<string> {
  return page.evaluate(() => {
    const data = new DataTransfer();
    const event = new ClipboardEvent('copy', {
      clipboardData: data,
      cancelable: true,
      bubbles: true,
    });
    const isOurs = !document.dispatchEvent(event);
    return isOurs ? data.getData('text/plain') : (document.getSelection()?.toString() ?? '');
  });
}

/** As somebody who reads: page by page, by keyboard. */
async function scrollThrough(page: Page): Promise<void> {
  const isAtEnd = () =>
    page.evaluate(() => window.scrollY + window.innerHeight >= document.body.scrollHeight - 1);
  while (!(await isAtEnd())) {
    await page.keyboard.press('PageDown');
    await page.evaluate(async () => {
      const frame = () => new Promise((done) => requestAnimationFrame(done));
      let before = Number.NaN;
      for (let still = 0; still < 4; still = window.scrollY === before ? still + 1 : 0) {
        before = window.scrollY;
        await frame();
      }
    });
  }
}

/** What is wider than the window, is cut by what holds it, or has its own scroll bar. */
const hidden = (page: Page) =>
  page.evaluate(() =>
    [
      document.documentElement,
      ...document.querySelectorAll<HTMLElement>('main, main :not(.visually-hidden)'),
    ]
      .filter((item) => {
        const { overflowX, textOverflow, display } = getComputedStyle(item);
        const isBlock = display !== 'inline' && item.clientWidth > 1;
        const isCut = isBlock && item.scrollWidth > item.clientWidth + 1;
        return (
          isCut || textOverflow === 'ellipsis' || overflowX === 'scroll' || overflowX === 'hidden'
        );
      })
      .map((item) => item.outerHTML.slice(0, 120)),
  );

it.each(Object.keys(consentStates))(
  'is whole in every theme, at 280 px and zoomed twice: %s',
  async (state) => {
    const { replies = {}, steps = async () => undefined } = consentStates[state] ?? {};
    const page = await open({}, {}, replies);
    await steps(page);
    expect(await faultsInAllLooks(page, `consent-${state}`, [900])).toEqual([]);
    // the borders of high contrast take room; other colours do not
    for (const theme of ['dark', 'hc-dark']) {
      await wear(page, theme);
      for (const [width, zoom] of [
        [900, ''],
        [280, ''],
        [900, '2'],
      ] as const) {
        await page.setViewportSize({ width, height: 800 });
        await page.evaluate((value) => {
          document.documentElement.style.zoom = value;
        }, zoom);
        expect(await hidden(page), `${theme}, ${width} px, zoom ${zoom}`).toEqual([]);
      }
    }
  },
);

it('ticks what is plain, and nothing at all while anything is odd', async () => {
  const page = await open(twelveView);
  expect(await page.locator('vscode-checkbox[aria-checked=true]').count()).toBe(12);
  const odd = card('odd', { isPlain: false });
  await receive(page, { ...twelveView, cards: [...twelveView.cards, odd] });
  await page.locator('vscode-checkbox[aria-checked=true]').first().waitFor({ state: 'detached' });
  expect(await page.locator('vscode-checkbox').count()).toBe(13);
  expect(await obstacle(page)).toBe('Nothing is selected.');
  expect(await trust(page).getAttribute('disabled')).not.toBeNull();
});

describe('what a server changed', () => {
  const accept = (page: Page) => page.locator('vscode-button', { hasText: 'Accept Selected' });

  it('is accepted by a box of its own, after a look, and trusts no start', async () => {
    const page = await open(changedView);
    await page.getByText('Nothing is selected.').waitFor();
    expect(await accept(page).getAttribute('disabled')).not.toBeNull();
    await page
      .getByRole('checkbox', { name: 'Accept this change of server orders', exact: true })
      .click();
    await page.getByText('You accept, as shown: orders').waitFor();
    await enabled(page).click();
    expect(await sent(page, 'trust')).toEqual([
      { cards: [{ id: changedView.cards[0]?.id, hash: 'definition of orders' }] },
    ]);
  });

  it('is drawn with its hidden characters, and what differs is marked', async () => {
    const page = await open(changedView);
    const added = page.locator('[data-change=added] mark').first();
    expect(await added.textContent()).toContain('\\u{e0072}');
    expect(await added.textContent()).not.toContain('Finds orders');
    expect(await page.locator('[data-change=removed] mark').count()).toBe(0);
  });

  it('does not have to be seen to trust the folder', async () => {
    const start = card('plain');
    const page = await open({ ...changedView, cards: [start, ...changedView.cards] });
    await page.getByRole('button', { name: 'More Answers' }).click();
    await page.locator('vscode-button[data-press^=folder]:not([disabled])').click();
    expect(await sent(page, 'trustFolder')).toEqual([
      { uri: start.folderUri, cards: [{ id: start.id, hash: start.hash }] },
    ]);
  });
});

describe('what a repository writes', () => {
  it('is drawn with escapes, each with a hint in words, and copied as it is', async () => {
    const page = await open(oddView);
    const argument = (at: number) => page.locator('[data-change=added] ol > li > span').nth(at);
    expect(await argument(0).textContent()).toBe('server.js\\u{20}×300; rm -rf ~');
    expect(await argument(1).textContent()).toBe('report\\u{202e}fdp.sh');
    expect(await argument(6).textContent()).toBe('two\\nlines\\tand a blank at the end\\u{20}');
    expect(await argument(7).textContent()).toBe('(empty)');
    const text = (await page.locator('main').textContent()) ?? '';
    expect(text).toContain('Drawn as escapes: blanks that are hard to see or to count, control');
    for (const character of text) {
      expect(character).toMatch(/[ -~…×]|\n/);
    }
    for (const hint of await page.locator('.escape').all()) {
      expect(await hint.getAttribute('aria-label')).toMatch(/^\\.*: .*(?:blanks|characters)/);
    }
    for (const [at, exact] of oddArguments.entries()) {
      await argument(at).evaluate((item) => document.getSelection()?.selectAllChildren(item));
      expect(await copied(page)).toBe(exact);
    }
    await page
      .locator('ol')
      .last()
      .evaluate((item) => document.getSelection()?.selectAllChildren(item));
    expect(await copied(page)).toContain(`${oddArguments[0]}\n`);
    // an escape alone, and half of it
    await page
      .locator('.escape')
      .nth(1)
      .evaluate((item) => {
        const [inner] = item.childNodes;
        const text =
          [...item.childNodes].find(({ nodeType }) => nodeType === Node.TEXT_NODE) ?? inner;
        document.getSelection()?.setBaseAndExtent(text ?? item, 1, text ?? item, 3);
      });
    expect(await copied(page)).toBe('\u202e');
  });

  it('is wrapped by nothing but the edge: no blank, no hyphen, no indentation', async () => {
    const long = `${'supercalifragilistic'.repeat(30)} -rf /home/ada/a-b-c-d`;
    const view = { ...plainView, cards: [card('long', { lines: [command(['node', long])] })] };
    const page = await open(view, { width: 280 });
    const argument = page.locator('ol .value');
    expect(await argument.evaluate((item) => item.textContent)).toBe(long);
    const style = await argument.evaluate((item) => {
      const { hyphens, textIndent, whiteSpace, textTransform, unicodeBidi } =
        getComputedStyle(item);
      return { hyphens, textIndent, whiteSpace, textTransform, unicodeBidi };
    });
    expect(style).toEqual({
      hyphens: 'none',
      textIndent: '0px',
      whiteSpace: 'break-spaces',
      textTransform: 'none',
      unicodeBidi: 'bidi-override',
    });
    // every line begins where the first one does
    const lines = await argument.evaluate((item) => {
      const starts = new Map<number, number>();
      for (const { left, top } of item.getClientRects()) {
        starts.set(top, Math.min(left, starts.get(top) ?? left));
      }
      return [...starts.values()];
    });
    expect(new Set(lines).size).toBe(1);
    expect(lines.length).toBeGreaterThan(10);
    await argument.evaluate((item) => document.getSelection()?.selectAllChildren(item));
    expect(await copied(page)).toBe(long);
  });

  it('is read in the order in which it stands', async () => {
    const text = 'a \u05e9\u05dc\u05d5\u05dd/1 b';
    const view = { ...plainView, cards: [card('rtl', { lines: [command(['node', text])] })] };
    const page = await open(view);
    const places = await page.locator('ol .value').evaluate((item) => {
      const walk = document.createTreeWalker(item, NodeFilter.SHOW_TEXT);
      const found: number[] = [];
      for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        for (let at = 0; at < (node.textContent ?? '').length; at++) {
          const range = document.createRange();
          range.setStart(node, at);
          range.setEnd(node, at + 1);
          found.push(range.getBoundingClientRect().left);
        }
      }
      return found;
    });
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  it('is markup that nobody runs', async () => {
    const markup = '<img src=x onerror="window.ran = true"><script>window.ran = true</script>';
    const [sample] = plainView.cards;
    const view = {
      ...plainView,
      folders: [{ uri: 'file:///x', name: markup, isTrusted: false }],
      cards: [
        {
          ...sample,
          name: markup,
          folder: markup,
          note: markup,
          lines: [command([markup, markup])],
          source: { path: markup },
          commit: [value(markup)],
        },
      ],
    };
    const page = await open(view);
    await page.getByText(markup).first().waitFor();
    const ran = () => page.evaluate(() => 'ran' in window);
    expect([await page.locator('main').locator('img, script').count(), await ran()]).toEqual([
      0,
      false,
    ]);
    // the canary runs when it is asked to
    await page.evaluate(() => Object.assign(window, { ran: true }));
    expect(await ran()).toBe(true);
  });
});

describe('a press that trusts', () => {
  it('is possible once every ticked card was wholly in view, and sends what was shown', async () => {
    const page = await open(twelveView, { height: 500 });
    await page.getByText('Scroll to the end of: ').waitFor();
    expect(await obstacle(page)).toContain('server-12');
    // what is jumped over was not in view
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await expect.poll(() => obstacle(page)).not.toContain('server-12');
    expect(await obstacle(page)).toContain('server-6');
    expect(await enabled(page).count()).toBe(0);
    await page.evaluate(() => window.scrollTo(0, 0));
    await scrollThrough(page);
    await enabled(page).click();
    await expect
      .poll(() => sent(page, 'trust'))
      .toEqual([{ cards: twelveView.cards.map(({ id, hash }) => ({ id, hash })) }]);
  });

  it('needs only what is ticked', async () => {
    const page = await open(twelveView, { height: 500 });
    for (let at = 2; at <= 12; at++) {
      await box(page, `server-${at}`).click();
    }
    await page.evaluate(() => window.scrollTo(0, 0));
    await expect.poll(() => obstacle(page)).toBe('You trust, as shown: server-1');
    await enabled(page).click();
    await expect
      .poll(() => sent(page, 'trust'))
      .toEqual([{ cards: [{ id: 'file:///work/shop#server-1', hash: 'hash of server-1' }] }]);
  });

  it.each([
    ['in a window', { width: 900, height: 300 }],
    ['in a narrow one', { width: 280, height: 400 }],
  ])(
    'waits for the last piece of a card that is higher than the screen, %s',
    async (_what, size) => {
      const page = await open(tallView, size);
      await page.getByText('Scroll to the end of: tall').waitFor();
      // its first and its last part, but not what is between them
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      await drawn(page);
      await page.clock.install();
      await page.clock.fastForward(60_000);
      expect(await enabled(page).count()).toBe(0);
      await page.evaluate(() => window.scrollTo(0, 0));
      await scrollThrough(page);
      await enabled(page).waitFor();
      // another width is another layout
    },
  );

  it('is none by Enter, wherever the focus is, and none by typing', async () => {
    const page = await open(plainView);
    await enabled(page).waitFor();
    await holdTime(page);
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
    await page.keyboard.press('Enter');
    await page.keyboard.type('yes y\n');
    await box(page, 'orders').focus();
    await page.keyboard.press('Enter');
    await trust(page).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => said(page)).toContain('The space bar presses this');
    expect(await sent(page, 'trust')).toEqual([]);
    // a key that follows another one at once is typing
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Space');
    expect(await sent(page, 'trust')).toEqual([]);
    expect(await box(page, 'orders').getAttribute('aria-checked')).toBe('true');
    // the control: the same key, after a moment without others
    await page.clock.runFor(900);
    await page.keyboard.press('Space');
    await expect.poll(() => sent(page, 'trust')).toHaveLength(1);
  });

  it.each([
    [
      'when the page opens',
      async (page: Page) => {
        await holdTime(page);
        await page.reload();
        // the extension's answer
        await page.clock.runFor(1);
      },
    ],
    [
      'when something else waits',
      async (page: Page) => {
        await enabled(page).waitFor();
        await holdTime(page);
        await receive(page, { ...plainView, cards: [card('orders', { hash: 'another' })] });
        await page.locator('[data-hash=another]').waitFor();
      },
    ],
    [
      'when the page comes back into sight',
      async (page: Page) => {
        await enabled(page).waitFor();
        await holdTime(page);
        await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
      },
    ],
  ])('is none in the first moment, %s', async (_what, come) => {
    const page = await open(plainView);
    await come(page);
    await pressFast(page);
    await page.clock.runFor(deliberateMs - 100);
    await pressFast(page);
    expect(await sent(page, 'trust')).toEqual([]);
    await page.clock.runFor(100);
    await page.clock.resume();
    await enabled(page).click();
    await expect.poll(() => sent(page, 'trust')).toHaveLength(1);
  });

  it('says what changed since it was read, and shows what stands there now', async () => {
    const page = await open(plainView, {}, { trust: { refused: ['orders'] } });
    await enabled(page).click();
    await page
      .getByText('This changed since you read it, so nothing was trusted. Read it again: orders')
      .first()
      .waitFor();
    await expect.poll(() => said(page)).toContain('This changed since you read it');
    const changed = card('orders', { hash: 'another', lines: [command(['node', 'evil.js'])] });
    await receive(page, { ...plainView, cards: [changed] });
    await page.getByText('evil.js').waitFor();
  });
});

it('trusts a whole folder behind the three dots, once all of it was in view', async () => {
  const page = await open(twelveView, { height: 500 });
  await page.getByRole('button', { name: 'More Answers' }).click();
  const folder = page.getByRole('group', { name: 'Trust Whole Folder web app' });
  await folder.getByText('also those that are added or changed later').waitFor();
  expect(await folder.locator('vscode-button').getAttribute('disabled')).not.toBeNull();
  await page.evaluate(() => window.scrollTo(0, 0));
  await scrollThrough(page);
  await folder.locator('vscode-button:not([disabled])').click();
  const cards = twelveView.cards.slice(7).map(({ id, hash }) => ({ id, hash }));
  await expect.poll(() => sent(page, 'trustFolder')).toEqual([{ uri: 'file:///work/web', cards }]);
});

it('offers to trust a folder in which nothing waits', async () => {
  const page = await open({ ...plainView, cards: [] });
  expect(await trust(page).count()).toBe(0);
  await page.getByRole('button', { name: 'More Answers' }).click();
  await page.locator('[data-press^=folder]:not([disabled])').click();
  await expect
    .poll(() => sent(page, 'trustFolder'))
    .toEqual([{ uri: 'file:///work/shop', cards: [] }]);
});

it('leads to the file, to Workspace Trust and away, by keyboard alone', async () => {
  const page = await open(plainView);
  await box(page, 'orders').waitFor();
  await page.keyboard.press('Tab');
  await expect.poll(() => box(page, 'orders').evaluate(isFocused)).toBe(true);
  await page.keyboard.press('Space');
  expect(await obstacle(page)).toBe('Nothing is selected.');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => sent(page, 'openFile')).toEqual([{ id: 'file:///work/shop#orders' }]);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => sent(page, 'leave')).toHaveLength(1);
  await receive(page, { ...plainView, cards: [], isRestricted: true });
  await page.getByRole('button', { name: 'Manage Workspace Trust' }).click();
  await expect.poll(() => sent(page, 'manageTrust')).toHaveLength(1);
});

it('keeps what was ticked while it is out of sight, not what was seen', async () => {
  const page = await open(twelveView, { height: 500 });
  await box(page, 'server-1').click();
  const saved = await savedState(page);
  await page.close();
  const again = await pages.open({
    page: 'consent',
    replies: { look: twelveView },
    savedState: saved,
    height: 500,
  });
  await again.getByText('Scroll to the end of: ').waitFor();
  expect(await again.locator('vscode-checkbox[aria-checked=true]').count()).toBe(11);
  expect(await enabled(again).count()).toBe(0);
  await again.close();
});

it('asks anew, when the servers could not be read', async () => {
  const page = await open({ error: 'The servers could not be read.' });
  await page.getByRole('button', { name: 'Try Again' }).click();
  await expect.poll(() => sent(page, 'look')).toHaveLength(2);
  // refused again; an answer that comes after the servers would say so above them
  await drawn(page);
  await page.getByRole('button', { name: 'Try Again' }).waitFor();
  await receive(page, plainView);
  await box(page, 'orders').waitFor();
  expect(await page.getByText('Try Again').count()).toBe(0);
  expect(await page.getByText('The servers could not be read.').count()).toBe(0);
});
