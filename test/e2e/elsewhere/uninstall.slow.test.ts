/** An extension that is uninstalled from a window that uses it. */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { answerTimeoutMs } from '../../helpers/e2e/shell.js';
import { connectSample } from '../../helpers/e2e/steps.js';
import { useWorkbench } from '../../helpers/e2e/useWorkbench.js';
import { repository } from '../../workbench/paths.mjs';
import { findProcesses } from '../../workbench/processes.mjs';

const workbench = useWorkbench(
  // one that is installed for this window alone, beside another one
  { otherExtensions: [join(repository, 'test/fixtures/editorClient')] },
  async (workbench) => {
    await connectSample(workbench);
    await workbench.agent.show();
    await workbench.agent.ask('read README.md');
    await workbench.agent.answer('A sample to try Pi MCP with').waitFor();
  },
);

const userDir = () => dirname(workbench.agentDir);
const storage = () => join(userDir(), 'user-data/User/globalStorage/pi-mcp.pi-mcp');
/** Beside VS Code, its terminals and its language servers. */
const others = () =>
  findProcesses(userDir())
    .map(({ command }) => command)
    .filter((command) => !/code-server|--type=|extensions\/\w|git /.test(command));

it('ends its servers and its gateway, and is gone', async () => {
  const { page, shell } = workbench;
  await shell.runCommand('Pi MCP: Start Gateway');
  await shell.statusItem('MCP Gateway').waitFor();
  expect(others().length).toBeGreaterThan(0);
  await shell.runCommand('Extensions: Show Installed Extensions');
  const own = page.locator('.extension-list-item').filter({ hasText: 'Pi MCP' }).first();
  const uninstall = page.getByRole('menuitem', { name: 'Uninstall', exact: true });
  await shell.askUntilShown(
    () => own.getByRole('button', { name: 'Manage' }).click({ timeout: answerTimeoutMs }),
    uninstall,
  );
  await uninstall.click({ delay: 150 });
  await own.getByText('Restart Required').waitFor();
  await workbench.open();
  await shell.activityItem('Pi MCP').waitFor({ state: 'detached' });
  await expect.poll(others).toEqual([]);
  await workbench.screenshot('uninstalled');
  // what the user made, and nothing of what ran
  expect(readdirSync(storage())).toEqual(
    expect.arrayContaining(['mcp-stdio-trust.json', 'sessions']),
  );
  expect(readdirSync(join(storage(), 'processes'))).toEqual([]);
});
