/** The gateway of a folder: started by the user, used by a program in the terminal, asked about in the window. */
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, expect, it } from 'vitest';
import { filesystem } from '../helpers/coreHarness.js';
import { trustEverything } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';
import { pageOf } from '../helpers/e2e/webview.js';

const port = await freePort();
const settings = {
  'window.autoDetectColorScheme': true,
  'piMcp.gateway.port': port,
  'piMcp.gateway.approvals': { Reader: 'readOnlyOnly', Trusted: 'clientDecides' },
};
const files = {
  '.mcp.json': JSON.stringify({ mcpServers: { files: filesystem } }),
  // what a repository would like is not asked
  '.vscode/settings.json': JSON.stringify({
    'piMcp.gateway.port': 1,
    'piMcp.gateway.approvals': { '*': 'clientDecides' },
  }),
};
const workbench = useWorkbench({ files, settings }, async (opened) => {
  await trustEverything(opened);
  await opened.shell.connectedItem(1, 1).waitFor();
  await opened.servers.show();
});
/** Name, what the system wants, class of the window. */
const looks = [
  ['light', { colorScheme: 'light', forcedColors: 'none' }, 'vs'],
  ['dark', { colorScheme: 'dark', forcedColors: 'none' }, 'vs-dark'],
  ['hc-dark', { colorScheme: 'dark', forcedColors: 'active' }, 'hc-black'],
  ['hc-light', { colorScheme: 'light', forcedColors: 'active' }, 'hc-light'],
] as const;
const clients: Client[] = [];
let known: { readonly url: string; readonly token: string };

afterAll(async () => {
  await Promise.all(clients.map((client) => client.close().catch(() => undefined)));
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: free } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return free;
}

/** A program that says that this is its name. */
async function connect(name: string): Promise<Client> {
  const client = new Client({ name, version: '1' });
  clients.push(client);
  const requestInit = { headers: { Authorization: `Bearer ${known.token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(known.url), { requestInit }));
  return client;
}

function write(client: Client, path: string) {
  return client.callTool({ name: 'files__write_file', arguments: { path, content: 'hello' } });
}

/** What a terminal of the folder knows. */
async function variables(): Promise<{ readonly url: string; readonly token: string }> {
  const { shell, page, workspaceDir } = workbench;
  const path = join(workspaceDir, 'variables.json');
  rmSync(path, { force: true });
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

it('lets a program in the terminal call, and asks in the window about each call, also of what only reads', async () => {
  const { shell, page, workspaceDir } = workbench;
  known = await variables();
  expect(new URL(known.url).port).toBe(String(port));
  const client = await connect('Some Program');
  const answer = () =>
    shell
      .notification('waits for your answer')
      .getByRole('button', { name: 'Answer', exact: true });
  const question = pageOf(page, 'editor').locator('.card-question');
  const read = client.callTool({ name: 'files__list_allowed_directories' });
  await answer().click();
  await question.getByRole('button', { name: 'Allow Once' }).click();
  expect((await read).isError ?? false).toBe(false);

  const path = join(workspaceDir, 'written.txt');
  const denied = write(client, path);
  await answer().click();
  await question.getByText('Some Program').waitFor();
  for (const [name, media, look] of looks) {
    // a reload would end the gateway and the question with it
    await page.emulateMedia(media);
    await page.locator(`.monaco-workbench.${look}`).waitFor();
    await question.waitFor();
    await question.getByText('written.txt').first().waitFor();
    await workbench.screenshot(`gateway-question-${name}`);
  }
  await page.emulateMedia({ colorScheme: null, forcedColors: null });
  await question.getByRole('button', { name: 'Deny' }).click();
  expect((await denied).isError).toBe(true);
  expect(existsSync(path)).toBe(false);

  const allowed = write(client, path);
  await answer().click();
  await question.getByRole('button', { name: 'Allow Once' }).click();
  expect((await allowed).isError ?? false).toBe(false);
  expect(readFileSync(path, 'utf8')).toBe('hello');
});

it('approves by the name of the program as the user has set it', async () => {
  const { workspaceDir } = workbench;
  const path = join(workspaceDir, 'approved.txt');
  const refused = await write(await connect('Reader'), path);
  expect(JSON.stringify(refused)).toContain('call only tools that read');
  expect(existsSync(path)).toBe(false);
  const allowed = await write(await connect('Trusted'), path);
  expect(allowed.isError ?? false).toBe(false);
  expect(readFileSync(path, 'utf8')).toBe('hello');
});

it('is not reached through the ports that the server of the editor forwards by itself', async () => {
  const { page } = workbench;
  const forwarded = new URL(`/proxy/${port}/mcp`, page.url());
  // as a program sends it, so that nothing of a browser is what is refused
  const response = await page.request.post(forwarded.href, {
    headers: { authorization: `Bearer ${known.token}`, 'content-type': 'application/json' },
    data: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  });
  expect([response.status(), await response.text()]).toEqual([
    403,
    expect.stringContaining('The Host header names another place.'),
  ]);
});

it('gives the token that changes servers only after a warning', async () => {
  const { page, shell } = workbench;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await shell.runCommand('Pi MCP: Copy Manage Token of Gateway…');
  await page.getByText('servers in that file run as programs under your account').waitFor();
  await workbench.screenshot('gateway-manage-token');
  await shell.answerDialog('Copy Manage Token');
  await shell.notification('The manage token is copied').waitFor();
  const token = await page.evaluate(() => navigator.clipboard.readText());
  const remove = (bearer: string) =>
    fetch(new URL('/api/v1/mcp/servers/nothing', known.url), {
      method: 'DELETE',
      headers: { authorization: `Bearer ${bearer}` },
    });
  expect([(await remove(known.token)).status, (await remove(token)).status]).toEqual([403, 404]);
});

it('ends for every client when consent is withdrawn', async () => {
  const { shell } = workbench;
  const client = clients.at(-1);
  await shell.runCommand('Pi MCP: Revoke Trust…');
  await shell.answerDialog('Revoke Trust');
  await shell.statusItem('MCP gateway').waitFor({ state: 'detached' });
  await expect(client?.listTools()).rejects.toThrow();
});
