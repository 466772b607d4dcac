/** Both pages in the real VS Code in every kind of theme, wide and narrow: pictures to look at, and no axe violation. */
import { expect, it } from 'vitest';
import { themes, violations } from '../helpers/e2e/appearance.js';
import { connectSample } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

const workbench = useWorkbench({}, connectSample);

it.each(themes)('is readable in the %s theme', async (name, theme, bodyClass) => {
  const { agent, config, page, servers, shell } = workbench;
  await page.setViewportSize({ width: 1280, height: 800 });
  await workbench.showTheme(theme);
  await servers.show();
  await agent.show();
  await shell.runCommand('Pi MCP: Configure Servers');
  await config.title.waitFor();
  await agent.ask('echo good morning');
  await agent.approval('echo').waitFor();
  for (const frame of [agent.frame, config.frame]) {
    await frame.locator(`body.${bodyClass}`).waitFor();
  }
  await workbench.screenshot(`theme-${name}`);
  expect([
    ...(await violations(agent.frame, '--vscode-sideBar-background')),
    ...(await violations(config.frame, '--vscode-editor-background')),
  ]).toEqual([]);
  await page.setViewportSize({ width: 720, height: 800 });
  await agent.approval('echo').getByRole('button', { name: 'Allow Once' }).waitFor();
  await workbench.screenshot(`theme-${name}-narrow`);
  await agent.approval('echo').getByRole('button', { name: 'Deny' }).click();
});
