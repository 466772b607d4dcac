/** A newer version that is started once, to be compared: by consent to exactly it, and nothing stays of it. */
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { serverId, type WorkspaceFolder } from '../../src/config/definition.js';
import type { McpServer, McpService } from '../../src/mcp/mcpApi.js';
import { ServerUpdates, type UpdateTrial } from '../../src/presentation/server/serverUpdates.js';
import { isAlive, useCoreHarness } from '../helpers/coreHarness.js';
import { FakeKept } from '../helpers/fakes/fakeKept.js';

const harness = useCoreHarness();
let folder: WorkspaceFolder;
let service: McpService;
let updates: ServerUpdates;

beforeEach(async () => {
  const bin = join(harness.root, 'bin');
  await mkdir(bin);
  await writeUvx('');
  harness.variables = { PATH: `${bin}:${process.env.PATH}` };
  const env = { VERSIONS_NOTES: notes() };
  folder = await harness.addFolder('work', {
    tool: { command: 'uvx', args: ['mcp-tool==1.2'], env },
  });

  service = await harness.start();
  updates = new ServerUpdates({
    service,
    memory: new FakeKept({ 'pypi mcp-tool 1.2': { askedAt: 0, newest: '1.10' } }),
    releases: {
      knows: () => true,
      newest: async () => ({ version: '1.10', asks: { variables: [], args: [] } }),
    },
    mayAsk: () => ({ byItself: true, whenAsked: true }),
    now: () => 0,
    language: 'en',
  });
});
const notes = () => join(harness.root, 'notes');
const started = async () =>
  (await readFile(notes(), 'utf8').catch(() => '')).split('\n').filter(Boolean);
const entries = () => readFile(join(folder.fsPath ?? '', '.mcp.json'), 'utf8');
const server = () => service.getServer(serverId(folder.uri, 'tool')) as McpServer;
const { signal } = new AbortController();

async function writeUvx(more: string): Promise<void> {
  const path = join(harness.root, 'bin', 'uvx');
  const script = resolve('test/fixtures/servers/versions.mjs');
  await writeFile(path, `#!/bin/sh\n${more}\nexec "${process.execPath}" "${script}" "$@"\n`);
  await chmod(path, 0o755);
}

async function connect(): Promise<UpdateTrial> {
  await service.trust.trustServers(folder.uri, await service.trust.pendingConsent(folder.uri));
  await server().ensureConnected();
  const trial = await updates.describeTrial(server());
  if (!trial) {
    throw new Error('There is no newer version');
  }
  return trial;
}

describe('a newer version', () => {
  it('is started once, and told by what its tools say otherwise', async () => {
    const trial = await connect();
    expect(trial.request.description.argv).toEqual(['uvx', 'mcp-tool==1.10']);
    const before = [await service.trust.records(), await entries()];
    await updates.compare(server(), trial, signal);
    const { changes } = updates.facts(server()) ?? { changes: [] };
    expect(changes.map(({ label, text }) => [label, text.split('\n')[0]])).toEqual([
      ['changed', 'search'],
      ['new', 'fresh'],
      ['gone', 'old'],
    ]);
    expect(changes[0]?.text).toContain('before: description: Finds pages.');
    expect(changes[0]?.text).toContain('now: description: Finds CANARY pages.');
    // the process is gone, and nothing else has changed
    const [, last = ''] = await started();
    expect(last).toMatch(/^1\.10 /);
    expect(isAlive(Number(last.split(' ')[1]))).toBe(false);
    expect(server().state.value.kind).toBe('connected');
    expect(JSON.stringify(server().catalog.value)).not.toContain('CANARY');
    expect([await service.trust.records(), await entries()]).toEqual(before);
  });

  it('ends with the window while it starts', async () => {
    const trial = await connect();
    await writeUvx('echo $$ >> "$VERSIONS_NOTES"; exec sleep 600');
    const failed = updates.compare(server(), trial, signal).catch((error: unknown) => error);
    await expect.poll(async () => (await started()).length).toBe(2);
    await harness.close(service);
    expect(await failed).toBeInstanceOf(Error);
    expect(isAlive(Number((await started())[1]))).toBe(false);
  });
});
