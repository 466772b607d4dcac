/** A server from a registry, from the page that adds it to its newer release: told, compared, written. */
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { useWorkbench } from '../../helpers/e2e/useWorkbench.js';
import { pageOf } from '../../helpers/e2e/webview.js';
import { startRegistry } from '../../helpers/registryServer.js';

const release = (version: string, ...variables: readonly string[]) => ({
  server: {
    name: 'io.github.example/tool',
    title: 'Tool',
    description: 'Finds pages',
    version,
    packages: [
      {
        registryType: 'pypi',
        identifier: 'mcp-tool',
        version,
        transport: { type: 'stdio' },
        environmentVariables: variables.map((name) => ({ name, isRequired: true })),
      },
    ],
  },
});
const listed = [release('1.2')];
const registry = await startRegistry(listed);
const bin = await mkdtemp(join(tmpdir(), 'pi-mcp-uvx-'));
const server = resolve('test/fixtures/servers/versions.mjs');
await writeFile(join(bin, 'uvx'), `#!/bin/sh\nexec "${process.execPath}" "${server}" "$@"\n`);
await chmod(join(bin, 'uvx'), 0o755);
// the PATH of a login shell is the one that counts
await writeFile(join(bin, '.bash_profile'), `export PATH="${bin}:$PATH"\n`);
afterAll(async () => {
  await registry.close();
  await rm(bin, { recursive: true });
});

const workbench = useWorkbench(
  {
    env: { HOME: bin, SHELL: '/bin/bash' },
    settings: { 'piMcp.registry.url': registry.url },
  },
  async (workbench) => {
    await workbench.shell.trustWorkspace();
    await workbench.shell.closeModalEditor();
  },
);
const frame = () => pageOf(workbench.page, 'editor');
const button = (name: string) => frame().getByRole('button', { name });
const argsInFile = async () => {
  const text = await readFile(join(workbench.agentDir, 'mcp.json'), 'utf8');
  return JSON.parse(text).mcpServers.tool.args;
};

it('is added from the registry to the own file of the user, and connects', async () => {
  const { shell } = workbench;
  await shell.runCommand('Pi MCP: Add Server…');
  await frame().locator('#box').fill('tool');
  await frame().getByRole('button', { name: /^Tool/ }).click();
  await frame().getByText('uvx mcp-tool@1.2').waitFor();
  await frame()
    .getByRole('combobox', { name: 'Where' })
    .selectOption({ label: 'User: Every Folder' });
  await button('Add: tool').click();
  await frame().getByRole('heading', { name: 'tool', level: 1 }).waitFor();
  await shell.runAndChoose('Pi MCP: Probe Server', 'tool');
  await frame().getByText('tools: 3').first().waitFor();
  expect(await argsInFile()).toEqual(['mcp-tool@1.2']);
});

it('tells of the newer release and what it asks for, and shows its tools before anything is written', async () => {
  const { shell } = workbench;
  listed.splice(0, 1, release('1.10', 'TOOL_HOME'));
  await button('Check for Updates').click();
  await frame().getByText('1.2; 1.10 is available').waitFor();
  await frame().getByText('TOOL_HOME').waitFor();
  await button('Compare Tools…').click();
  await shell.dialog.getByText('uvx mcp-tool@1.10').waitFor();
  await shell.answerDialog('Start');
  await frame().getByText('now: description: Finds CANARY pages.').waitFor();
  await workbench.screenshot('update-compared');
  expect(await argsInFile()).toEqual(['mcp-tool@1.2']);
});

it('is written when the user says so', async () => {
  await button('Update…').click();
  await workbench.shell.dialog.getByText('TOOL_HOME').waitFor();
  await workbench.shell.answerDialog('Update');
  await expect.poll(argsInFile).toEqual(['mcp-tool@1.10']);
  await button('Update…').waitFor({ state: 'detached' });
});
