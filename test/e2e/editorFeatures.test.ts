/** What the editor knows about configuration files beyond their schema, and the commands that add servers to them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { trustEverything } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';
import { pageOf } from '../helpers/e2e/webview.js';

const secret = 'plain-text-credential-1';
const serverScript = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js';

const text = `{
  "mcpServers": {
    "everything": {
      "command": "node",
      "args": ["${serverScript}", "stdio"],
      "env": {
        "API_TOKEN": "${secret}",
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

const cursorFile = JSON.stringify({
  mcpServers: { borrowed: { command: 'node', args: ['b.js'] } },
});

const pid = () =>
  workbench.serverProcesses().find(({ command }) => command.includes('server-everything'))?.pid;

/** Resolves when the server has another process, and has connected. */
async function restarted(before: number | undefined): Promise<void> {
  await expect.poll(() => pid() ?? before, { timeout: 60_000 }).not.toBe(before);
  await workbench.servers.waitForServer('everything', 'Connected');
  await workbench.editor.lens(/Pi: Connected, 1\d tools/).waitFor();
}

const workbench = useWorkbench(
  {
    files: { '.mcp.json': text, '.cursor/mcp.json': cursorFile },
    settings: { 'piMcp.validation.severities': { 'claude-code-needs-type': 'warning' } },
  },
  async (workbench) => {
    await trustEverything(workbench);
    await workbench.servers.show();
    await workbench.servers.waitForServer('everything', 'Connected');
    await workbench.editor.open('.mcp.json');
  },
);

it('reports what would go wrong, at its place', async () => {
  const { editor } = workbench;
  await editor.showProblems();
  for (const problem of [
    /env\.API_TOKEN of server everything looks like a secret/,
    /The command no-such-program-anywhere of server lost was not found/,
    /Claude Code refuses server remote/,
  ]) {
    await editor.problem(problem).first().waitFor();
  }
  // advice is for who looks at the place
  expect(await editor.problem(/has no fixed version/).count()).toBe(0);
  await workbench.screenshot('editor-problems');
});

it('gives advice where somebody points', async () => {
  const { editor, page } = workbench;
  await editor.hoverOver('"@modelcontextprotocol/server-memory"', /no\sfixed\sversion/);
  await workbench.screenshot('editor-advice');
  await page.keyboard.press('Escape');
  await editor.hoverOver('"remote"', /Claude\sCode\srefuses|must\strust/);
  await page.keyboard.press('Escape');
});

it('gives the same advice under the row of the server and on its page', async () => {
  const { servers, page } = workbench;
  const advice = /Server unpinned: .* has no fixed version/;
  await servers.expand(servers.row('unpinned'));
  await servers.rows.filter({ hasText: advice }).waitFor();
  await servers.row('unpinned').click();
  const overview = pageOf(page, 'editor');
  await overview.getByText(/^Suggestions/).click();
  await overview.getByText(advice).waitFor();
  await workbench.screenshot('editor-advice-page');
  await page.keyboard.press('Control+W');
});

it('hides a rule for the user, and shows it again', async () => {
  const { editor, shell, page } = workbench;
  const lost = editor.problem(/no-such-program-anywhere of server lost was not found/);
  await editor.placeCursorAfter('"no-such');
  await editor.applyFix('Hide Rule "executable-not-found" for You');
  await shell.notification('The rule "executable-not-found" is hidden for you.').waitFor();
  await lost.waitFor({ state: 'detached' });
  await shell.runCommand('Pi MCP: Show Hidden Rules Again…');
  await shell.quickPick('executable-not-found').waitFor();
  await workbench.screenshot('editor-hidden-rules');
  await shell.quickInput.getByRole('checkbox', { name: 'Toggle all checkboxes' }).click();
  await shell.quickInput.getByRole('button', { name: 'OK' }).click();
  await lost.waitFor();
  // the other choice of the setting is still there
  await editor.problem(/Claude Code refuses server remote/).waitFor();
  await page.keyboard.press('Escape');
});

it('pins a package to the version that is installed', async () => {
  const { editor } = workbench;
  await editor.placeCursorAfter('server-mem');
  await editor.applyFix(/Pin to @modelcontextprotocol\/server-memory@\d/);
  await editor.save();
  await expect.poll(config).toMatch(/"@modelcontextprotocol\/server-memory@\d+\.\d+\.\d+"/);
});

it('moves a secret to the secret storage, from where the server still gets it', async () => {
  const { editor } = workbench;
  const before = pid();
  await editor.placeCursorAfter('plain-text');
  await editor.applyFix('Move Value to Secret Storage');
  await editor.line('${input:everything-api-token}').waitFor();
  await editor.save();
  await expect.poll(config).toContain('"id": "everything-api-token"');
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
  await servers.waitForServer('everything', 'Disabled');
  expect(JSON.parse(config()).mcpServers.everything.enabled).toBe(false);
  // the lines move when the lenses change
  await editor.lens(/Pi: Disabled, \d+ tools/).waitFor();
  await editor.lens('Pi: Enable').first().click();
  await servers.waitForServer('everything', 'Connected');
  await editor.lens(/Pi: Connected, 1\d tools/).waitFor();
  expect(JSON.parse(config()).mcpServers.everything).not.toHaveProperty('enabled');
  const before = pid();
  await editor.lens('Pi: Restart').first().click();
  await restarted(before);
  await editor.lens(/Pi: Connected, 1\d tools/).click();
  await servers.row('everything').and(workbench.page.locator('[aria-selected=true]')).waitFor();
  await workbench.screenshot('editor-lenses');
});

it('tells what a server offers and what a value stands for', async () => {
  const { editor, page } = workbench;
  await editor.hoverOver('"everything"', /tools,\sabout\s[\d,]+\stokens/);
  await page.keyboard.press('Escape');
  await editor.hoverOver('"${workspaceFolder}/notes"', join(workbench.workspaceDir, 'notes'));
  await page.keyboard.press('Escape');
});

it('completes tools of a server and packages of the project', async () => {
  const { editor, page } = workbench;
  await editor.placeCursorAfter('"excludeTools": [');
  await editor.suggest('echo');
  await page.keyboard.press('Escape');
  await editor.placeCursorAfter('"mcpServers": {');
  await editor.suggest('"filesystem"');
  await page.keyboard.press('Escape');
});

it('adds a pasted server under a free name, starts it and ends on its page', async () => {
  const { shell, page, servers } = workbench;
  await shell.runCommand('Pi MCP: Add Server…');
  const frame = pageOf(page, 'editor');
  await frame
    .locator('#box')
    .fill(`claude mcp add --env MODE=test everything -- node ${serverScript} stdio`);
  await frame.getByText('A command that adds a server').waitFor();
  await frame.getByRole('button', { name: 'Add and Start: everything-2' }).click();
  await servers.waitForServer('everything-2', 'Connected');
  await frame.getByRole('heading', { name: 'everything-2', level: 1 }).waitFor();
  expect(JSON.parse(config()).mcpServers['everything-2']).toEqual({
    command: 'node',
    args: [serverScript, 'stdio'],
    env: { MODE: 'test' },
  });
});

it('imports a server of another program', async () => {
  const { shell, servers } = workbench;
  await shell.runCommand('Pi MCP: Import Servers');
  await shell.quickPick('borrowed').waitFor();
  await shell.quickInput.getByRole('checkbox', { name: 'Toggle all checkboxes' }).click();
  await shell.quickInput.getByText('1 Selected').waitFor();
  await shell.quickInput.getByRole('button', { name: 'OK' }).click();
  await shell.quickPick('Copy Servers').click();
  await shell.quickPick('sample').click();
  await shell.quickPick('Import 1 Server').click();
  await servers.row('borrowed').waitFor();
  expect(JSON.parse(config()).mcpServers.borrowed).toEqual({ command: 'node', args: ['b.js'] });
});

it('asks for an input once, keeps the answer and forgets it on request', async () => {
  const { shell, page, servers } = workbench;
  await servers.clickAction(servers.row('asks'), 'Enable Server');
  await shell.quickInput.getByText('Which mode?').waitFor();
  await shell.quickInput.locator('input').first().fill('strict');
  await page.keyboard.press('Enter');
  await servers.waitForServer('asks', 'Connected');
  await shell.runAndChoose('Pi MCP: Manage Stored Inputs…', 'mode');
  await shell.quickPick('Forget').click();
  await shell.notification('The value of "mode" is forgotten').waitFor();
});

it('adds a server of a command line by the keyboard alone', async () => {
  const { shell, page, servers } = workbench;
  await shell.runCommand('Pi MCP: Add Server…');
  const frame = pageOf(page, 'editor');
  await frame.locator('#box:focus').waitFor();
  await page.keyboard.type(`node ${serverScript} stdio`);
  await page.keyboard.press('Enter');
  const name = frame.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('stepwise');
  await name.press('Tab');
  await frame.getByRole('button', { name: 'Add and Start: stepwise' }).press('Enter');
  await servers.waitForServer('stepwise', 'Connected');
});

function config(): string {
  return readFileSync(join(workbench.workspaceDir, '.mcp.json'), 'utf8');
}
