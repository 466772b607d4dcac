/** The agent's and the configuration page in every state and theme: no rule of axe is broken, nothing is too wide. */
import { describe, expect, it } from 'vitest';
import { tell } from '../helpers/pages/host.js';
import { faults, shoot, themeNames } from '../helpers/pages/looks.js';
import { agentInputs, agentSnapshots, redPixel } from '../helpers/pages/states/agent.mjs';
import { configState, formEntry, settingsEntry } from '../helpers/pages/states/config.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const pages = usePages();
const picture = { src: `data:image/png;base64,${redPixel}` };

describe.each(themeNames)('in the %s theme', (theme) => {
  it.each(Object.entries(agentSnapshots))('the agent is readable: %s', async (name, ready) => {
    const page = await pages.open({
      page: 'agent',
      replies: { ready, picture },
      theme,
      width: 300,
    });
    await page.locator('#composer-text').waitFor();
    if (name === 'asking') {
      await tell(page, 'inputs', agentInputs.asking.inputs);
      await page.getByText('architecture.md').last().waitFor();
      await page.locator('#composer-text').fill(agentInputs.asking.draft);
      await page.locator('#slash-menu').waitFor();
    }
    await shoot(page, `agent-${name}-${theme}`);
    expect(await faults(page)).toEqual([]);
  });

  it('the agent is readable with what a command answered, one refused, and others offered', async () => {
    const rows = [{ name: 'memory', text: 'connected, 2 tools' }];
    const answer = {
      title: 'MCP servers',
      rows,
      notes: ['The server "docs" needs you to sign in.'],
    };
    const open = (runCommand: object) =>
      pages.open({
        page: 'agent',
        replies: { ready: agentSnapshots.done, runCommand, picture },
        theme,
        width: 280,
      });
    const answered = await open({ kind: 'done', answer });
    await answered.locator('#composer-text').fill('/mcp status');
    await answered.locator('#composer-text').press('Enter');
    await answered.getByRole('region', { name: 'MCP servers' }).waitFor();
    await tell(answered, 'inputs', agentInputs.asking.inputs);
    await answered.locator('#composer-text').fill('/m');
    await answered.getByRole('option', { name: '/mcp', exact: false }).first().waitFor();
    expect(await faults(answered)).toEqual([]);
    const near = ['/model'];
    const refused = await open({
      kind: 'refused',
      text: 'There is no command /modle.',
      near,
      mayBeText: true,
    });
    await refused.locator('#composer-text').fill('/modle');
    await refused.locator('#composer-text').press('Enter');
    await refused.locator('.command-refusal').getByText('There is no command /modle.').waitFor();
    await shoot(refused, `commands-refused-${theme}`);
    expect(await faults(refused)).toEqual([]);
  });

  it('the configuration page is readable: its list, and the settings of a file', async () => {
    const replies = {
      ready: { state: configState },
      readServer: { name: 'memory', entry: formEntry },
      readSettings: { entry: settingsEntry },
    };
    const page = await pages.open({ page: 'config', replies, theme, width: 280 });
    await page.getByRole('button', { name: '2 tools' }).click();
    await shoot(page, `config-${theme}`);
    expect(await faults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Settings: Global' }).click();
    await page.getByText('Limits and log').waitFor();
    expect(await faults(page)).toEqual([]);
  });
});
