/** Commands typed into the page of the Pi Agent view, in a real browser: what is completed, answered and refused. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { isFocused, sent, tell } from '../helpers/pages/host.js';
import { agentSnapshots, noInputs } from '../helpers/pages/states/agent.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const pages = usePages();

const open = (outcome: object) =>
  pages.open({
    page: 'agent',
    replies: { ready: agentSnapshots.empty, runCommand: outcome, prompt: { isSent: true } },
    width: 320,
    height: 640,
  });
const composer = (page: Page) => page.locator('#composer-text');
const active = (page: Page) =>
  composer(page).evaluate((area) => {
    const id = area.getAttribute('aria-activedescendant');
    return id === null ? null : document.getElementById(id)?.textContent?.trim();
  });

it('completes commands, their words and the names of servers by keyboard', async () => {
  const page = await open({ kind: 'done' });
  const command = (name: string, parent?: string) => {
    return { command: name, description: `What ${name} does`, arguments: [], parent };
  };
  const commands = [
    command('/new'),
    command('/compact'),
    command('/mcp'),
    command('/mcp reconnect', '/mcp'),
    command('/mcp reconnect memory', '/mcp reconnect'),
  ];
  await tell(page, 'inputs', { ...noInputs, commands });
  await composer(page).fill('/');
  await page.getByRole('option', { name: '/compact' }).waitFor();
  expect(await active(page)).toMatch(/^\/new/);
  await composer(page).press('ArrowDown');
  expect(await active(page)).toMatch(/^\/compact/);
  await composer(page).fill('/mc');
  await composer(page).press('Tab');
  expect(await composer(page).inputValue()).toBe('/mcp ');
  await page.getByRole('option', { name: '/mcp reconnect' }).waitFor();
  await composer(page).pressSequentially('rec');
  await composer(page).press('Tab');
  await page.getByRole('option', { name: '/mcp reconnect memory' }).waitFor();
  await composer(page).press('Escape');
  await page.getByRole('listbox').waitFor({ state: 'detached' });
  expect(await active(page)).toBeNull();
});

it('answers beside the conversation, and gives the focus back', async () => {
  const answer = { title: 'Commands', rows: [{ name: '/compact [focus]', text: 'Summarizes' }] };
  const page = await open({ kind: 'done', answer });
  await composer(page).fill('/help');
  await composer(page).press('Enter');
  const shown = page.getByRole('region', { name: 'Commands' });
  await shown.getByText('/compact [focus]').waitFor();
  await shown.getByRole('button', { name: 'Close' }).press('Escape');
  await shown.waitFor({ state: 'detached' });
  await expect.poll(() => composer(page).evaluate(isFocused)).toBe(true);
});

it('sends nothing that only looks like a command, unless it is told to', async () => {
  const text = 'Pi does not know "/modle".';
  const page = await open({ kind: 'refused', text, near: ['/model'], mayBeText: true });
  const refuse = async () => {
    await composer(page).fill('/modle demo');
    await composer(page).press('Enter');
    await page.getByRole('group', { name: text }).waitFor();
  };
  await refuse();
  await page.getByRole('button', { name: '/model', exact: true }).click();
  await expect.poll(() => composer(page).inputValue()).toBe('/model');
  await refuse();
  expect(await sent(page, 'prompt')).toEqual([]);
  await page.getByRole('button', { name: 'Send as Text' }).click();
  await expect.poll(() => sent(page, 'prompt')).toMatchObject([{ text: '/modle demo' }]);
});
