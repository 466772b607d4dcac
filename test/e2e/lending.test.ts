/** A day of lending: to another extension, to VS Code's own client, and through the gateway to programs of the terminal. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, expect, it } from 'vitest';
import { freePort } from '../fixtures/everythingHttp.js';
import { filesystem } from '../helpers/coreHarness.js';
import { trustEverything } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';
import { pageOf } from '../helpers/e2e/webview.js';
import { repository } from '../workbench/paths.mjs';

const port = await freePort();
const workbench = useWorkbench({
  files: {
    '.mcp.json': JSON.stringify({ mcpServers: { files: filesystem } }),
    // what a repository would like is not asked
    '.vscode/settings.json': JSON.stringify({
      'piMcp.gateway.port': 1,
      'piMcp.gateway.approvals': { '*': 'clientDecides' },
    }),
  },
  settings: {
    // with AI features off, as tests have them, VS Code's own client starts nothing
    'chat.disableAIFeatures': false,
    'piMcp.agent.toolBudget': 20_000,
    'piMcp.gateway.port': port,
    'piMcp.gateway.approvals': { Reader: 'readOnlyOnly', Trusted: 'clientDecides' },
  },
  otherExtensions: ['consumer', 'editorClient'].map((name) =>
    join(repository, 'test/fixtures', name),
  ),
});

/** Ids that VS Code gives its servers. */
const ids = { copy: 'workspace-dot-mcp.0.files', handedOver: 'pi-mcp.pi-mcp/files (Pi MCP)' };
/** Names that it gives a tool: of what the server calls itself, or the gateway. */
const handedTool = 'mcp_pi_mcp_files_list_allowed_directories';
const clients: Client[] = [];
let known: { readonly url: string; readonly token: string };

afterAll(async () => {
  await Promise.all(clients.map((client) => client.close().catch(() => undefined)));
});

/** Runs a command of another extension, which writes a file when it is done. */
async function runOther(title: string, said: string, file: string) {
  const { shell, workspaceDir } = workbench;
  rmSync(join(workspaceDir, file), { force: true });
  const done = shell.notification(said);
  // not asked again when it takes its time: what it calls may wait for an answer
  await shell.runCommand(title);
  await done.first().waitFor();
  await shell.runCommand('Notifications: Clear All Notifications');
  await done.waitFor({ state: 'detached' });
  return JSON.parse(readFileSync(join(workspaceDir, file), 'utf8'));
}

const report = () => runOther('Consumer: Report', 'Reported.', 'report.json');

interface Outcome {
  readonly result?: readonly unknown[];
  /** Names of all tools that VS Code's client has. */
  readonly tools: readonly string[];
}

/** Has VS Code's own client do what its chat would. */
function act(request: object = {}): Promise<Outcome> {
  writeFileSync(join(workbench.workspaceDir, 'editor-client.json'), JSON.stringify(request));
  return runOther('Editor Client: Act', 'Acted.', 'editor-client-did.json');
}

const processCount = () => workbench.serverProcesses().length;
/** Resolves with the question that was opened about a call. */
async function openQuestion() {
  const notice = workbench.shell.notification('waits for your answer');
  await notice.getByRole('button', { name: 'Answer', exact: true }).click();
  return pageOf(workbench.page, 'editor').locator('.card-question');
}

async function allow(): Promise<void> {
  const question = await openQuestion();
  await question.getByRole('button', { name: 'Allow Once' }).click();
}

it('tells another extension of servers and their trust', async () => {
  const { shell } = workbench;
  // the palette does not learn of commands while it is open
  await shell.statusItem('MCP 0/1').waitFor({ timeout: 60_000 });
  const before = await report();
  expect(before).toMatchObject({ version: 1, tools: [] });
  expect(before.servers).toEqual([
    { name: 'files', state: 'trust_required', folderTrust: { kind: 'none' } },
  ]);
});

it('tells it of tools and of what changes', async () => {
  await trustEverything(workbench);
  // the last step of the review
  await workbench.screenshot('who-starts');
  await workbench.shell.quickPick('Both').waitFor();
  // an Enter that was meant for something else chooses nothing
  await workbench.page.keyboard.press('Enter');
  await workbench.shell.connectedItem(1, 1).waitFor();
  await workbench.servers.show();
  // events come a moment after what they tell of
  await expect
    .poll(async () => (await report()).heard.tools, { interval: 1_000 })
    .toBeGreaterThan(0);
  const after = await report();
  expect(after.heard.servers).toEqual(['files']);
  expect(after.settings).toEqual({ enabled: true, connected: 1, total: 1 });
  expect(after.servers).toMatchObject([{ state: 'connected', folderTrust: { kind: 'folder' } }]);
  expect(after.tools).toContainEqual({ name: 'files__read_text_file', exposure: 'direct' });
});

it('answers with a language model that another extension lends, once the user agrees', async () => {
  const { agent, shell } = workbench;
  await agent.show();
  await agent.frame.locator('.model-picker').waitFor();
  await agent.command('/model eye');
  await shell.dialog.getByText('Use the models of this provider? Consumer Models').waitFor();
  await shell.answerDialog('Use These Models');
  await agent.frame.locator('.model-picker', { hasText: 'Eye' }).waitFor();
  await agent.ask('Hello?');
  await agent.answer('I have tools.').waitFor();
  await agent.hide();
});

it('says in one row that VS Code starts a server too, and in its own that it has', async () => {
  const { servers } = workbench;
  await servers.row('VS Code also starts these servers').waitFor({ state: 'detached' });
  await act({ start: ids.copy });
  await servers.row('files', 'runs in VS Code too').waitFor();
  expect(processCount()).toBe(2);
  await workbench.screenshot('clients-running');
});

async function choose(starter: string): Promise<void> {
  const { servers, shell } = workbench;
  await servers.pickFromMenu(servers.row('files'), 'Choose Who Starts Servers…');
  await shell.quickPick(starter).click();
}

it('leaves it to VS Code, in a file of the user’s own', async () => {
  const { servers, workspaceDir } = workbench;
  const before = readFileSync(join(workspaceDir, '.mcp.json'), 'utf8');
  await choose('VS Code only');
  await servers.row('files', 'left to VS Code').waitFor();
  await expect.poll(processCount).toBe(1);
  expect(readFileSync(join(workspaceDir, '.mcp.json'), 'utf8')).toBe(before);
  await servers.pickFromMenu(servers.row('files'), 'Enable Server');
  await servers.row('files', 'runs in VS Code too').waitFor();
});

it('shares the connection, so that one process serves both, until the gateway stops', async () => {
  const { shell, servers } = workbench;
  await choose("Share Pi MCP's connection");
  await servers.row('files', 'shared with VS Code').waitFor();
  await expect.poll(processCount).toBe(1);
  // VS Code hears of it a moment after the row says so; starting what runs changes nothing
  await expect.poll(async () => (await act({ start: ids.handedOver })).tools).toContain(handedTool);
  const acting = act({ call: handedTool, input: {} });
  await allow();
  expect(JSON.stringify((await acting).result)).toContain('Allowed directories');
  expect(processCount()).toBe(1);
  await shell.runCommand('Pi MCP: Stop Gateway');
  await servers.row('files', 'VS Code waits for the gateway').waitFor();
  await expect.poll(async () => (await act()).tools).not.toContain(handedTool);
});

it('keeps it from VS Code by its own setting, and gives that back', async () => {
  const { servers, workspaceDir } = workbench;
  const settings = () => readFileSync(join(workspaceDir, '.vscode/settings.json'), 'utf8');
  await choose('Pi MCP only');
  await servers.row('files', 'VS Code waits for the gateway').waitFor({ state: 'detached' });
  await expect.poll(settings).toContain('"chat.mcp.access": "none"');
  await workbench.shell.runAndChoose('Pi MCP: Choose Who Starts Servers…', 'Both');
  await expect.poll(settings).not.toContain('chat.mcp.access');
});

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
  await shell.runAndChoose('Pi MCP: Use Gateway From…', 'Terminal');
  const terminal = page.locator('.terminal-wrapper.active .xterm-screen');
  await terminal.waitFor();
  await terminal.click();
  const script = `node -p 'JSON.stringify({url:process.env.PI_MCP_GATEWAY_URL,token:process.env.PI_MCP_GATEWAY_TOKEN})' > variables.json`;
  await page.keyboard.type(script);
  await page.keyboard.press('Enter');
  await expect.poll(() => existsSync(path) && readFileSync(path, 'utf8')).toContain('}');
  return JSON.parse(readFileSync(path, 'utf8'));
}

it('lets a program of the terminal call once the gateway is started, and asks in the window about each call', async () => {
  const { shell, servers, page, workspaceDir } = workbench;
  expect(await shell.statusItem('MCP Gateway').count()).toBe(0);
  const folder = page.getByRole('treeitem', { name: /^sample/ }).first();
  await servers.pickFromMenu(folder, 'Start Gateway');
  await shell.statusItem('MCP Gateway').waitFor();
  await page.getByRole('treeitem', { name: /gateway on/ }).waitFor();
  known = await variables();
  expect(new URL(known.url).port).toBe(String(port));
  const client = await connect('Some Program');
  const path = join(workspaceDir, 'written.txt');
  const denied = write(client, path);
  const question = await openQuestion();
  await question.getByText('Some Program').waitFor();
  await question.getByText('written.txt').first().waitFor();
  await workbench.screenshot('gateway-question');
  await question.getByRole('button', { name: 'Deny' }).click();
  expect((await denied).isError).toBe(true);
  expect(existsSync(path)).toBe(false);
  const allowed = write(client, path);
  await allow();
  expect((await allowed).isError ?? false).toBe(false);
  expect(readFileSync(path, 'utf8')).toBe('hello');
});

it('approves by the name of the program as the user has set it, and by no setting of the folder', async () => {
  const path = join(workbench.workspaceDir, 'approved.txt');
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
  await shell.runAndChoose('Pi MCP: Use Gateway From…', 'Copy Gateway Admin Token');
  await page.getByText('servers in that file run as programs under your account').waitFor();
  await shell.answerDialog('Copy Gateway Admin Token');
  await shell.notification(/Copied, with the token\. .*api.v1.mcp/).waitFor();
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
  await shell.runCommand('Pi MCP: Manage Trust…');
  await shell.answerDialog('Revoke Trust');
  await shell.statusItem('MCP Gateway').waitFor({ state: 'detached' });
  await expect(clients.at(-1)?.listTools()).rejects.toThrow();
});
