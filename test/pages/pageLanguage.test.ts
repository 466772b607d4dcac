/** Both pages in a made-up language, in which every text of ours is marked. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { agentSnapshots } from '../helpers/pages/states/agent.mjs';
import { editStart, listStart } from '../helpers/pages/states/config.mjs';
import { usePages } from '../helpers/pages/usePages.js';
import { repository } from '../workbench/paths.mjs';

const english = Object.keys(
  JSON.parse(readFileSync(join(repository, 'l10n/bundle.l10n.json'), 'utf8')) as object,
);
const texts = Object.fromEntries(english.map((text) => [text, `⟦${text}⟧`]));

const pages = usePages();

it.each(Object.entries(agentSnapshots))('translates the agent view: %s', async (_, snapshot) => {
  const page = await pages.open({ page: 'agent', replies: { ready: snapshot }, texts });
  await page.locator('#composer-text').waitFor();
  await expectTranslated(page, snapshot, '⟦Conversation⟧');
});

it('translates the list of servers and the form of an entry', async () => {
  const list = await pages.open({ page: 'config', replies: listStart, texts });
  await list.getByText('⟦MCP Servers⟧').waitFor();
  await expectTranslated(list, listStart, '⟦Add Server⟧');
  await list.close();
  const replies = editStart();
  const page = await pages.open({ page: 'server', replies, texts });
  await page.getByRole('button', { name: '⟦Save⟧', exact: true }).waitFor();
  for (const group of await page.locator('#settings summary').all()) {
    await group.click();
  }
  await expectTranslated(page, [replies, pages.forms], '⟦Save⟧');
});

/** One text is shown in the language, and no text of ours in English; `data` has texts of its own. */
async function expectTranslated(page: Page, data: unknown, sample: string): Promise<void> {
  const shown = await page.evaluate(readTexts);
  const own = new Set(textsIn(data));
  expect(shown).toContain(sample);
  expect(shown.filter((text) => english.includes(text) && !own.has(text))).toEqual([]);
}

function textsIn(data: unknown): readonly string[] {
  if (typeof data === 'string') {
    return [data];
  }
  return typeof data === 'object' && data ? Object.values(data).flatMap(textsIn) : [];
}

/** Runs in the page. */
function readTexts(): string[] {
  const found = new Set<string>();
  const attributes = ['aria-label', 'title', 'placeholder', 'alt'];
  for (const element of document.body.querySelectorAll('*')) {
    for (const name of attributes) {
      found.add(element.getAttribute(name)?.trim() ?? '');
    }
    for (const node of element.childNodes) {
      if (node.nodeType === Node.TEXT_NODE && element.tagName !== 'SCRIPT') {
        found.add(node.textContent?.trim() ?? '');
      }
    }
  }
  return [...found];
}
