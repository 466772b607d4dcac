/** The gateway of a folder: started by the user, used by a program in the terminal, asked about in the window. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, expect, it } from 'vitest';
import { filesystem } from '../helpers/coreHarness.js';
import { trustEverything } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

const files = { '.mcp.json': JSON.stringify({ mcpServers: { files: filesystem } }) };
const workbench = useWorkbench({ files }, async (opened) => {
  await trustEverything(opened);
  await opened.shell.connectedItem(1, 1).waitFor();
  await opened.servers.show();
});
const clients: Client[] = [];

afterAll(async () => {
  await Promise.all(clients.map((client) => client.close().catch(() => undefined)));
});

/** What a terminal of the folder knows. */
async function variables(): Promise<{ readonly url: string; readonly token: string }> {
  const { shell, page, workspaceDir } = workbench;
  const path = join(workspaceDir, 'variables.json');
  await shell.runCommand('Pi MCP: Open Terminal With Pi MCP');
  await page.locator('.terminal-wrapper.active .xterm-screen').waitFor();
  const script = `node -p 'JSON.stringify({url:process.env.PI_MCP_GATEWAY_URL,token:process.env.PI_MCP_GATEWAY_TOKEN})' > variables.json`;
  await page.locator('.terminal-wrapper.active .xterm-screen').click();
  await page.keyboard.type(script);
  await page.keyboard.press('Enter');
  await expect
    .poll(() => existsSync(path) && readFileSync(path, 'utf8').includes('}'), { timeout: 20_000 })
    .toBe(true);
  return JSON.parse(readFileSync(path, 'utf8'));
}

it('is off until it is started, and then shows in tree and status bar', async () => {
  const { shell, servers, page } = workbench;
  const folder = page.getByRole('treeitem', { name: /^sample/ }).first();
  expect(await shell.statusItem('MCP gateway').count()).toBe(0);
  await servers.pickFromMenu(folder, 'Start Gateway');
  await shell.notification('has started').waitFor();
  await shell.statusItem('MCP gateway').waitFor();
  await page.getByRole('treeitem', { name: /gateway on/ }).waitFor();
  await workbench.screenshot('gateway-on');
});

it('lets a program in the terminal call, and asks in the window about what does not only read', async () => {
  const { shell, page, workspaceDir } = workbench;
  const { url, token } = await variables();
  const client = new Client({ name: 'Some Program', version: '1' });
  clients.push(client);
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  const read = await client.callTool({ name: 'files__list_allowed_directories' });
  expect(read.isError ?? false).toBe(false);

  const path = join(workspaceDir, 'written.txt');
  const write = () =>
    client.callTool({ name: 'files__write_file', arguments: { path, content: 'hello' } });
  const denied = write();
  await page.getByText('Program "Some Program" calls the tool "write_file"').waitFor();
  await workbench.screenshot('gateway-question');
  await shell.quickPick('Deny').click();
  expect((await denied).isError).toBe(true);
  expect(existsSync(path)).toBe(false);

  const allowed = write();
  await shell.quickPick('Allow Once').click();
  expect((await allowed).isError ?? false).toBe(false);
  expect(readFileSync(path, 'utf8')).toBe('hello');
});

it('ends for every client when consent is withdrawn', async () => {
  const { shell } = workbench;
  const [client] = clients;
  await shell.runCommand('Pi MCP: Revoke Trust…');
  await shell.answerDialog('Revoke Trust');
  await shell.statusItem('MCP gateway').waitFor({ state: 'detached' });
  await expect(client?.listTools()).rejects.toThrow();
});
