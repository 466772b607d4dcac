/** From Restricted Mode through consent to running servers, and back. */
import { expect, it } from 'vitest';
import { stdioServers } from './harness/steps.js';
import { useWorkbench } from './harness/useWorkbench.js';

const workbench = useWorkbench();

it('starts nothing in Restricted Mode and says why', async () => {
  const { shell, servers } = workbench;
  await shell.restrictedModeItem.waitFor();
  await servers.show();
  for (const name of [...stdioServers, 'remote']) {
    await servers.waitForServer(name, 'restricted');
  }
  await shell.statusItem('MCP 0/4').waitFor();
  expect(workbench.serverProcesses()).toEqual([]);
  await workbench.screenshot('restricted-mode');
});

it('asks for consent once, listing every command, when the workspace is trusted', async () => {
  const { shell } = workbench;
  await shell.trustWorkspace();
  await shell.dialog.waitFor();
  const text = await shell.dialog.textContent();
  for (const name of stdioServers) {
    expect(text).toContain(`server-${name}/dist/index.js`);
  }
  expect(text).toContain('MEMORY_FILE_PATH');
  expect(text).not.toContain('memory.json');
  expect(workbench.serverProcesses()).toEqual([]);
  await workbench.screenshot('consent-prompt');
});

it('connects every server after consent, without a reload', async () => {
  const { shell, servers } = workbench;
  await shell.answerDialog('Trust Folder');
  await shell.closeModalEditor();
  for (const name of [...stdioServers, 'remote']) {
    await servers.waitForServer(name, 'connected');
  }
  await shell.statusItem('MCP 4/4').waitFor();
  expect(workbench.serverProcesses().length).toBe(stdioServers.length);
});

it('lists the tools of a server below it', async () => {
  const { servers } = workbench;
  await servers.expand(servers.row('memory'));
  await servers.expand(servers.group('memory', 'Tools'));
  await servers.rows.filter({ hasText: 'create_entities' }).waitFor();
  await workbench.screenshot('tree');
});

it('stops every process of the folder when trust is revoked', async () => {
  const { shell, servers } = workbench;
  await shell.runCommand('Pi MCP: Revoke Trust…');
  await shell.answerDialog('Revoke Trust');
  for (const name of stdioServers) {
    await servers.waitForServer(name, 'trust required');
  }
  await expect.poll(() => workbench.serverProcesses(), { timeout: 20_000 }).toEqual([]);
  await shell.statusItem('MCP 0/4').waitFor();
});

it('does not ask the same question again by itself, also in the next session, but when asked to', async () => {
  const { shell, servers } = workbench;
  await workbench.open();
  await servers.show();
  await servers.waitForServer('memory', 'trust required');
  // an open question would take the keys of the palette
  await shell.runCommand('Pi MCP: Trust Folder…');
  await shell.dialog.filter({ hasText: 'server-memory/dist/index.js' }).waitFor();
  await shell.answerDialog('Cancel');
  expect(workbench.serverProcesses()).toEqual([]);
});
