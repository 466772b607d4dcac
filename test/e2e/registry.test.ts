/** A server of a registry on loopback is found, filled in and added in the real VS Code. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { afterAll, expect, it } from 'vitest';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';
import { pageOf } from '../helpers/e2e/webview.js';
import { type RegistryServer, startRegistry } from '../helpers/registryServer.js';

const registry: RegistryServer = await startRegistry();
afterAll(() => registry.close());

const workbench = useWorkbench({
  settings: { 'piMcp.registry.url': registry.url },
  size: { width: 1280, height: 900 },
});

it('finds a server by a word, and writes it pinned with its secret kept apart', async () => {
  await workbench.shell.runCommand('Pi MCP: Add Server from Registry…');
  const frame = pageOf(workbench.page, 'editor');
  await frame.getByRole('textbox', { name: 'Search' }).fill('weather');
  await frame.getByRole('button', { name: /^Weather/ }).click();
  await frame.getByText('Published by the GitHub account example.').waitFor();
  await frame
    .locator('vscode-text-field#answer-package-0-env-WEATHER_API_KEY input')
    .fill('canary');
  await frame.getByText('npx -y @example/weather@1.2.3').waitFor();
  expect(await frame.getByRole('textbox', { name: 'Search' }).inputValue()).toBe('weather');
  await workbench.screenshot('registry-form');
  await frame.getByRole('button', { name: 'Add: weather' }).click();
  await frame.getByRole('heading', { name: 'Server added: weather' }).waitFor();
  await workbench.screenshot('registry-added');
  const text = await readFile(join(workbench.workspaceDir, '.mcp.json'), 'utf8');
  expect(parse(text).mcpServers.weather).toMatchObject({ command: 'npx' });
  expect(text).not.toContain('canary');
});

it('shows the added server in the tree, where it waits for consent', async () => {
  const frame = pageOf(workbench.page, 'editor');
  await frame.getByRole('button', { name: 'Show in Tree' }).click();
  const { servers } = workbench;
  await servers.waitForServer('weather', 'restricted');
});
