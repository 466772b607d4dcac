/** What other programs of this machine run of the same servers, seen by their real processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { Emitter } from '../../src/base/event.js';
import type { WorkspaceFolder } from '../../src/config/definition.js';
import type { McpServer, McpService } from '../../src/mcp/mcpApi.js';
import { ClientChoices } from '../../src/mcp/otherClients/clientChoices.js';
import { DoubleStarts } from '../../src/mcp/otherClients/doubleStarts.js';
import type { ForeignRun } from '../../src/mcp/otherClients/foreignRuns.js';
import { createNodeHostEnvironment } from '../../src/platform/environment/nodeHostEnvironment.js';
import { markerVariable } from '../../src/platform/process/marker.js';
import { type ProgramRun, ProgramRuns } from '../../src/platform/process/programRuns.js';
import { CoreHarness, isAlive, memory } from '../helpers/coreHarness.js';
import { FakeKept } from '../helpers/fakes/fakeKept.js';

let harness: CoreHarness;
let folder: WorkspaceFolder;
let service: McpService;
let starts: DoubleStarts;
let choices: ClientChoices;
const kept = new FakeKept();
let dir: string;
const clients: ChildProcess[] = [];
const asked = new FakeKept();
const programs = new ProgramRuns();
const [script = ''] = memory.args;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pi-mcp-clients-'));
  harness = await CoreHarness.create();
  folder = await harness.addFolder('project', { memory });
  service = await harness.start();
  await service.trust.trustFolder(folder.uri);
  await service.whenStarted();
  choices = new ClientChoices({ choices: kept, asked });
  starts = new DoubleStarts({
    service,
    environment: createNodeHostEnvironment(),
    editor: {
      rules: { startsFiles: false, discoveries: new Set() },
      tools: [],
      onDidChange: new Emitter<void>().event,
    },
    choices,
    programs: { read: readBelowHere },
    hostPid: -1,
  });
});

afterEach(async () => {
  for (const client of clients.splice(0)) {
    client.stdin?.end();
    await (client.exitCode ?? client.signalCode ?? once(client, 'exit'));
  }
});

afterAll(async () => {
  starts.dispose();
  await harness.dispose();
  await rm(dir, { recursive: true });
});

/** The tests may run below a program that is a client itself. */
async function readBelowHere(): Promise<readonly ProgramRun[]> {
  const runs = await programs.read();
  return runs.map((run) => (run.pid === process.pid ? { ...run, parent: 0 } : run));
}

function server(): McpServer {
  const [found] = service.serversFor(folder.uri);
  if (!found) {
    throw new Error('no server');
  }
  return found;
}

/** A program of that name which starts a server as clients do, and ends it with itself. */
async function startClient(
  name: string,
  argv: readonly string[] = [memory.command, ...memory.args],
  env: Readonly<Record<string, string>> = {},
): Promise<number> {
  const path = join(dir, `${name}.cjs`);
  await writeFile(
    path,
    `const [command, ...args] = ${JSON.stringify(argv)};
const env = { ...process.env, ...${JSON.stringify(env)} };
const child = require('node:child_process').spawn(command, args, { env, cwd: ${JSON.stringify(dir)} });
child.on('spawn', () => console.log(child.pid));
child.on('exit', () => process.exit());
process.stdin.on('end', () => child.kill()).resume();`,
  );
  const client = spawn(process.execPath, [path], { stdio: ['pipe', 'pipe', 'inherit'] });
  clients.push(client);
  const [pid] = await once(client.stdout, 'data');
  return Number(String(pid));
}

async function running() {
  await starts.refresh();
  return starts.of(server())?.running ?? [];
}

it('sees no copy in the process that is ours', async () => {
  expect(server().state.value.kind).toBe('connected');
  expect(await running()).toEqual([]);
});

it('sees the copy of another client, and when it is gone', async () => {
  const changes: number[] = [];
  const listener = starts.onDidChange(() => changes.push(1));
  const pid = await startClient('claude');
  expect(await running()).toMatchObject([{ client: 'claude-code', first: { pid } }]);
  expect(changes).toHaveLength(1);
  await starts.refresh();
  expect(changes, 'nothing new').toHaveLength(1);
  const [client] = clients.splice(0);
  client?.stdin?.end();
  await once(client as ChildProcess, 'exit');
  expect(await running()).toEqual([]);
  listener.dispose();
});

it('sees the same file behind a link, as npx leaves it', async () => {
  const link = join(dir, 'mcp-server-memory');
  await symlink(script, link);
  const pid = await startClient('codex', [memory.command, 'mcp-server-memory']);
  expect(await running()).toMatchObject([{ client: 'codex', first: { pid } }]);
});

it('sees it while ours does not run', async () => {
  await server().stop();
  const pid = await startClient('cursor-agent');
  expect(await running()).toMatchObject([{ client: 'cursor', first: { pid } }]);
  await server().ensureConnected();
});

it('takes no program for a client that the user runs, nor another server for this one', async () => {
  await startClient('somebody');
  await startClient('claude', [memory.command, ...memory.args, '--other']);
  expect(await running()).toEqual([]);
});

it('takes no process for a copy that another window of ours started', async () => {
  await startClient('claude', [memory.command, ...memory.args], { [markerVariable]: 'run' });
  expect(await running()).toEqual([]);
});

async function copies(): Promise<readonly ForeignRun[]> {
  return (await running()).flatMap(({ client, first }) => (first ? [{ client, first }] : []));
}

it('ends the copies that were named, and nothing that is another process by now or ours', async () => {
  const pid = await startClient('claude');
  const bystander = await startClient('somebody');
  const [copy] = await copies();
  const { pid: ownPid } = server().state.value as { pid: number };
  const own = (await programs.read()).find((run) => run.pid === ownPid);
  if (!copy || !own) {
    throw new Error('not seen');
  }
  const later = { ...copy, first: { pid, start: `${copy.first.start}0` } };
  expect(await starts.stop([later, { ...copy, first: own }])).toBe(0);
  expect([pid, ownPid].map(isAlive)).toEqual([true, true]);
  expect(await starts.stop([copy])).toBe(0);
  expect([pid, bystander, ownPid].map(isAlive)).toEqual([false, true, true]);
  expect(starts.of(server())).toBeUndefined();
});

it('ends with a copy what it has started', async () => {
  const wrapper = join(dir, 'wrapper.cjs');
  const script = `require('node:child_process')
  .spawn(process.execPath, ['-e', 'console.log(process.pid); setInterval(() => {}, 1000)'], { stdio: 'inherit' });`;
  await writeFile(wrapper, script);
  await harness.write(folder, { memory: { ...memory, args: [wrapper], enabled: false } });
  await service.reload();
  await startClient('claude', [memory.command, wrapper]);
  const found = await copies();
  const [{ first } = { first: undefined }] = found;
  const innerPid = async () =>
    (await programs.read()).find(({ parent }) => parent === first?.pid)?.pid;
  await expect.poll(innerPid).toBeDefined();
  const inner = await innerPid();
  expect(await starts.stop(found)).toBe(0);
  // a process that has lost its parent stays as a zombie until the system has buried it
  const left = (await programs.read()).filter(({ pid }) => [first?.pid, inner].includes(pid));
  expect(left).toEqual([]);
  await harness.write(folder, { memory });
  await service.reload();
  await service.whenStarted();
});

it('asks who starts the servers of the workspace once, and of a process alone', async () => {
  const asking = new DoubleStarts({
    service,
    environment: createNodeHostEnvironment(),
    editor: {
      rules: { startsFiles: true, discoveries: new Set() },
      tools: [],
      onDidChange: new Emitter<void>().event,
    },
    choices,
  });
  expect(asking.asksWho).toBe(true);
  await harness.write(folder, { far: { url: 'https://example.com/mcp' } });
  await service.reload();
  expect(asking.asksWho).toBe(false);
  await harness.write(folder, { memory });
  await service.reload();
  expect(asking.asksWho).toBe(true);
  await choices.settle();
  expect(asking.asksWho).toBe(false);
  asking.dispose();
});

it('remembers for this entry that both shall run, until it starts something else', async () => {
  const pid = await startClient('claude');
  await choices.choose(server().definition, 'both');
  await starts.refresh();
  expect(starts.of(server())).toMatchObject({
    choice: 'both',
    running: [{ client: 'claude-code', first: { pid } }],
  });
  expect(JSON.stringify(kept.value)).not.toContain(script);
  const again = new ClientChoices({ choices: kept, asked });
  expect(again.of(server().definition)).toBe('both');
  await harness.write(folder, { memory: { ...memory, args: [...memory.args, 'more'] } });
  await service.reload();
  expect(again.of(server().definition)).toBeUndefined();
  await harness.write(folder, { memory });
  await service.reload();
});

it('is left to the other one by a switch in a file of the user’s own', async () => {
  const { id } = server();
  await service.configuration.setEnabledIn(id, folder.uri, false, 'local');
  await choices.choose(server().definition, 'left');
  expect(server().state.value.kind).toBe('disabled');
  expect(choices.of(server().definition)).toBe('left');
  await service.configuration.setEnabled(id, true);
  expect(choices.of(server().definition)).toBeUndefined();
});
