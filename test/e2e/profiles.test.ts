/** Named sets of tools: chosen in the palette, seen in tree, status bar and panel, kept over a reload. */
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { filesystem, memory } from '../helpers/coreHarness.js';
import { trustEverything } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

const settings = {
  'piMcp.agent.toolBudget': 20_000,
  'piMcp.profiles': {
    review: ['memory', '!memory/delete_*', 'files/read_*', 'memry/read_graph'],
    careful: { tools: [], readOnly: true },
    wrong: 7,
  },
};
const ofFolder = { review: ['*'] };
const mcpServers = { memory, files: filesystem };
const files = {
  '.mcp.json': JSON.stringify({
    mcpServers,
    settings: { profiles: ofFolder },
  }),
};
const workbench = useWorkbench({ files, settings }, async (opened) => {
  await trustEverything(opened);
  await opened.shell.connectedItem(2, 2).waitFor();
  await opened.agent.show();
  await opened.servers.show();
  await opened.servers.expand(opened.servers.row('memory').first());
});

const toolsOf = (server: string, facts: string) =>
  workbench.page.getByRole('treeitem', {
    name: new RegExp(`^Tools, ${facts}, server ${server}$`),
  });
const toolCount = () => workbench.agent.frame.locator('.tool-count');

async function openPicker(): Promise<void> {
  const { shell } = workbench;
  await shell.askUntilShown(
    () => shell.runCommand('Pi MCP: Select Profile…'),
    shell.quickPick('no profile'),
  );
}

function choice(name: string, source: string): Locator {
  return workbench.shell.quickPick(new RegExp(`^\\s*${name}.*${source}`));
}

it('shows in the palette what each profile comes to, and what is wrong with it', async () => {
  const { shell, page } = workbench;
  await toolsOf('memory', '9, \\d+ tokens').waitFor();
  await toolCount().waitFor();
  await openPicker();
  const [all, review, careful, wrong] = await Promise.all(
    [
      choice('All Tools', 'no profile'),
      choice('review', 'User'),
      choice('careful', 'User'),
      choice('wrong', 'User'),
    ].map((row) => row.textContent()),
  );
  expect(all).toMatch(/(\d+)\/\1 tools · (\d+) tokens, now \2/);
  expect(review).toMatch(
    /\d+\/\d+ tools · \d+ tokens, now \d+ · unmatched patterns: memry\/read_graph/,
  );
  expect(careful).not.toMatch(/match(?:es)? nothing/);
  expect(wrong).toContain('Invalid profile: no tools');
  await choice('review', 'of this folder').waitFor();
  await workbench.screenshot('profiles-picker');
  await page.keyboard.press('Escape');
  await shell.quickInput.waitFor({ state: 'hidden' });
  expect(await shell.statusItem('review').count()).toBe(0);
});

it('narrows rows, status bar and panel at once when one is chosen', async () => {
  const { servers, shell } = workbench;
  const before = Number.parseInt((await toolCount().textContent()) ?? '', 10);
  await openPicker();
  await choice('review', 'User').click();
  await toolsOf('memory', '6/9 tools, \\d+ of \\d+ tokens').waitFor();
  const [, after = '', all = ''] =
    /(\d+) of (\d+) tokens/.exec(
      (await toolsOf('memory', '.*').getAttribute('aria-label')) ?? '',
    ) ?? [];
  expect(Number(after)).toBeGreaterThan(0);
  expect(Number(after)).toBeLessThan(Number(all));
  await shell.statusItem(/MCP \d\/2 · review/).waitFor();
  await servers.row('sample', 'profile review, unmatched patterns: 1').waitFor();
  await servers.expand(toolsOf('memory', '.*'));
  await servers.row('delete_entities', 'not in the profile').waitFor();
  await expect
    .poll(async () => Number.parseInt((await toolCount().textContent()) ?? '', 10))
    .toBeLessThan(before);
  await workbench.screenshot('profiles-chosen');
});

it('keeps it over a reload', async () => {
  const { servers, shell, agent } = workbench;
  const text = await toolCount().textContent();
  await workbench.open();
  await servers.show();
  await shell.statusItem(/MCP \d\/2 · review/).waitFor();
  await servers.row('sample', 'profile review').waitFor();
  await agent.show();
  await toolCount()
    .getByText(text ?? '', { exact: true })
    .first()
    .waitFor();
});
