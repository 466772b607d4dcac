/** The agent's and the configuration page in every state and theme: no rule of axe is broken, nothing is too wide. */
import { expect, it } from 'vitest';
import { tell } from '../helpers/pages/host.js';
import { faultsInAllLooks } from '../helpers/pages/looks.js';
import { agentInputs, agentSnapshots, redPixel } from '../helpers/pages/states/agent.mjs';
import { formStart, listStart } from '../helpers/pages/states/config.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const pages = usePages();
const picture = { src: `data:image/png;base64,${redPixel}` };

it.each(Object.entries(agentSnapshots))('the agent is readable: %s', async (name, ready) => {
  const page = await pages.open({ page: 'agent', replies: { ready, picture }, width: 300 });
  await page.locator('#composer-text').waitFor();
  if (name === 'asking') {
    await tell(page, 'inputs', agentInputs.asking.inputs);
    await page.getByText('architecture.md').last().waitFor();
    await page.locator('#composer-text').fill(agentInputs.asking.draft);
    await page.locator('#slash-menu').waitFor();
  }
  expect(await faultsInAllLooks(page, `agent-${name}`, [300])).toEqual([]);
});

const openAnswering = (runCommand: object) =>
  pages.open({
    page: 'agent',
    replies: { ready: agentSnapshots.done, runCommand, picture },
    width: 280,
  });

it('the agent is readable with what a command answered, and others offered', async () => {
  const rows = [{ name: 'memory', text: 'connected, 2 tools' }];
  const notes = ['The server "docs" needs you to sign in.'];
  const page = await openAnswering({
    kind: 'done',
    answer: { title: 'MCP Servers', rows, notes },
  });
  await page.locator('#composer-text').fill('/mcp status');
  await page.locator('#composer-text').press('Enter');
  await page.getByRole('region', { name: 'MCP Servers' }).waitFor();
  await tell(page, 'inputs', agentInputs.asking.inputs);
  await page.locator('#composer-text').fill('/m');
  await page.getByRole('option', { name: '/mcp', exact: false }).first().waitFor();
  expect(await faultsInAllLooks(page, 'commands-answered', [280])).toEqual([]);
});

it('the agent is readable with a command that was refused', async () => {
  const text = 'Pi does not know "/modle".';
  const page = await openAnswering({ kind: 'refused', text, near: ['/model'], mayBeText: true });
  await page.locator('#composer-text').fill('/modle');
  await page.locator('#composer-text').press('Enter');
  await page.locator('.command-refusal').getByText(text).waitFor();
  expect(await faultsInAllLooks(page, 'commands-refused', [280])).toEqual([]);
});

it('the list of servers is readable, and the settings of a file', async () => {
  const previewSwitches = {
    summary: '1 stop, tokens in every request: 1234 → 0',
    effects: { 'global#docs': 'It stops.' },
  };
  const replies = { ...listStart, previewSwitches };
  const page = await pages.open({ page: 'config', replies, width: 280 });
  await page.getByText('2 tools').waitFor();
  expect(await faultsInAllLooks(page, 'config', [1280, 280])).toEqual([]);
  await page.getByRole('checkbox', { name: 'Enabled: docs' }).click();
  await page.getByText('It stops.').waitFor();
  expect(await faultsInAllLooks(page, 'config-staged', [1280, 280])).toEqual([]);
  await page.close();
  const form = await pages.open({ page: 'server', replies: formStart('global', true), width: 280 });
  await form.getByText('Limits and log').waitFor();
  expect(await faultsInAllLooks(form, 'config-settings', [280])).toEqual([]);
});
