/** Both pages in the real VS Code in every kind of theme, wide and narrow: pictures to look at, and no axe violation. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { FrameLocator } from 'playwright-core';
import { expect, it } from 'vitest';
import { connectSample } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

const workbench = useWorkbench({}, connectSample);

const themes = [
  ['light', 'Light Modern', 'vscode-light'],
  ['dark', 'Dark Modern', 'vscode-dark'],
  ['hc-dark', 'Default High Contrast', 'vscode-high-contrast'],
  ['hc-light', 'Default High Contrast Light', 'vscode-high-contrast-light'],
] as const;

it.each(themes)('is readable in the %s theme', async (name, theme, bodyClass) => {
  const { agent, config, page, servers, shell } = workbench;
  workbench.changeSettings({ 'workbench.colorTheme': theme });
  await page.setViewportSize({ width: 1280, height: 800 });
  await workbench.open();
  await servers.show();
  await agent.composer.waitFor();
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
});

/** `rule: elements` for each rule that the page breaks. */
async function violations(locator: FrameLocator, background: string): Promise<string[]> {
  const element = await locator.owner().elementHandle();
  const frame = await element?.contentFrame();
  if (!frame) {
    throw new Error('The page is not there');
  }
  await frame.evaluate(axeSource);
  return await frame.evaluate(async (background) => {
    // the page is transparent; axe needs to know what VS Code paints behind it
    document.documentElement.style.background = `var(${background})`;
    const { axe } = window as unknown as {
      axe: {
        run(options: object): Promise<{
          violations: readonly { id: string; nodes: readonly { target: unknown }[] }[];
        }>;
      };
    };
    // the page is a part of the workbench, which has the landmarks
    const result = await axe.run({ rules: { region: { enabled: false } } });
    return result.violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => String(target)).join(' ')}`,
    );
  }, background);
}
