/** The gateway of the command line: a process of its own, real servers behind it and real clients before it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { type ClientCapabilities, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WorkspaceFolder } from '../../src/config/definition.js';
import { misbehaveScript } from '../fixtures/connections.js';
import { useCommandLine } from '../helpers/commandLine.js';
import {
  CoreHarness,
  everything,
  firstNotedPid,
  isAlive,
  memory,
  noted,
  notedPids,
} from '../helpers/coreHarness.js';
import { connectClient, fixtureServer } from '../helpers/gateway/gatewayHarness.js';
import { projectOf, rest } from '../helpers/gateway/restClient.js';
import { useScript } from '../helpers/script.js';

interface Shown {
  readonly url: string;
  readonly useToken: string;
  readonly manageToken: string;
  readonly socket: string;
  readonly pid: number;
}

const cli = useCommandLine();
const script = useScript('src/cli.ts', 'cjs');
let harness: CoreHarness;
let folder: string;
let pids: string;
let child: ChildProcess | undefined;
let others: ChildProcess[];

beforeEach(async () => {
  harness = await CoreHarness.create();
  others = [];
  pids = join(harness.root, 'pids');
  const work = await harness.addFolder('work', { memory: noted(pids, memory) });
  folder = work.fsPath ?? '';
});

afterEach(async () => {
  for (const one of [child, ...others]) {
    one?.kill('SIGKILL');
  }
  child = undefined;
  await harness.dispose();
});

function run(...args: readonly string[]) {
  return cli(harness.root, args, { cwd: folder });
}

async function start(...args: readonly string[]) {
  const started = spawn(
    process.execPath,
    [script.path, '--home', join(harness.root, 'home'), 'gateway', '--json', ...args],
    { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] },
  );
  child = started;
  const ended = once(started, 'close').then(([status]) => status as number);
  const lines: string[] = [];
  const reader = createInterface(started.stdout).on('line', (line) => lines.push(line));
  let error = '';
  started.stderr.on('data', (chunk) => {
    error += chunk;
  });
  await Promise.race([once(reader, 'line'), ended]);
  const shown = JSON.parse(lines[0] ?? '{}') as Shown;
  /** As whoever reads it does: by the end of its input. */
  const stop = async () => {
    started.stdin.end();
    expect(await ended).toBe(0);
  };
  return { started, ended, stop, lines, shown, error: () => error };
}

function connect({ url, useToken }: Shown, server = '', capabilities?: ClientCapabilities) {
  return connectClient(new URL(`${url}${server}`), useToken, undefined, capabilities);
}

it('passes what a server asks to the client whose call it is, which has to have declared it', async () => {
  const { command, args } = fixtureServer('offering');
  await harness.writeGlobal({ offering: { command, args } });
  const { stop, shown } = await start('--trust');
  const asked = await connect(shown, '/offering', { elicitation: {} });
  asked.setRequestHandler(ElicitRequestSchema, async () => ({
    action: 'accept',
    content: { name: 'Ada' },
  }));
  expect(await asked.callTool({ name: 'ask_form' })).toMatchObject({
    content: [{ text: expect.stringContaining('Ada') }],
  });
  const other = await connect(shown, '/offering');
  await expect(other.callTool({ name: 'ask_form' })).rejects.toThrow('Method not found');
  await stop();
});

it('shows one line, serves until its input is closed and leaves nothing behind', async () => {
  const { started, stop, lines, shown } = await start('--trust');
  expect(shown).toEqual({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/),
    useToken: expect.stringMatching(/^[\w-]{43}$/),
    manageToken: expect.stringMatching(/^[\w-]{43}$/),
    socket: expect.any(String),
    pid: started.pid,
  });
  const client = await connect(shown);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('memory__read_graph');
  const result = await client.callTool({ name: 'memory__read_graph' });
  expect(result.isError ?? false).toBe(false);
  const servers = await notedPids(pids);
  expect(servers.length).toBeGreaterThan(0);
  await stop();
  expect(lines).toHaveLength(1);
  expect(servers.filter(isAlive)).toEqual([]);
  expect(existsSync(dirname(shown.socket))).toBe(false);
  await expect(fetch(shown.url)).rejects.toThrow();
});

it('keeps the numbers of calls where the settings say, as they are while it runs, and nowhere else', async () => {
  const agentDir = join(harness.root, 'home', '.pi', 'agent');
  const settings = join(agentDir, 'mcp.json');
  const kept = join(harness.root, 'home', 'numbers.json');
  await mkdir(agentDir, { recursive: true });
  const { stop, shown } = await start();
  await writeFile(settings, JSON.stringify({ mcpServers: { everything } }));
  const client = await connect(shown);
  const call = (a: unknown) =>
    client.callTool({ name: 'everything__get_sum', arguments: { a, b: 2 } });
  await expect.poll(async () => (await client.listTools()).tools.length).toBeGreaterThan(0);
  await call(1);
  const captureStats = { path: '~/numbers.json' };
  await writeFile(
    settings,
    JSON.stringify({ settings: { captureStats }, mcpServers: { everything } }),
  );
  await expect
    .poll(async () => {
      await call(1);
      return existsSync(kept);
    })
    .toBe(true);
  await call('no number');
  await stop();
  expect(JSON.parse(await readFile(kept, 'utf8'))).toMatchObject([
    { server: 'everything', tool: 'get-sum', errors: { tool_error: 1 } },
  ]);
  expect(await readdir(agentDir)).not.toContain('mcp-tool-stats.json');
});

it('starts what a window would, keeps it, and serves before that is done', async () => {
  const late = join(harness.root, 'late');
  await harness.writeGlobal({
    kept: { ...noted(late, memory), lifecycle: 'keep-alive' },
    hung: { command: 'sleep', args: ['600'], lifecycle: 'eager' },
  });
  const { stop } = await start('--trust');
  const first = await firstNotedPid(late);
  process.kill(first, 'SIGKILL');
  await expect.poll(async () => (await notedPids(late)).length).toBe(2);
  await stop();
  expect((await notedPids(late)).filter(isAlive)).toEqual([]);
});

it('lends the tools of a profile alone', async () => {
  await harness.writeGlobal(
    JSON.stringify({ settings: { profiles: { look: ['memory/read_*'] } } }),
  );
  const { stop, shown } = await start('--trust', '--profile', 'look');
  const client = await connect(shown, '/memory');
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['read_graph']);
  const refused = await client
    .callTool({ name: 'create_entities', arguments: { entities: [] } })
    .then(
      ({ isError }) => isError,
      () => true,
    );
  expect(refused).toBe(true);
  await stop();
  expect(await run('gateway', '--trust', '--profile', 'gone').ended).toMatchObject({
    status: 2,
    error: expect.stringContaining('There is no profile "gone"'),
  });
});

it.skipIf(process.platform === 'win32').each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  'ends at once on %s',
  async (signal) => {
    const { started, ended, shown } = await start('--trust');
    const client = await connect(shown);
    await client.listTools();
    const servers = await notedPids(pids);
    started.kill(signal);
    expect(await ended).toBe(0);
    expect(servers.filter(isAlive)).toEqual([]);
    expect(existsSync(dirname(shown.socket))).toBe(false);
  },
);

it('lends nothing without consent, and stops lending when it is withdrawn', async () => {
  const first = await start();
  const client = await connect(first.shown, '/memory');
  await expect(client.listTools()).rejects.toThrow('pi-mcp trust');
  expect(await notedPids(pids)).toEqual([]);
  await run('trust', '--yes').ended;
  await expect
    .poll(() =>
      client.listTools().then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  await run('revoke').ended;
  expect(await first.ended).toBe(0);
  expect(first.error()).toContain('Trust was revoked');
  expect((await notedPids(pids)).filter(isAlive)).toEqual([]);
});

it('listens where it is told, or says why not', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const address = taken.address();
  const port = typeof address === 'object' ? String(address?.port) : '';
  const busy = await run('gateway', '--json', '--port', port).document();
  expect(busy).toMatchObject({ status: 1, document: { error: { code: 'port_taken' } } });
  await new Promise((resolve) => taken.close(resolve));
  const { stop, shown } = await start('--port', port);
  expect(shown.url).toBe(`http://127.0.0.1:${port}/mcp`);
  await stop();
});

it.each(['x', '-1', '65536', '1.5'])('takes no port "%s"', async (port) => {
  const { status } = await run('gateway', '--json', `--port=${port}`).document();
  expect(status).toBe(2);
});

it('shows people the same in words', async () => {
  const { out, status } = await run('gateway', '--trust').ended;
  expect(status).toBe(0);
  expect(out).toMatch(/^Address: http:\/\/127\.0\.0\.1:\d+\/mcp\nToken of clients: /);
});

describe.skipIf(process.platform === 'win32')('what a killed gateway leaves behind', () => {
  /** A gateway whose server ignores the end of its input, and runs. */
  async function startStubborn() {
    await harness.writeGlobal({
      stubborn: noted(pids, { command: process.execPath, args: [misbehaveScript, '--ignore-eof'] }),
    });
    const before = await notedPids(pids);
    const gateway = await start();
    const client = await connect(gateway.shown, '/stubborn');
    await client.listTools();
    const servers = (await notedPids(pids)).filter((pid) => !before.includes(pid));
    expect(servers.length).toBeGreaterThan(0);
    return { ...gateway, servers };
  }

  async function startAndKill() {
    const gateway = await startStubborn();
    gateway.started.kill('SIGKILL');
    await gateway.ended;
    // what this is about: without a sweep both would stay
    expect(gateway.servers.every(isAlive)).toBe(true);
    expect(existsSync(gateway.shown.socket)).toBe(true);
    return gateway;
  }

  it.each([['list'], ['probe'], ['doctor']])('is ended by the next run: %s', async (command) => {
    const { servers, shown } = await startAndKill();
    await run(command).ended;
    // whoever adopted them reaps them in its own time
    await expect.poll(() => servers.filter(isAlive)).toEqual([]);
    expect(existsSync(dirname(shown.socket))).toBe(false);
  });

  it('is all that a run ends: another gateway serves on, and what only looks alike stays', async () => {
    const living = await startStubborn();
    others.push(living.started);
    const killed = await startAndKill();
    const alike = await mkdtemp(join(tmpdir(), 'pi-mcp-'));
    try {
      await writeFile(join(alike, 's'), 'no socket');
      await run('list').ended;
      await expect.poll(() => killed.servers.filter(isAlive)).toEqual([]);
      expect(living.servers.every(isAlive)).toBe(true);
      expect(existsSync(living.shown.socket)).toBe(true);
      expect(existsSync(join(alike, 's'))).toBe(true);
      const client = await connect(living.shown, '/stubborn');
      expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    } finally {
      await rm(alike, { recursive: true });
    }
    await living.stop();
  });
});

it('changes nothing for a program while consent covers whatever the files hold', async () => {
  const [work] = harness.folders;
  const canary = join(harness.root, 'canary');
  const script = `require('node:fs').writeFileSync(${JSON.stringify(canary)}, 'sings')`;
  const { shown } = await start('--trust');
  await harness.write(work as WorkspaceFolder, {
    memory: noted(pids, memory),
    pulled: { command: process.execPath, args: ['-e', script] },
  });
  const project = projectOf(work?.uri ?? '');
  for (const [method, path, body] of [
    ['PUT', '/mcp/settings', { enabled: true }],
    ['PUT', '/mcp/servers/other', memory],
    ['DELETE', '/mcp/servers/other', undefined],
    ['DELETE', `/mcp/trust/${project}`, undefined],
  ] as const) {
    const reply = await rest(placeOf(shown), method, path, { body });
    expect([reply.status, reply.body.error]).toEqual([409, 'mcp_read_once']);
  }
  const probe = `probe?projectId=${project}`;
  const known = await rest(placeOf(shown), 'POST', `/mcp/servers/memory/${probe}`);
  expect(known.body.status).toMatchObject({ state: 'connected' });
  const pulled = await rest(placeOf(shown), 'POST', `/mcp/servers/pulled/${probe}`);
  expect(pulled.body.error).toBe('mcp_server_not_found');
  expect(existsSync(canary)).toBe(false);
});

it('changes your own file for whoever has the manage token, and reviews what a folder adds', async () => {
  const { shown } = await start();
  const added = await rest(placeOf(shown), 'PUT', '/mcp/servers/other', { body: memory });
  expect(added).toEqual({ status: 200, body: { ok: true } });
  expect(JSON.parse(await harness.readGlobal()).mcpServers).toEqual({ other: memory });
  const [work] = harness.folders;
  const trust = await rest(placeOf(shown), 'POST', `/mcp/trust/${projectOf(work?.uri ?? '')}`);
  expect([trust.status, trust.body.error]).toEqual([409, 'mcp_consent_required']);
});

function placeOf({ url, useToken, manageToken }: Shown) {
  return { port: Number(new URL(url).port), tokens: { use: useToken, manage: manageToken } };
}
