/** The real VS Code in every kind of theme: what it gives our pages is what the ring `pages` gives them. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { themes } from '../helpers/e2e/appearance.js';
import { describeLooks, readLook, writeLooks } from '../helpers/e2e/capturedThemes.js';
import { connectSample } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';
import { themesFile } from '../helpers/pages/themes.mjs';

const workbench = useWorkbench({}, connectSample);

it('gives pages the colours of the fixture (UPDATE_GOLDEN=1 rewrites it)', async () => {
  const { agent, config, servers, shell } = workbench;
  const looks: Record<string, Awaited<ReturnType<typeof readLook>>> = {};
  for (const [name, theme, bodyClass] of themes) {
    await workbench.showTheme(theme);
    await servers.show();
    await agent.show();
    await shell.runCommand('Pi MCP: Configure Servers');
    await config.title.waitFor();
    for (const frame of [agent.frame, config.frame]) {
      await frame.locator(`body.${bodyClass}`).waitFor();
    }
    looks[name] = await readLook(config.frame);
    await workbench.screenshot(`theme-${name}`);
  }
  const text = describeLooks(looks);
  if (process.env.UPDATE_GOLDEN === '1') {
    writeLooks(themesFile, text);
  }
  expect(existsSync(themesFile) ? readFileSync(themesFile, 'utf8') : '').toBe(text);
});
