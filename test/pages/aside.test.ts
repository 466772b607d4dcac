/** A question beside the conversation on the page of the Pi Agent view, in a real browser. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { isFocused, sent, spoken, tell } from '../helpers/pages/host.js';
import { faultsInAllLooks } from '../helpers/pages/looks.js';
import { agentSnapshots } from '../helpers/pages/states/agent.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const pages = usePages();

const { done } = agentSnapshots;
const running = { ...done, state: { ...done.state, status: 'running' } };
const question = 'Which of the two tests covers the discount?';
const answer =
  'The **second** one, `test/cart.test.ts`:\n\n```ts\nexpect(total(cart)).toBe(90);\n```\n\n* It has no case for two codes.\n* See [the docs](https://example.com/cart).';

const open = (snapshot: { readonly state: object } = done) =>
  pages.open({
    page: 'agent',
    replies: { ready: snapshot, runCommand: { kind: 'done' }, dismissAside: undefined },
    width: 320,
    height: 640,
  });
const card = (page: Page) => page.getByRole('region', { name: 'Side question, kept nowhere' });
const composer = (page: Page) => page.locator('#composer-text');
const show = (page: Page, aside?: object, state: object = done.state) =>
  tell(page, 'state', { ...state, aside });

it('shows the question at once, and reads the answer out once it is there', async () => {
  const page = await open();
  await composer(page).fill(`/btw ${question}`);
  await composer(page).press('Escape');
  await composer(page).press('Enter');
  expect(await sent(page, 'runCommand')).toEqual([{ text: `/btw ${question}` }]);
  await show(page, { question });
  await card(page).getByText(question).waitFor();
  await card(page).getByText('Asking Large Model 5…').waitFor();
  expect(await spoken(page)).not.toContain('Answer to the side question');
  await show(page, { question, answer });
  await card(page).locator('strong', { hasText: 'second' }).waitFor();
  await expect.poll(() => spoken(page)).toContain('Pi: The **second**');
  expect(await composer(page).evaluate(isFocused)).toBe(true);
  expect(await page.locator('#transcript').getByText('covers the discount').count()).toBe(0);
});

it('does not read out again what the page found there', async () => {
  const page = await open({ ...done, state: { ...done.state, aside: { question, answer } } });
  await card(page).locator('strong').waitFor();
  expect(await spoken(page)).not.toContain('Answer to the side question');
});

it('is dismissed by Escape from the input, and the run goes on; the next Escape stops it', async () => {
  const page = await open(running);
  await show(page, { question, answer }, running.state);
  await card(page).waitFor();
  await composer(page).press('Escape');
  await expect.poll(() => sent(page, 'dismissAside')).toHaveLength(1);
  expect(await sent(page, 'stop')).toEqual([]);
  await show(page, undefined, running.state);
  await card(page).waitFor({ state: 'detached' });
  await composer(page).press('Escape');
  await expect.poll(() => sent(page, 'stop')).toHaveLength(1);
});

it('gives the focus back to the input when it is dismissed from within, by key or button', async () => {
  const page = await open();
  for (const dismiss of [
    () => card(page).getByRole('group').press('Escape'),
    () => card(page).getByRole('button', { name: 'Close' }).press('Enter'),
  ]) {
    await show(page, { question, answer });
    await card(page).getByRole('group').focus();
    await dismiss();
    await show(page);
    await expect.poll(() => composer(page).evaluate(isFocused)).toBe(true);
  }
  expect(await sent(page, 'dismissAside')).toHaveLength(2);
});

it('shows foreign text as text, and says why there is no answer', async () => {
  const page = await open();
  await show(page, { question: '<b>bold?</b>', answer: '<img src=x onerror="alert(1)">' });
  await card(page).getByText('<b>bold?</b>').waitFor();
  expect(await card(page).locator('img, b').count()).toBe(0);
  await show(page, { question, failure: 'Acme rejected your API key (401).' });
  await card(page).getByText('Acme rejected your API key (401).').waitFor();
  await expect.poll(() => spoken(page)).toContain('Acme rejected your API key');
});

it('is readable in every look', async () => {
  const page = await open({ ...running, state: { ...running.state, aside: { question, answer } } });
  await card(page).locator('code').first().waitFor();
  expect(await faultsInAllLooks(page, 'aside-answered', [760, 320])).toEqual([]);
  await show(page, { question }, running.state);
  await card(page).getByText('Asking').waitFor();
  expect(await faultsInAllLooks(page, 'aside-asking', [320])).toEqual([]);
});
