/** Where servers are told that they may work: the field `roots`, with real servers. */
import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WorkspaceFolder } from '../../src/config/definition.js';
import { nullLoggers } from '../../src/config/ports.js';
import type { McpServer, McpService } from '../../src/mcp/mcpApi.js';
import { filesystem, find, pidOf, reach, useCoreHarness } from '../helpers/coreHarness.js';

const runs = 5;
const [filesystemScript = ''] = filesystem.args;
const asking = {
  command: process.execPath,
  args: [resolve('test/fixtures/servers/asking.mjs')],
};

const harness = useCoreHarness();
let folder: WorkspaceFolder;
let data: string;

beforeEach(async () => {
  data = join(await realpath(harness.root), 'data');
  await mkdir(data);
  await writeFile(join(data, 'note.txt'), 'of the data');
});

afterEach(() => harness.dispose());

async function open(entry: object, local?: object): Promise<McpService> {
  folder = await harness.addFolder('work', { fs: entry });
  await mkdir(inFolder('inner'));
  await writeFile(inFolder('note.txt'), 'of the folder');
  await writeFile(inFolder('inner', 'note.txt'), 'of the inner folder');
  if (local) {
    await harness.writeLocal(folder, { fs: local });
  }
  const service = await harness.start();
  await service.trust.trustFolder(folder.uri);
  return service;
}

const inFolder = (...path: readonly string[]) => join(folder.fsPath ?? '', ...path);

/** What the first calls after a start see of the two places. */
async function readBoth(server: McpServer): Promise<readonly string[]> {
  const read = async (path: string) => {
    const { isError, content } = await server.callTool('read_text_file', { path });
    const text = content.map((part) => ('text' in part ? part.text : '')).join('');
    return isError ? 'refused' : text;
  };
  return Promise.all([read(join(data, 'note.txt')), read(inFolder('note.txt'))]);
}

async function readInEveryRun(service: McpService): Promise<readonly string[]> {
  const server = find(service, 'fs');
  const seen: string[] = [];
  for (let run = 0; run < runs; run++) {
    await server.restart();
    seen.push((await readBoth(server)).join(', '));
  }
  expect(seen).toHaveLength(runs);
  return [...new Set(seen)];
}

describe('the filesystem server', { timeout: 120_000 }, () => {
  const launch = () => ({ command: process.execPath, args: [filesystemScript, data] });
  it.each([
    ['its own arguments', undefined, 'of the data, refused'],
    ['no roots', 'none', 'of the data, refused'],
    ['the folder', 'folder', 'refused, of the folder'],
  ] as const)('with %s sees the same in every run', async (_what, roots, seen) => {
    const service = await open({ ...launch(), ...(roots && { roots }) });
    expect(await readInEveryRun(service)).toEqual([seen]);
  });

  it('without arguments works in the folder from its first call on', async () => {
    const service = await open({ command: process.execPath, args: [filesystemScript] });
    expect(await readInEveryRun(service)).toEqual(['refused, of the folder']);
  });

  it('sees the folders that the user names in a file of their own', async () => {
    const service = await open(launch(), { roots: ['${workspaceFolder}', data] });
    expect(await readInEveryRun(service)).toEqual(['of the data, of the folder']);
  });
});

async function ask(server: McpServer, tool: 'roots' | 'capabilities' | 'rootsChanged') {
  const { content } = await server.callTool(tool, {});
  const [part] = content;
  return JSON.parse(part && 'text' in part ? String(part.text) : 'null');
}

const told = async (service: McpService, name = 'fs') => {
  const server = find(service, name);
  const { roots } = await ask(server, 'capabilities');
  const listed: readonly { uri: string }[] = roots
    ? (await ask(server, 'roots')).roots
    : [{ uri: 'none' }];
  return listed.map(({ uri }) => uri);
};
const uriOf = (path: string) => pathToFileURL(path).toString();

describe('a server that asks', () => {
  it.each([
    [undefined, () => [folder.uri]],
    ['folder', () => [folder.uri]],
    ['none', () => ['none']],
    [[], () => []],
    [['inner', '.', './inner'], () => [uriOf(inFolder('inner')), folder.uri]],
    [['${workspaceFolder}/inner'], () => [uriOf(inFolder('inner'))]],
    [['gone'], () => []],
  ] as const)('with roots %j is told of what they name', async (roots, expected) => {
    const service = await open({ ...asking, ...(roots && { roots }) });
    expect(await told(service)).toEqual(expected());
  });

  it('is told of folders anywhere by the file of its user', async () => {
    harness.variables = { DATA: data };
    await mkdir(join(harness.root, 'home', 'notes'));
    const service = await open(asking, { roots: ['${env:DATA}', '~/notes', 'inner'] });
    expect(await told(service)).toEqual(
      [data, join(harness.root, 'home', 'notes'), inFolder('inner')].map(uriOf),
    );
  });

  it('does not start while a variable of its user is not set', async () => {
    const service = await open(asking, { roots: ['${env:NOT_SET}'] });
    await expect(find(service, 'fs').ensureConnected()).rejects.toThrow(/roots\[0\].*NOT_SET/);
  });

  it('connects anew for other roots, and not for the same', async () => {
    const service = await open({ ...asking, roots: 'none' });
    const server = find(service, 'fs');
    expect(await told(service)).toEqual(['none']);
    const before = pidOf(server);
    await harness.write(folder, { fs: { ...asking, roots: 'none', debug: true } });
    await service.reload();
    expect(pidOf(server)).toBe(before);
    await harness.write(folder, { fs: { ...asking, roots: ['inner'] } });
    await service.reload();
    await reach(server, 'connected');
    expect(pidOf(server)).not.toBe(before);
    expect(await told(service)).toEqual([uriOf(inFolder('inner'))]);
  });

  it('of the user is told of each folder of the workspace, and of changes', async () => {
    await harness.writeGlobal({ mine: { ...asking, roots: ['${workspaceFolder}', data] } });
    const service = await open(asking);
    const other = await harness.addFolder('other', {});
    await service.reload();
    const server = find(service, 'mine');
    expect(await told(service, 'mine')).toEqual([folder.uri, other.uri, uriOf(data)]);
    expect(await told(service)).toEqual([folder.uri]);
    const before = await ask(server, 'rootsChanged');
    harness.removeFolder(other);
    while ((await ask(server, 'rootsChanged')) === before) {
      // each answer is an event of the server
    }
    expect(await told(service, 'mine')).toEqual([folder.uri, uriOf(data)]);
  });
});

/** Takes its roots some time after it got them, as a server that looks at each folder does. */
const slowRoots = `
let roots = 'none yet';
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (method === 'initialize') {
    const { protocolVersion } = params;
    const serverInfo = { name: 'slow', version: '1' };
    send({ id, result: { protocolVersion, serverInfo, capabilities: { tools: {} } } });
  } else if (method?.startsWith('notifications/')) {
    if (/initialized|roots/.test(method)) send({ id: 'roots', method: 'roots/list' });
  } else if (method === 'tools/list') {
    send({ id, result: { tools: [{ name: 'roots', inputSchema: { type: 'object' } }] } });
  } else if (method === 'tools/call') {
    send({ id, result: { content: [{ type: 'text', text: roots }] } });
  } else if (method) {
    send({ id, result: {} });
  } else {
    setTimeout(() => { roots = result.roots.map(({ name }) => name).join(' '); }, 15);
  }
});`;

describe('a server that looks at its roots before they count', () => {
  const slow = { command: process.execPath, args: ['-e', slowRoots] };
  const call = async (server: McpServer) => {
    const [part] = (await server.callTool('roots', {})).content;
    return part && 'text' in part ? part.text : undefined;
  };

  it('has them when it is called first', async () => {
    const service = await open(slow);
    const server = find(service, 'fs');
    const seen = new Set<unknown>();
    for (let run = 0; run < runs; run++) {
      await server.restart();
      const answers = await Promise.all([call(server), call(server)]);
      seen.add(answers.join());
    }
    expect([...seen]).toEqual(['work,work']);
  });

  it('has the others when it is called after a change', async () => {
    await harness.writeGlobal({ mine: slow });
    const service = await open(slow);
    const server = find(service, 'mine');
    expect(await call(server)).toBe('work');
    await harness.addFolder('other', {});
    expect(await call(server)).toBe('work other');
  });
});

it('says in the log which folder a server is not told of, and why', async () => {
  folder = await harness.addFolder('work', { fs: { ...asking, roots: ['out', 'inner'] } });
  await symlink(data, inFolder('out'));
  const lines: string[] = [];
  const logger = { log: (_level: string, line: string) => void lines.push(line) };
  const service = await harness.start(undefined, {
    loggers: { ...nullLoggers, forServer: () => logger },
  });
  await service.trust.trustFolder(folder.uri);
  await find(service, 'fs').ensureConnected();
  expect(lines.filter((line) => line.includes('"roots"'))).toEqual([
    expect.stringMatching(/not told of a folder\. out \(.*work\/out\) leads out .*Name a folder/),
    expect.stringMatching(/not told of a folder\. The folder "inner" does not exist\./),
  ]);
});
