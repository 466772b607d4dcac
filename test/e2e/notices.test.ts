/** What somebody is told who looks elsewhere while a server that worked stops working. */
import { expect, it } from 'vitest';
import { connectSample } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

const workbench = useWorkbench({}, connectSample);

/** Ends the process behind the back of the extension. */
function kill(server: string): void {
  for (const { pid, command } of workbench.serverProcesses()) {
    if (command.includes(`server-${server}`)) {
      process.kill(pid, 'SIGKILL');
    }
  }
}

it('is told once, with the next step, and sees the state in the tree', async () => {
  const { servers, shell } = workbench;
  await shell.showContainer('Explorer');
  kill('memory');
  const notice = shell.notification('MCP server: memory');
  await notice.waitFor();
  await workbench.screenshot('notice');
  await notice.getByRole('button', { name: 'Show', exact: true }).click();
  await servers.waitForServer('memory', 'error');
  await workbench.screenshot('notice-shown');
  // in sight, nobody is told
  kill('filesystem');
  await servers.waitForServer('filesystem', 'error');
  await shell.runCommand('Pi MCP: Start All Servers');
  await shell.connectedItem(4, 4).waitFor();
  await shell.showContainer('Explorer');
  kill('everything');
  // what is tried again by itself has half a minute to heal
  await shell.notification('MCP server: everything').waitFor({ timeout: 60_000 });
  expect(await shell.notification(/memory|filesystem/).count()).toBe(0);
});

it('can be told no more', async () => {
  const { editor, shell } = workbench;
  const notice = shell.notification('MCP server: everything');
  await notice.getByRole('button', { name: "Don't Show Again" }).click();
  await notice.waitFor({ state: 'detached' });
  await shell.runCommand('Preferences: Open User Settings (JSON)');
  await editor.content.getByText('"piMcp.notices": false').waitFor();
});
