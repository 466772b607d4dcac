/** Broken configuration: each fault is a state of its own node, and everything else works. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { trustEverything } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';
import { serverEntry } from '../workbench/sample.mjs';

const silentServer = 'setInterval(() => undefined, 1000)';

const text = JSON.stringify(
  {
    mcpServers: {
      both: { command: 'node', url: 'http://127.0.0.1:9/mcp' },
      neither: {},
      nothing: null,
      wrongType: { command: 'node', args: 'not a list' },
      missing: { command: 'no-such-executable-anywhere' },
      unreachable: { url: 'http://127.0.0.1:9/mcp' },
      dies: { command: 'node', args: ['-e', 'console.error("no good"); process.exit(3)'] },
      hangs: { command: 'node', args: ['-e', silentServer], startupTimeoutMs: 3000 },
      works: { command: 'node', args: [serverEntry('everything'), 'stdio'] },
    },
  },
  undefined,
  2,
);

const workbench = useWorkbench({ files: { '.mcp.json': text } }, async (workbench) => {
  await trustEverything(workbench);
  await workbench.servers.show();
});

it('makes a faulty entry invalid, one by one', async () => {
  for (const name of ['both', 'neither', 'nothing', 'wrongType']) {
    await workbench.servers.waitForServer(name, 'invalid');
  }
});

it('shows why a server cannot be reached', async () => {
  const { servers } = workbench;
  for (const name of ['missing', 'unreachable', 'dies', 'hangs']) {
    await servers.waitForServer(name, 'error');
  }
  await servers.expand(servers.row('dies'));
  await servers.expand(servers.rows.filter({ hasText: 'Last output' }));
  await servers.rows.filter({ hasText: /^no good/ }).waitFor();
  await workbench.screenshot('bad-input');
});

it('connects the server that is right and writes nothing', async () => {
  await workbench.servers.waitForServer('works', 'connected');
  await workbench.shell.connectedItem(1, 9).waitFor();
  expect(readFileSync(join(workbench.workspaceDir, '.mcp.json'), 'utf8')).toBe(text);
});
