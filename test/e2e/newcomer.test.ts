/**
 * What a newcomer sees first who runs `npm start`: the guide, the tree and the agent, side by side. In German, as in any
 * VS Code whose display language that is: what of ours stands in it is German, from manifest, extension and page.
 */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';
import { repository } from '../workbench/paths.mjs';

const workbench = useWorkbench({
  otherExtensions: [join(repository, 'test/workbench/guide')],
  languagePack: join(repository, 'test/fixtures/german'),
  settings: { 'chat.mcp.access': 'none' },
});

it('opens with servers, agent and the first steps in sight', async () => {
  const { agent, page, servers } = workbench;
  // VS Code starts the extensions of its own that show it, whose words stay English: the pack has none
  const readme = page.getByRole('tab', { name: 'Preview README.md', selected: true });
  await readme.waitFor({ timeout: 60_000 });
  await page.getByRole('tab', { name: 'Welcome' }).waitFor();
  await servers.waitForServer('memory', 'Eingeschränkter Modus');
  await agent.composer.waitFor();
  const [tree, input] = await Promise.all([
    servers.row('memory').first().boundingBox(),
    agent.composer.boundingBox(),
  ]);
  const width = page.viewportSize()?.width ?? 0;
  // what is to be done first has most of the window
  expect((input?.x ?? 0) - (tree?.x ?? 0) - (tree?.width ?? 0)).toBeGreaterThan(width / 3);
  await workbench.screenshot('newcomer');
});

it('names views and commands, describes servers and speaks on its page in German', async () => {
  const { agent, page, servers, shell } = workbench;
  await servers
    .message('Eingeschränkter Modus: In diesem Arbeitsbereich wird nichts gestartet.')
    .waitFor();
  await shell.restrictedModeItem.waitFor();
  // of the manifest
  await shell.runCommand('Pi MCP: Pi-Agent öffnen');
  expect(await agent.composer.getAttribute('placeholder')).toBe('Pi fragen…');
  await agent.button('Senden').waitFor();
  expect(await agent.frame.locator('html').getAttribute('lang')).toBe('de');
  const heading = page.locator('.auxiliarybar .composite.title');
  await heading.getByText('Pi-Agent').first().waitFor();
  await workbench.screenshot('newcomer-german');
});
