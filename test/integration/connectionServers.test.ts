import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { McpConnection } from '../../src/mcp/connection/mcpConnection.js';
import {
  callForResult,
  callForText,
  httpLaunch,
  requestOptions,
  stdioLaunch,
  TestConnections,
} from '../fixtures/connections.js';
import { type EverythingHttp, startEverythingHttp } from '../fixtures/everythingHttp.js';

const everything = serverScript('everything');
let connections: TestConnections;

beforeEach(() => {
  connections = new TestConnections();
});

afterEach(async () => {
  await connections.closeAll();
  expect(await connections.processes()).toEqual([]);
});

function serverScript(name: string): string {
  return path.resolve(`node_modules/@modelcontextprotocol/server-${name}/dist/index.js`);
}

async function expectEverything(connection: McpConnection): Promise<void> {
  const { items, notices } = await connection.session.list('tools', requestOptions);
  expect(items.map((tool) => tool.name)).toContain('echo');
  expect(notices).toEqual([]);
  expect(await callForText(connection, 'echo', { message: 'hi' })).toBe('Echo: hi');
  const refused = connection.session.readResource('demo://nothing', requestOptions);
  const error = await refused.catch((reason: unknown) => reason);
  expect(connection.describeError(error)).toMatchObject({
    code: 'server_error',
    // the server writes "MCP error -32602:" before it
    message: 'The server reported an error: Resource demo://nothing not found',
  });
}

describe('server-everything over stdio', () => {
  it('shows all that it offers', async () => {
    const connection = await connections.open(
      stdioLaunch('node', [everything, 'stdio', connections.marker]),
    );
    await expectEverything(connection);
    const { session } = connection;
    expect(session).toMatchObject({
      transport: 'stdio',
      protocolVersion: '2025-11-25',
      serverInfo: { name: 'mcp-servers/everything' },
    });
    const resources = await session.list('resources', requestOptions);
    const [resource] = resources.items;
    expect(resource).toBeDefined();
    expect(await session.readResource(resource?.uri ?? '', requestOptions)).toHaveLength(1);
    expect((await session.list('resourceTemplates', requestOptions)).items.length).toBeGreaterThan(
      0,
    );
    const prompts = await session.list('prompts', requestOptions);
    const simple = prompts.items.find((prompt) => prompt.arguments.length === 0);
    const prompt = await session.getPrompt(simple?.name ?? '', {}, requestOptions);
    expect(prompt.messages.length).toBeGreaterThan(0);
    await session.ping(requestOptions);
  });

  it.each([
    ['sh', ['-c', `node ${everything} stdio MARKER; true`]],
    ['npx', ['--no', '--', 'mcp-server-everything', 'stdio', 'MARKER']],
  ])('works through %s and leaves nothing behind, three times', async (command, template) => {
    const args = template.map((arg) => arg.replace('MARKER', connections.marker));
    for (let round = 0; round < 3; round++) {
      const connection = await connections.open(stdioLaunch(command, args));
      await expectEverything(connection);
      await connection.close();
      expect(await connections.processes()).toEqual([]);
    }
  });
});

describe('server-filesystem and server-memory over stdio', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'servers-')));
  });

  afterEach(async () => {
    await connections.closeAll();
    await rm(folder, { recursive: true });
  });

  it('reads a file that is there', async () => {
    const file = path.join(folder, connections.marker);
    await writeFile(file, 'hello');
    const connection = await connections.open(
      stdioLaunch('node', [serverScript('filesystem'), folder]),
    );
    expect(await callForText(connection, 'read_text_file', { path: file })).toBe('hello');
  });

  it('gets the environment and folder of its launch', async () => {
    const env = { MEMORY_FILE_PATH: path.join(folder, 'memory.json') };
    const connection = await connections.open(
      stdioLaunch('node', [serverScript('memory'), connections.marker], { env, cwd: folder }),
    );
    const entities = [{ name: 'Pi', entityType: 'number', observations: ['irrational'] }];
    await callForResult(connection.session, 'create_entities', { entities }, requestOptions);
    expect(await readFile(env.MEMORY_FILE_PATH, 'utf8')).toContain('irrational');
  });
});

describe('server-everything over HTTP', () => {
  let server: EverythingHttp | undefined;

  afterEach(async () => {
    await connections.closeAll();
    await server?.close();
  });

  it.each([
    ['streamableHttp', 'streamable-http'],
    ['sse', 'sse'],
  ] as const)('speaks to its mode %s', async (mode, transport) => {
    server = await startEverythingHttp(mode, connections.marker);
    const connection = await connections.open(httpLaunch(server.url));
    expect(connection.session.transport).toBe(transport);
    await expectEverything(connection);
  });
});
