/** A VS Code whose display language is German: what of ours stands in it is German, from manifest, extension and page. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';
import { repository } from '../workbench/paths.mjs';

const languagePack = join(repository, 'test/fixtures/german');
const workbench = useWorkbench({ languagePack });

it('names views and commands, describes servers and speaks on its page in German', async () => {
  const { agent, page, servers, shell } = workbench;
  await servers.show();
  await servers.message('Nichts, was dieser Arbeitsbereich deklariert, wird gestartet.').waitFor();
  await servers.row('filesystem', 'Eingeschränkter Modus').first().waitFor();
  // VS Code's own words stay English: the pack has none
  await shell.restrictedModeItem.waitFor();
  await workbench.screenshot('german-tree');
  // of the manifest
  await shell.runCommand('Pi MCP: Pi-Agent öffnen');
  await agent.composer.waitFor();
  expect(await agent.composer.getAttribute('placeholder')).toBe('Pi fragen…');
  await agent.button('Senden').waitFor();
  expect(await agent.frame.locator('html').getAttribute('lang')).toBe('de');
  const heading = page.locator('.auxiliarybar .composite.title');
  await heading.getByText('Pi-Agent').first().waitFor();
  await workbench.screenshot('german-agent');
});
