/** What an empty conversation shows in the Pi Agent view, in a real browser: where to go on, and which servers are ready. */
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { repository } from '../workbench/paths.mjs';
import { startPreview } from '../workbench/preview/harness.mjs';
import { agentSnapshots, startView } from '../workbench/preview/states.mjs';
import { themes } from '../workbench/preview/themes.mjs';

const pictures = join(repository, 'test-results', 'pages');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const { empty, restricted, problem, loading } = agentSnapshots;

let preview: Awaited<ReturnType<typeof startPreview>>;

beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  preview = await startPreview();
});
afterAll(() => preview.close());

async function open(ready: object = empty, options: object = {}): Promise<Page> {
  const page = await preview.open({
    page: 'agent',
    replies: { ready },
    width: 280,
    height: 600,
    ...options,
  });
  await page.locator('#composer-text').waitFor();
  return page;
}
const tell = (page: Page, view: unknown) =>
  page.evaluate((params) => window.postMessage({ type: 'start', params }, '*'), view);
const sent = (page: Page, type: string): Promise<unknown[]> =>
  page.evaluate(
    (wanted) =>
      (window as unknown as { sent: { type: string; params?: unknown }[] }).sent
        .filter((each) => each.type === wanted)
        .map(({ params }) => params),
    type,
  );

it('goes on with a conversation by keyboard alone, and leaves the focus where one writes', async () => {
  const page = await open();
  await tell(page, startView);
  const list = page.getByRole('list', { name: 'Recent conversations' });
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
  await page.close();
});

it('leads to the next step of each server that is not ready', async () => {
  const page = await open();
  await tell(page, startView);
  await page.getByText('MCP servers: 3 of 6 ready').waitFor();
  for (const name of ['Review files…', 'Sign in to github…', 'docs fails']) {
    await page.getByRole('button', { name }).click();
  }
  expect(await sent(page, 'takeServerStep')).toEqual([
    { kind: 'review' },
    { kind: 'signIn', server: 'global#github' },
    { kind: 'show' },
  ]);
  await page.close();
});

it('offers to add a server only once it is known that there is none', async () => {
  const page = await open();
  const add = page.getByRole('button', { name: 'Add Server…' });
  expect(await add.count()).toBe(0);
  await tell(page, { ...startView, servers: undefined, recent: [] });
  await add.waitFor();
  expect(await page.getByRole('heading', { name: 'Recent conversations' }).count()).toBe(0);
  // what is told of another folder is not about this one
  await tell(page, { ...startView, folder: 'file:///work/other' });
  await add.waitFor({ state: 'detached' });
  expect(await page.getByText('Fix login').count()).toBe(0);
  await page.close();
});

it('names ways to a first model, and asks for no key in the page', async () => {
  const page = await open(problem, { height: 900 });
  const ways = page.getByRole('list', { name: 'Ways to a model' });
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
  await page.close();
});

it('says what failed when the extension does not answer, and asks it again', async () => {
  const page = await preview.open({
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
  await page.close();
});

it('says that there is no network, for as long as there is none', async () => {
  const page = await open();
  const banner = page.getByText('No network: models on this machine still answer');
  expect(await banner.count()).toBe(0);
  await page.context().setOffline(true);
  await banner.waitFor();
  await page.context().setOffline(false);
  await banner.waitFor({ state: 'detached' });
  await page.close();
});

it('counts no tools while there is no conversation, and says when loading takes long', async () => {
  const page = await open(loading);
  await page.getByRole('status').getByText('Loading Pi…').waitFor();
  expect(await page.locator('.tool-count').count()).toBe(0);
  const slow = page.getByText('This takes longer than usual.');
  expect(await slow.isVisible()).toBe(false);
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) {
      animation.finish();
    }
  });
  await slow.waitFor();
  await page.close();
});

it.each(Object.keys(themes))('has names, roles and contrast in the theme %s', async (theme) => {
  for (const [name, ready] of Object.entries({ empty, restricted, problem })) {
    const page = await open(ready, { theme });
    await tell(page, startView);
    await page.getByText(name === 'problem' ? 'An API key' : 'docs fails').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(280);
    await page.screenshot({ path: join(pictures, `start-${name}-${theme}.png`) });
    await page.evaluate(axe);
    expect(await page.evaluate(runAxe)).toEqual([]);
    await page.close();
  }
  expect(preview.problems).toEqual([]);
});

const isFocused = (element: Element) => element === document.activeElement;

/** Runs in the page. */
async function runAxe(): Promise<readonly string[]> {
  const found = await (
    window as unknown as {
      axe: {
        run: (
          options: object,
        ) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
      };
    }
  ).axe.run({
    rules: { region: { enabled: false } },
  });
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}
