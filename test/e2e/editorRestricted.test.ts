/** Restricted Mode: a configuration file is checked and explained, tells nothing about the machine around it, and takes a server of a registry. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { afterAll, expect, it } from 'vitest';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';
import { pageOf } from '../helpers/e2e/webview.js';
import { type RegistryServer, startRegistry } from '../helpers/registryServer.js';

const registry: RegistryServer = await startRegistry();
afterAll(() => registry.close());

const text = `{
  "mcpServers": {
    "lost": {
      "command": "no-such-program-anywhere",
      "env": { "API_TOKEN": "plain-text-credential-1", "PLACE": "\${HOME}/notes" }
    }
  }
}
`;

const workbench = useWorkbench(
  {
    files: { '.mcp.json': text },
    settings: { 'piMcp.registry.url': registry.url },
    size: { width: 1280, height: 900 },
  },
  async (workbench) => {
    await workbench.shell.restrictedModeItem.waitFor();
    await workbench.editor.open('.mcp.json');
  },
);

it('reports what the text alone shows and looks for no program', async () => {
  const { editor } = workbench;
  await editor.showProblems();
  await editor.problem(/env\.API_TOKEN of server lost looks like a secret/).waitFor();
  expect(await editor.problem(/was not found/).count()).toBe(0);
});

it('names variables without their values', async () => {
  const { editor } = workbench;
  const hover = await editor.hoverOver('"${HOME}/notes"', /Environment\svariable\sHOME:\sset/);
  expect(await hover.textContent()).not.toContain('/notes');
});

it('leads to Workspace Trust', async () => {
  const { editor, page, shell } = workbench;
  // VS Code lays out lenses again once nothing hovers over the text
  await page.mouse.move(0, 0);
  await editor.hover.first().waitFor({ state: 'hidden' });
  await editor.content.locator('.view-lines').click();
  await editor.lens('Pi: Manage Workspace Trust').click();
  await shell.trustEditor.waitFor();
  await shell.closeModalEditor();
  expect(workbench.serverProcesses()).toEqual([]);
});

it('finds a server by a word, and writes it pinned with its secret kept apart', async () => {
  await workbench.shell.runCommand('Pi MCP: Add Server…');
  const frame = pageOf(workbench.page, 'editor');
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
  const text = await readFile(join(workbench.workspaceDir, '.mcp.json'), 'utf8');
  expect(parse(text).mcpServers.weather).toMatchObject({ command: 'npx' });
  expect(text).not.toContain('canary');
});

it('shows the added server in the tree, where it waits for consent', async () => {
  const { servers } = workbench;
  await servers.show();
  await servers.waitForServer('weather', 'Restricted Mode');
});
