/** Doctor in the real VS Code: it follows trust, shows and ends what a killed host left behind, and copies what it shows. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { misbehaveScript } from '../fixtures/connections.js';
import { findProcesses, processMarker, waitForProcesses } from '../fixtures/processes.js';
import { connectSample } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';
import { pageOf } from '../helpers/e2e/webview.js';
import { useScript } from '../helpers/script.js';

const hostScript = useScript('test/fixtures/servers/ledgerHost.ts');
const workbench = useWorkbench({ size: { width: 1280, height: 1000 } });
const doctor = () => pageOf(workbench.page, 'editor');
const marker = processMarker();
const canary = 'k7Rq2canaryZ9x4Wm';
let host: ChildProcess | undefined;
let client: ChildProcess | undefined;

afterAll(async () => {
  host?.kill('SIGKILL');
  client?.stdin?.end();
  for (const pid of await findProcesses(marker)) {
    process.kill(pid, 'SIGKILL');
  }
});

/** Another window of the same user, with one server. Resolves when that runs. */
async function startHost(): Promise<ChildProcess> {
  const user = join(dirname(workbench.agentDir), 'user-data', 'User');
  const ledgers = join(user, 'globalStorage', 'pi-mcp.pi-mcp', 'processes');
  const server = ['node', misbehaveScript, '--ignore-eof', '--api-key', canary, marker];
  const child = spawn(
    process.execPath,
    [hostScript.path, ledgers, 'sh', '-c', `${server.join(' ')}; true`],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  host = child;
  let said = '';
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk;
      if (said.includes('connected')) {
        resolve();
      }
    });
  });
  return child;
}

it('opens in Restricted Mode, says so, leads to the page of a server that needs the user, and starts nothing', async () => {
  await workbench.shell.runCommand('Pi MCP: Doctor');
  const page = doctor();
  await page.getByText('Restricted Mode: nothing').waitFor();
  await page.getByRole('button', { name: 'everything' }).waitFor();
  await workbench.screenshot('doctor-restricted');
  await page.getByRole('button', { name: 'everything' }).click();
  await doctor().getByRole('heading', { name: 'everything', level: 1 }).waitFor();
  expect(workbench.serverProcesses()).toEqual([]);
});

it('follows trust and connections while it is open', async () => {
  await connectSample(workbench);
  await workbench.shell.runCommand('Pi MCP: Doctor');
  await doctor()
    .locator('main')
    .getByText(/^0 of \d+ servers need attention\.$/)
    .waitFor();
  await workbench.screenshot('doctor-connected');
});

it('shows what a killed host left behind, and ends it when the user says so', async () => {
  const killed = await startHost();
  const page = doctor();
  await page.getByRole('button', { name: 'Refresh' }).click();
  // a host that lives keeps its servers; it is on its own command line, too
  await expect.poll(() => page.getByRole('button', { name: 'Refresh' }).isEnabled()).toBe(true);
  expect(await page.getByRole('button', { name: 'Stop Them' }).count()).toBe(0);
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  await page.getByRole('button', { name: 'Refresh' }).click();
  const left = page.getByRole('region', { name: 'Orphaned Servers' });
  await left.getByText(marker).waitFor();
  expect(await left.textContent()).toContain(`process ${killed.pid}`);
  expect(await page.locator('body').textContent()).not.toContain(canary);
  await left.scrollIntoViewIfNeeded();
  await workbench.screenshot('doctor-left-behind');
  await left.getByRole('button', { name: 'Stop Them' }).click();
  await workbench.shell.dialog.getByText('Stop the orphaned servers?').waitFor();
  expect(await workbench.shell.dialog.textContent()).not.toContain(canary);
  await workbench.screenshot('doctor-end-question');
  expect(await findProcesses(marker)).toHaveLength(2);
  await workbench.shell.answerDialog('Stop Them');
  await waitForProcesses(marker, 0);
  await left.getByText('Stopped: 1.').waitFor();
  expect(await left.getByRole('listitem').count()).toBe(0);
});

/** Another client, which runs what ours runs as this process, and ends with it. Resolves with the process of its copy. */
async function startClient(ours: number): Promise<number> {
  const [command, ...args] = readFileSync(`/proc/${ours}/cmdline`, 'utf8').split('\0').slice(0, -1);
  const script = join(dirname(workbench.agentDir), 'claude.cjs');
  writeFileSync(
    script,
    `const child = require('node:child_process').spawn(${JSON.stringify(command)}, ${JSON.stringify(args)});
child.on('spawn', () => console.log(child.pid));
child.on('exit', () => process.exit());
process.stdin.on('end', () => child.kill()).resume();`,
  );
  const child = spawn(process.execPath, [script], {
    cwd: readlinkSync(`/proc/${ours}/cwd`),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  client = child;
  const [pid] = await once(child.stdout, 'data');
  return Number(String(pid));
}

it('ends the copy of another program on the page of its server, when the user says so', async () => {
  const { config, shell } = workbench;
  const isMemory = ({ command }: { readonly command: string }) =>
    /^\S*node\b.*server-memory/.test(command);
  const ours = workbench.serverProcesses().find(isMemory)?.pid ?? 0;
  const pid = await startClient(ours);
  await doctor().getByRole('button', { name: 'Refresh' }).click();
  const seen = `runs in Claude Code too, process ${pid}`;
  await doctor().getByRole('region', { name: 'Also Running Elsewhere' }).getByText(seen).waitFor();
  await config.list();
  await config.button('memory').click();
  await doctor().getByText(seen).waitFor();
  await workbench.screenshot('server-copy');
  await doctor().getByRole('button', { name: 'Stop the Copy…' }).click();
  await shell.dialog.getByText('Stop the copy of memory?').waitFor();
  await shell.dialog.getByText(`Claude Code, process ${pid}`).waitFor();
  await workbench.screenshot('server-copy-question');
  expect(client?.exitCode).toBeNull();
  await shell.answerDialog('Stop the Copy');
  await doctor().getByText(seen).waitFor({ state: 'detached' });
  expect(client?.exitCode ?? (await once(client as ChildProcess, 'exit'))).not.toBeNull();
  expect(workbench.serverProcesses().filter(isMemory)).toMatchObject([{ pid: ours }]);
  await shell.runCommand('Pi MCP: Doctor');
});

it('copies what it shows', async () => {
  const { page } = workbench;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await doctor().getByRole('button', { name: 'Copy Report' }).click();
  await doctor().locator('main').getByText('Copied').waitFor();
  const report = await page.evaluate(() => navigator.clipboard.readText());
  expect(report).toMatch(/^# Pi MCP report\n/);
  expect(report).toContain('\n## everything\n');
  expect(report).toContain('scope folder, kind stdio, state connected');
  expect(report).not.toContain(canary);
});
