/** The page of the Pi Agent view by keyboard: who comes to it writes, and goes through the conversation from there. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { tell } from '../helpers/pages/host.js';
import { agentSnapshots } from '../helpers/pages/states/agent.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const pages = usePages();

const { empty } = agentSnapshots;
const answer = (id: string, text: string) => ({ id, kind: 'assistant', text, isStreaming: false });
const transcript = [
  { id: 'u1', kind: 'user', text: 'Tell me' },
  ...Array.from({ length: 12 }, (_, at) => answer(`a${at}`, `Part ${at}.\n\nWith some lines.`)),
  answer('last', 'See [the site](https://example.org/) for it.'),
];
const open = (ready: unknown = { ...empty, transcript }) =>
  pages.open({ page: 'agent', replies: { ready }, width: 300, height: 600 });
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: it } = document;
    return it?.getAttribute('data-entry') ?? it?.id ?? it?.tagName;
  });

it('begins in the input, and takes the focus from nothing', async () => {
  const page = await open();
  await page.locator('#composer-text:focus').waitFor();
  await page.locator('.model-picker').focus();
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await tell(page, 'entries', [answer('more', 'More')]);
  await page.getByText('More', { exact: true }).waitFor();
  expect(await page.locator('.model-picker:focus').count()).toBe(1);
  await page.evaluate(() => {
    (document.activeElement as HTMLElement).blur();
    window.dispatchEvent(new Event('focus'));
  });
  expect(await focused(page)).toBe('composer-text');
});

it('goes from the input to the newest, from one to the next, into one, and back', async () => {
  const page = await open();
  await page.locator('#composer-text:focus').waitFor();
  await page.keyboard.press('Shift+Tab');
  expect(await focused(page)).toBe('last');
  await page.keyboard.press('ArrowDown');
  expect(await focused(page)).toBe('last');
  await page.keyboard.press('ArrowUp');
  expect(await focused(page)).toBe('a11');
  await page.keyboard.press('Home');
  expect(await focused(page)).toBe('u1');
  await page.keyboard.press('ArrowUp');
  expect(await focused(page)).toBe('u1');
  await page.keyboard.press('End');
  expect(await focused(page)).toBe('last');
  await page.keyboard.press('Enter');
  expect(
    await page.getByRole('link', { name: 'the site' }).and(page.locator(':focus')).count(),
  ).toBe(1);
  await page.keyboard.press('Escape');
  expect(await focused(page)).toBe('composer-text');
  // nothing stays behind that Tab or a click would stop at
  expect(await page.locator('[data-entry][tabindex]').count()).toBe(0);
});

it('stays at the end for who only looks at the newest', async () => {
  const page = await open();
  await page.locator('#composer-text:focus').waitFor();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Escape');
  await tell(page, 'entries', [answer('next', 'What came next')]);
  await page.getByText('What came next', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: /Jump to Latest/ }).count()).toBe(0);
});

it('leads back to the input before it stops what runs', async () => {
  const running = { ...empty, transcript, state: { ...empty.state, status: 'running' } };
  const page = await open(running);
  await page.locator('#composer-text:focus').waitFor();
  const stops = () =>
    page.evaluate(
      () =>
        (window as unknown as { sent: { type: string }[] }).sent.filter(
          ({ type }) => type === 'stop',
        ).length,
    );
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Escape');
  expect([await focused(page), await stops()]).toEqual(['composer-text', 0]);
  await page.keyboard.press('Escape');
  await expect.poll(stops).toBe(1);
});
