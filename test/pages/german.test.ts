/** The agent's page in German, whose words are longer: nothing is cut, and nothing scrolls sideways. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { drawn } from '../helpers/pages/host.js';
import { shoot } from '../helpers/pages/looks.js';
import { agentSnapshots } from '../helpers/pages/states/agent.mjs';
import { usePages } from '../helpers/pages/usePages.js';
import { repository } from '../workbench/paths.mjs';

const texts = JSON.parse(readFileSync(join(repository, 'l10n/bundle.l10n.de.json'), 'utf8'));
const widths = [280, 760];

const pages = usePages();

it.each(Object.entries(agentSnapshots))('shows %s whole, narrow and wide', async (name, ready) => {
  const page = await pages.open({ page: 'agent', replies: { ready }, texts, height: 800 });
  await page.locator('#composer-text').waitFor();
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    await drawn(page);
    await shoot(page, `${name}-${width}`);
    expect(await page.evaluate(readCut), `at ${width} px`).toEqual([]);
  }
});

it('finds a button whose words are cut', async () => {
  const replies = { ready: agentSnapshots.empty };
  const page = await pages.open({ page: 'agent', replies, texts, width: 280, height: 800 });
  await page.locator('#composer-text').waitFor();
  await page.evaluate(() => {
    const button = document.createElement('button');
    button.textContent = 'Unterhaltung';
    button.style.cssText = 'width: 30px; overflow: hidden; white-space: nowrap';
    document.body.append(button);
  });
  expect(await page.evaluate(readCut)).toEqual(['Unterhaltung']);
});

/** Runs in the page. Words of what can be clicked that are cut without a tooltip, and what is wider than the page. */
function readCut(): string[] {
  const cut: string[] = [];
  for (const one of document.body.querySelectorAll<HTMLElement>(
    'button, vscode-button, select, label:not(.visually-hidden), summary',
  )) {
    const isShown = one.checkVisibility() && getComputedStyle(one).overflowX !== 'visible';
    if (isShown && one.scrollWidth > one.clientWidth + 1 && one.title === '') {
      cut.push(one.textContent?.trim() ?? one.tagName);
    }
  }
  const page = document.documentElement;
  if (page.scrollWidth > page.clientWidth) {
    cut.push(`the page, by ${page.scrollWidth - page.clientWidth} px`);
  }
  return cut;
}
