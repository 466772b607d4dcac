/**
 * A configuration file in the editor, from Restricted Mode on: what is said of it and what can be done about it there, what
 * happens when it changes, and the ways in which servers come into it.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { afterAll, expect, it } from 'vitest';
import { trustEverything } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';
import { pageOf } from '../helpers/e2e/webview.js';
import { type RegistryServer, startRegistry } from '../helpers/registryServer.js';

const registry: RegistryServer = await startRegistry();
afterAll(() => registry.close());

const secret = 'plain-text-credential-1';
const serverScript = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js';

const text = `{
  "mcpServers": {
    "everything": {
      "command": "node",
      "args": ["${serverScript}", "stdio"],
      "env": {
        "API_TOKEN": "${secret}",
        "HOUSE": "\${HOME}/notes",
        "PLACE": "\${workspaceFolder}/notes"
      },
      "excludeTools": []
    },
    "unpinned": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-memory"],
      "enabled": false
    },
    "lost": { "command": "no-such-program-anywhere", "enabled": false },
    "remote": { "url": "http://127.0.0.1:9/mcp", "enabled": false },
    "asks": {
      "command": "node",
      "args": ["${serverScript}", "stdio"],
      "env": { "MODE": "\${input:mode}" },
      "enabled": false
    }
  },
  "inputs": [{ "id": "mode", "type": "promptString", "description": "Which mode?" }]
}
`;

const geminiFile = JSON.stringify({
  mcpServers: { borrowed: { command: 'node', args: ['b.js'] } },
});

const workbench = useWorkbench(
  {
    files: { '.mcp.json': text, '.gemini/settings.json': geminiFile },
    settings: {
      'piMcp.registry.url': registry.url,
      'piMcp.validation.severities': { 'claude-code-needs-type': 'warning' },
    },
    size: { width: 1280, height: 900 },
  },
  async (workbench) => {
    await workbench.shell.restrictedModeItem.waitFor();
    await workbench.editor.open('.mcp.json');
  },
);

const path = () => join(workbench.workspaceDir, '.mcp.json');
const config = () => readFileSync(path(), 'utf8');
const entry = (name: string) => parse(config()).mcpServers[name];
const addBox = () => pageOf(workbench.page, 'editor');
const pid = () =>
  workbench.serverProcesses().find(({ command }) => command.includes('server-everything'))?.pid;

/** Resolves when the server has another process, and has connected. */
async function restarted(before: number | undefined): Promise<void> {
  await expect.poll(() => pid() ?? before).not.toBe(before);
  await workbench.servers.waitForServer('everything', 'Connected');
  await workbench.editor.lens(/Pi: Connected, 1\d tools/).waitFor();
}

/** As many editors save: a new file takes the old one's place. */
function replaceFile(text: string): void {
  writeFileSync(`${path()}.new`, text);
  renameSync(`${path()}.new`, path());
}

it('reports in Restricted Mode what the text alone shows, and tells nothing of the machine', async () => {
  const { editor, page } = workbench;
  await editor.showProblems();
  await editor.problem(/everything, env\.API_TOKEN: This looks like a secret/).waitFor();
  expect(await editor.problem(/was not found/).count()).toBe(0);
  const hover = await editor.hoverOver('"${HOME}/notes"', /Environment\svariable\sHOME:\sset/);
  expect(await hover.textContent()).not.toContain('/notes');
  // VS Code lays out lenses again once nothing hovers over the text
  await page.mouse.move(0, 0);
  await editor.hover.first().waitFor({ state: 'hidden' });
});

it('leads from the lens to Workspace Trust', async () => {
  const { editor, shell } = workbench;
  await editor.content.locator('.view-lines').click();
  await editor.lens('Pi: Manage Workspace Trust').first().click();
  await shell.trustEditor.waitFor();
  await shell.closeModalEditor();
  expect(workbench.serverProcesses()).toEqual([]);
});

it('finds a server by a word, and writes it pinned with its secret kept apart, where it waits for consent', async () => {
  const { servers, shell } = workbench;
  await shell.runCommand('Pi MCP: Add Server…');
  const frame = addBox();
  await frame.locator('#box').fill('weather');
  await frame.getByRole('button', { name: /^Weather/ }).click();
  await frame.getByText('Published by the GitHub account example.').waitFor();
  await frame.getByLabel('WEATHER_API_KEY').first().fill('canary');
  await frame.getByText('npx -y @example/weather@1.2.3').waitFor();
  expect(await frame.locator('#box').inputValue()).toBe('weather');
  await workbench.screenshot('registry-form');
  await frame.getByRole('button', { name: 'Add: weather', exact: true }).click();
  await frame.getByRole('heading', { name: 'weather', level: 1 }).waitFor();
  await workbench.screenshot('registry-added');
  expect(entry('weather')).toMatchObject({ command: 'npx' });
  expect(config()).not.toContain('canary');
  await servers.show();
  await servers.waitForServer('weather', 'Restricted Mode');
  replaceFile(text);
  await servers.row('weather').waitFor({ state: 'detached' });
});

it('reports in a trusted folder what would go wrong, at its place', async () => {
  const { editor, servers } = workbench;
  await trustEverything(workbench);
  await servers.waitForServer('everything', 'Connected');
  await editor.open('.mcp.json');
  for (const problem of [
    /everything, env\.API_TOKEN: This looks like a secret/,
    /The command "no-such-program-anywhere" was not found/,
    /Claude Code refuses this server: remote/,
  ]) {
    await editor.problem(problem).first().waitFor();
  }
  // advice is for who looks at the place
  expect(await editor.problem(/names no exact version/).count()).toBe(0);
  await workbench.screenshot('editor-problems');
});

it('explains fields, servers and values, and gives advice, where somebody points', async () => {
  const { editor, page } = workbench;
  const pointed: readonly (readonly [text: string, said: string | RegExp])[] = [
    ['"everything"', /tools;\s[\d,]+\stokens/],
    ['"${workspaceFolder}/notes"', join(workbench.workspaceDir, 'notes')],
    ['"@modelcontextprotocol/server-memory"', /names\sno\sexact\sversion/],
  ];
  for (const [text, said] of pointed) {
    await editor.hoverOver(text, said);
    await page.keyboard.press('Escape');
  }
  await workbench.screenshot('editor-advice');
  await editor.placeCursorAfter('"comm');
  await editor.showHover('The program that is started');
  await page.keyboard.press('Escape');
});

it('completes fields, tools of a server and packages of the project', async () => {
  const { editor, page } = workbench;
  await editor.placeCursorAfter('"excludeTools": [');
  await editor.suggest('echo');
  await page.keyboard.press('Escape');
  await editor.placeCursorAfter('"mcpServers": {');
  await editor.suggest('"filesystem"');
  await page.keyboard.press('Escape');
  await editor.placeCursorAfter('"everything": {');
  await editor.type('"life');
  await editor.suggest('lifecycle');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Z');
});

it('hides a rule for the user, and shows it again', async () => {
  const { editor, shell, page } = workbench;
  const lost = editor.problem(/no-such-program-anywhere" was not found/);
  await editor.placeCursorAfter('"no-such');
  await editor.applyFix('Hide Rule "executable-not-found" for You');
  await shell.notification('executable-not-found: hidden for you').waitFor();
  await lost.waitFor({ state: 'detached' });
  await shell.runCommand('Pi MCP: Show Hidden Rules Again…');
  await shell.quickPick('executable-not-found').waitFor();
  await workbench.screenshot('editor-hidden-rules');
  await shell.quickInput.getByRole('checkbox', { name: 'Toggle all checkboxes' }).click();
  await shell.quickInput.getByRole('button', { name: 'OK' }).click();
  await lost.waitFor();
  // the other choice of the setting is still there
  await editor.problem(/Claude Code refuses this server: remote/).waitFor();
  await page.keyboard.press('Escape');
});

it('pins a package, and moves a secret to the secret storage, from where the server still gets it', async () => {
  const { editor } = workbench;
  await editor.placeCursorAfter('server-mem');
  await editor.applyFix(/Write @modelcontextprotocol\/server-memory@\d/);
  const before = pid();
  await editor.placeCursorAfter('plain-text');
  await editor.applyFix('Move Value to Secret Storage');
  await editor.line('${input:everything-api-token}').waitFor();
  await editor.save();
  await expect.poll(config).toContain('"id": "everything-api-token"');
  expect(config()).toMatch(/"@modelcontextprotocol\/server-memory@\d+\.\d+\.\d+"/);
  expect(config()).not.toContain(secret);
  // asked for nothing: a question would keep the server from connecting
  await restarted(before);
});

it('shows the state above a server and acts on it', async () => {
  const { editor, servers } = workbench;
  await editor.lens(/Pi: Connected, 1\d tools/).waitFor();
  // while it reads its lists, its row is drawn anew and a menu may open for another one
  await servers.waitForServer('everything', 'Connected');
  await servers.pickFromMenu(servers.row('everything').first(), 'Disable Server');
  // the lines move when the lenses change
  await editor.lens(/Pi: Disabled, \d+ tools/).waitFor();
  expect(entry('everything').enabled).toBe(false);
  await editor.lens('Pi: Enable').first().click();
  await editor.lens(/Pi: Connected, 1\d tools/).waitFor();
  expect(entry('everything')).not.toHaveProperty('enabled');
  const before = pid();
  await editor.lens('Pi: Restart').first().click();
  await restarted(before);
  await editor.lens(/Pi: Connected, 1\d tools/).click();
  await servers.row('everything').and(workbench.page.locator('[aria-selected=true]')).waitFor();
  await workbench.screenshot('editor-lenses');
});

it('marks a syntax error once, says what to do about it, and mends it', async () => {
  const { editor, page, servers, shell } = workbench;
  const saved = config();
  await editor.placeCursorAfter('"everything": {');
  await editor.type('"lifecycle": "lazy" "debug": false,');
  await editor.showProblems();
  await editor.problem('Expected comma').waitFor();
  await expect.poll(() => editor.problem('syntax error').count()).toBe(0);
  await editor.placeCursorAfter('"deb');
  await editor.showHover(/","\sis\smissing.*last\sgood\sstate/);
  await workbench.screenshot('syntax-error');
  await page.keyboard.press('Escape');
  await editor.applyFix('Insert the Missing ,');
  await editor.line('"lifecycle": "lazy", "debug": false').waitFor();
  await editor.problem('Expected comma').waitFor({ state: 'detached' });
  // the editor may have saved the error by itself: all of it is taken back on the disk
  replaceFile(saved);
  await shell.runCommand('File: Revert File');
  await servers.rows.filter({ hasText: /sample.*file problem/ }).waitFor({ state: 'detached' });
});

it('picks up a save from outside, and keeps the last good state of a file with a syntax error', async () => {
  const { servers } = workbench;
  await servers.waitForServer('everything', 'Connected');
  const saved = config();
  const before = pid();
  const broken = `${saved.trimEnd().slice(0, -1)}\n`;
  replaceFile(broken);
  await servers.rows.filter({ hasText: /sample.*file problem/ }).waitFor();
  await servers.waitForServer('everything', 'Connected');
  expect([pid(), config()]).toEqual([before, broken]);
  replaceFile(saved.replace('"stdio"', '"stdio", "--changed"'));
  await servers.rows.filter({ hasText: /sample.*file problem/ }).waitFor({ state: 'detached' });
  await expect.poll(() => pid() ?? before).not.toBe(before);
  await servers.waitForServer('everything', 'Connected');
});

it('imports a server of another program', async () => {
  const { shell, servers } = workbench;
  await shell.runCommand('Pi MCP: Import Servers');
  await shell.quickPick('borrowed').waitFor();
  await shell.quickInput.getByRole('checkbox', { name: 'Toggle all checkboxes' }).click();
  await shell.quickInput.getByText('1 Selected').waitFor();
  await shell.quickInput.getByRole('button', { name: 'OK' }).click();
  await shell.quickPick('Copy Servers').click();
  await shell.pick('sample');
  await shell.pick('Import Servers');
  await servers.row('borrowed').waitFor();
  expect(entry('borrowed')).toEqual({ command: 'node', args: ['b.js'] });
});

it('asks for an input once, keeps the answer and forgets it on request', async () => {
  const { shell, page, servers } = workbench;
  await servers.clickAction(servers.row('asks'), 'Enable Server');
  await shell.quickInput.getByText('Which mode?').waitFor();
  await shell.quickInput.locator('input').first().fill('strict');
  await page.keyboard.press('Enter');
  await servers.waitForServer('asks', 'Connected');
  await shell.runAndChoose('Pi MCP: Manage Stored Inputs…', 'mode');
  await shell.quickPick('Remove Stored Value').click();
  const stored = shell.quickPick('mode');
  await stored.waitFor({ state: 'detached' });
  await shell.runCommand('Pi MCP: Manage Stored Inputs…');
  await shell.quickPick('token').or(shell.notification('nothing to choose')).first().waitFor();
  expect(await stored.count()).toBe(0);
  await page.keyboard.press('Escape');
});

it('adds a pasted server by the keyboard alone, starts it and ends on its page', async () => {
  const { shell, page, servers } = workbench;
  await shell.runCommand('Pi MCP: Add Server…');
  const frame = addBox();
  await frame.locator('#box:focus').waitFor();
  await page.keyboard.insertText(
    `claude mcp add --env MODE=test everything -- node ${serverScript} stdio`,
  );
  await frame.getByText('A command that adds a server').waitFor();
  await page.keyboard.press('Enter');
  const name = frame.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('stepwise');
  await name.press('Tab');
  await frame.getByRole('button', { name: 'Add and Start: stepwise' }).press('Enter');
  await servers.waitForServer('stepwise', 'Connected');
  await frame.getByRole('heading', { name: 'stepwise', level: 1 }).waitFor();
  expect(entry('stepwise')).toEqual({
    command: 'node',
    args: [serverScript, 'stdio'],
    env: { MODE: 'test' },
  });
});
