/** The log of calls, with a real server and everybody who calls it. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { CallFiles, callLogDirectory } from '../../src/mcp/callLog/callFiles.js';
import type { McpServer, McpService } from '../../src/mcp/mcpApi.js';
import { sendAgain } from '../../src/presentation/inspector/replay.js';
import { useCommandLine } from '../helpers/commandLine.js';
import { CoreHarness, everything, find } from '../helpers/coreHarness.js';
import { createAgentHarness } from '../helpers/fakes/agentHarness.js';
import { GatewayHarness } from '../helpers/gateway/gatewayHarness.js';

const cli = useCommandLine();
let core: CoreHarness;
let files: CallFiles;

beforeEach(async () => {
  core = await CoreHarness.create();
  onTestFinished(() => core.dispose());
  files = new CallFiles(callLogDirectory(core.environment));
});

async function open(keepDays = 7): Promise<{ service: McpService; server: McpServer }> {
  const service = core.open(undefined, { callLog: { files, keepDays: () => keepDays } });
  await service.whenStarted();
  return { service, server: find(service, 'all') };
}

/** All that is logged, once the window is closed. */
async function logged() {
  await core.closeAll();
  return (await files.read({ since: 0, folders: [undefined], most: 100 })).calls;
}

const count = { count: () => undefined };

describe('a call', () => {
  beforeEach(() => core.writeGlobal({ all: everything }));

  it('is logged with how it ended, by hand and when it is sent again', async () => {
    const { server } = await open();
    const args = { message: 'hello' };
    await server.callTool('echo', args);
    await server.callTool('no-such-tool', {}).catch(() => undefined);
    await server.callTool('echo', args, { signal: AbortSignal.abort() }).catch(() => undefined);
    const replayed = { method: 'tools/call', params: { name: 'echo', arguments: args } };
    await sendAgain(server, replayed, count);
    const calls = await logged();
    expect(calls).toMatchObject([
      { by: 'person', server: 'all', tool: 'echo', arguments: args, outcome: 'ok' },
      { by: 'person', tool: 'no-such-tool' },
      { by: 'person', tool: 'echo', outcome: 'cancelled', size: 0 },
      { by: 'replay', tool: 'echo', outcome: 'ok' },
    ]);
    expect(calls[1]?.outcome).not.toBe('ok');
    expect(calls[0]?.folder).toBeUndefined();
    expect(calls[0]?.size).toBeGreaterThan(20);
  });

  it('is logged nowhere as long as the user does not want that', async () => {
    const { server } = await open(0);
    await server.callTool('echo', { message: 'hello' });
    expect(await logged()).toEqual([]);
    await expect(readdir(files.directory)).rejects.toThrow('ENOENT');
  });

  it('of the agent is logged with the conversation, and with what allowed it', async () => {
    const { service } = await open();
    const agent = await createAgentHarness({ service });
    onTestFinished(() => agent.dispose());
    const ask = 'call all__echo {"message": "hi"}';
    await agent.panel.prompt(ask);
    await agent.answer('session');
    await agent.say(ask);
    const calls = await logged();
    expect(calls).toMatchObject([
      { by: 'agent', tool: 'echo', approval: 'user', arguments: { message: 'hi' } },
      { by: 'agent', tool: 'echo', approval: 'rule' },
    ]);
    expect(calls[0]?.rule).toMatch(/^conversation; conversation: all\/echo, /);
    expect(calls[1]?.rule).toMatch(/^conversation: all\/echo, /);
    expect(calls[0]?.name).toMatch(/./);
    expect(calls[0]?.name).toBe(calls[1]?.name);
  });

  it('of a model that reads a resource is logged, and reading by hand is not', async () => {
    const { service, server } = await open();
    await server.ensureConnected();
    const { uri = '' } = server.catalog.value.resources.find(({ name }) => name) ?? {};
    await server.readResource(uri);
    const agent = await createAgentHarness({ service });
    onTestFinished(() => agent.dispose());
    await agent.panel.prompt(`call all__read_resource ${JSON.stringify({ uri })}`);
    await agent.answer('once');
    expect(await logged()).toMatchObject([
      { by: 'agent', tool: 'resources/read', arguments: { uri }, outcome: 'ok', rule: 'once' },
    ]);
  });
});

it.each([
  ['asked the person', () => Promise.resolve(), { approval: 'user' }],
  ['asked nobody', () => undefined, { approval: 'setting', rule: 'piMcp.gateway.approvals' }],
  ['leaves it to its client', undefined, { approval: 'client' }],
])(
  'a call of a program is logged with its name, where the gateway %s',
  async (_how, approve, by) => {
    const harness = await GatewayHarness.create({ all: everything }, undefined, undefined, files);
    onTestFinished(() => harness.dispose());
    const gateway = await harness.start({ approve });
    const client = await harness.connect(gateway, 'all', 'claude-code');
    await client.callTool({ name: 'echo', arguments: { message: 'hello' } });
    await harness.core.closeAll();
    const { fsPath } = harness.folder;
    const { calls } = await files.read({ since: 0, folders: [fsPath], most: 10 });
    expect(calls).toMatchObject([
      { by: 'gateway', name: 'claude-code', folder: fsPath, tool: 'echo', outcome: 'ok', ...by },
    ]);
  },
);

describe('the command line', () => {
  let folder: string;

  beforeEach(async () => {
    await core.writeGlobal({ all: everything });
    folder = join(core.root, 'work');
    await mkdir(folder);
  });

  const run = (...args: readonly string[]) => cli(core.root, [...args, '--folder', folder]);
  const json = (...args: readonly string[]) => run(...args, '--json').document();

  it('logs its calls when the setting of the editor says so, and shows them', async () => {
    await run('call', 'all', 'echo', '{"message": "before"}').ended;
    await files.storeKeepDays(2);
    await run('call', 'all', 'echo', '{"message": "after"}').ended;
    expect(await json('log', '--since', '1d', '--server', 'all')).toMatchObject({
      status: 0,
      document: {
        calls: [
          { by: 'commandLine', tool: 'echo', arguments: { message: 'after' }, outcome: 'ok' },
        ],
        skipped: 0,
        isPart: false,
      },
    });
    const { out } = await run('log').ended;
    expect(out).toMatch(
      /^2\S+Z {2}commandLine {2}all\/echo {2}ok {2}\d+ ms {2}\{"message":"after"\}\n$/,
    );
    const csv = await run('log', '--format', 'csv').ended;
    expect(csv.out).toMatch(
      /^time,by,.*\n"2\S+Z","commandLine",.*"\{""message"":""after""\}","ok",/,
    );
    const lines = await run('log', '--format', 'jsonl').ended;
    expect(JSON.parse(lines.out)).toMatchObject({ tool: 'echo' });
    // also of a server that is gone
    await core.writeGlobal({});
    expect(await json('log', '--server', 'all')).toMatchObject({ document: { calls: [{}] } });
    expect(await json('log', '--server', 'other')).toMatchObject({ document: { calls: [] } });
  });

  it('says how the log is switched on, and what a time looks like', async () => {
    const { out } = await run('log').ended;
    expect(out).toContain('"piMcp.log.keepDays"');
    const { status, error } = await run('log', '--since', 'yesterday').ended;
    expect({ status, error }).toMatchObject({ status: 2, error: expect.stringContaining('30m') });
  });

  it('goes on after a line that was cut off', async () => {
    await files.append(undefined, Date.now(), '{"time":"2026-');
    await files.append(undefined, Date.now(), '\n');
    await files.storeKeepDays(1);
    await run('call', 'all', 'echo', '{"message": "x"}').ended;
    expect(await json('log')).toMatchObject({
      document: { calls: [{ tool: 'echo' }], skipped: 1 },
    });
    expect(await readFile(join(files.directory, 'keep.json'), 'utf8')).toBe('{"keepDays":1}\n');
    await writeFile(join(files.directory, 'keep.json'), 'broken');
    await run('call', 'all', 'echo', '{"message": "y"}').ended;
    expect(await json('log')).toMatchObject({ document: { calls: [{ tool: 'echo' }] } });
  });
});
