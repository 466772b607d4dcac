/** What an empty conversation shows in the Pi Agent view, in a real browser: where to go on, and which servers are ready. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { isFocused, sent, tell } from '../helpers/pages/host.js';
import { faultsInAllLooks } from '../helpers/pages/looks.js';
import { agentSnapshots, startView } from '../helpers/pages/states/agent.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const { empty, restricted, problem, loading } = agentSnapshots;

const pages = usePages();

async function open(ready: object = empty, options: object = {}): Promise<Page> {
  const page = await pages.open({
    page: 'agent',
    replies: { ready },
    width: 280,
    height: 600,
    ...options,
  });
  await page.locator('#composer-text').waitFor();
  return page;
}

it('goes on with a conversation by keyboard alone, and leaves the focus where one writes', async () => {
  const page = await open();
  await tell(page, 'start', startView);
  const list = page.getByRole('list', { name: 'Conversations' });
  await list.waitFor();
  expect(await list.getByRole('button').count()).toBe(3);
  await page.getByRole('log').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  const name = 'Why is the total of the cart wrong when the tax is added twice? 2 hours ago';
  expect(await list.getByRole('button', { name }).evaluate(isFocused)).toBe(true);
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('#composer-text').evaluate(isFocused)).toBe(true);
  expect(await sent(page, 'openConversation')).toEqual([{ id: 'two.jsonl' }]);
});

it('leads to the next step of each server that is not ready', async () => {
  const page = await open();
  await tell(page, 'start', startView);
  await page.getByText('MCP servers: 3 of 6 ready').waitFor();
  for (const name of ['Review: files', 'Sign In: github', 'Failed: docs']) {
    await page.getByRole('button', { name }).click();
  }
  expect(await sent(page, 'takeServerStep')).toEqual([
    { kind: 'review' },
    { kind: 'signIn', server: 'global#github' },
    { kind: 'show' },
  ]);
});

it('offers to add a server only once it is known that there is none', async () => {
  const page = await open();
  const add = page.getByRole('button', { name: 'Add Server' });
  expect(await add.count()).toBe(0);
  await tell(page, 'start', { ...startView, servers: undefined, recent: [] });
  await add.waitFor();
  expect(await page.getByRole('heading', { name: 'Conversations' }).count()).toBe(0);
  // what is told of another folder is not about this one
  await tell(page, 'start', { ...startView, folder: 'file:///work/other' });
  await add.waitFor({ state: 'detached' });
  expect(await page.getByText('Fix login').count()).toBe(0);
});

it('names ways to a first model, and asks for no key in the page', async () => {
  const page = await open(problem, { height: 900 });
  const ways = page.locator('.ways');
  expect(await ways.getByRole('listitem').count()).toBe(5);
  const choose = async (group: string, name: string) => {
    await ways.getByRole('group', { name: group }).getByRole('button', { name }).focus();
    await page.keyboard.press('Enter');
  };
  await choose('Models of VS Code: GitHub Copilot', 'Choose Model…');
  await choose('An account or subscription', 'Claude Pro/Max');
  await choose('An API key', 'OpenAI');
  await choose('An API key', 'More…');
  expect(await sent(page, 'takeModelWay')).toEqual([
    { kind: 'editor' },
    { kind: 'account', provider: 'anthropic' },
    { kind: 'apiKey', provider: 'openai' },
    { kind: 'apiKey' },
  ]);
  expect(await page.locator('input').count()).toBe(0);
  // what went wrong is said, the ways are there to be gone through
  expect(await page.getByRole('alert').textContent()).toMatch(/^\s*Pi has no model/);
  expect(await page.getByRole('alert').textContent()).not.toContain('An API key');
});

it('says what failed when the extension does not answer, and asks it again', async () => {
  const page = await pages.open({
    page: 'agent',
    replies: { ready: { error: 'The extension has ended.' } },
    width: 280,
    height: 600,
  });
  const alert = page.getByRole('alert');
  await alert.getByText('The extension has ended.').waitFor();
  await page.getByRole('button', { name: 'Try Again' }).click();
  await expect.poll(async () => (await sent(page, 'ready')).length).toBe(2);
  await alert.waitFor();
});

it('says that there is no network, for as long as there is none', async () => {
  const page = await open();
  const banner = page.getByText('No network: models on this machine still answer');
  expect(await banner.count()).toBe(0);
  await page.context().setOffline(true);
  await banner.waitFor();
  await page.context().setOffline(false);
  await banner.waitFor({ state: 'detached' });
});

it('counts no tools while there is no conversation, and says when loading takes long', async () => {
  const page = await open(loading);
  await page.getByRole('status').getByText('Loading…').waitFor();
  expect(await page.locator('.tool-count').count()).toBe(0);
  const slow = page.getByText('This takes longer than usual.');
  expect(await slow.isVisible()).toBe(false);
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) {
      animation.finish();
    }
  });
  await slow.waitFor();
});

it.each(Object.entries({ empty, restricted, problem }))(
  'has names, roles and contrast in every theme: %s',
  async (name, ready) => {
    const page = await open(ready);
    await tell(page, 'start', startView);
    await page.getByText(name === 'problem' ? 'An API key' : 'Failed: docs').waitFor();
    expect(await faultsInAllLooks(page, `start-${name}`, [280])).toEqual([]);
  },
);
