/** Recordings of three real servers, served by the command line as it is packaged, to clients of the official SDKs. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CoreHarness, everything, filesystem, isAlive, memory } from '../helpers/coreHarness.js';
import { connectClient, textsOf } from '../helpers/gateway/gatewayHarness.js';
import { connectTo, listAll, recordServers } from '../helpers/recordings.js';
import { useScript } from '../helpers/script.js';

const script = useScript('src/cli.ts', 'cjs');
const servers = { everything, memory, filesystem };
type Name = keyof typeof servers;
const names = Object.keys(servers) as Name[];

const book = 'a line of a book\n'.repeat(20_000);
const hello = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 't', version: '1' },
};

let harness: CoreHarness;
let recordings: Readonly<Record<Name, string>>;
let clients: { close(): Promise<void> }[] = [];
let children: ChildProcess[] = [];

beforeAll(async () => {
  harness = await CoreHarness.create();
  await writeFile(join(harness.root, 'note.txt'), 'a note');
  await writeFile(join(harness.root, 'book.txt'), book);
  const MEMORY_FILE_PATH = join(harness.root, 'graph.jsonl');
  const graph = { ...memory, env: { MEMORY_FILE_PATH } };
  const files = { ...filesystem, args: [...filesystem.args.slice(0, 1), harness.root] };
  recordings = await recordServers(
    harness,
    { everything, memory: graph, filesystem: files },
    {
      everything: async (server) => {
        await server.callTool('echo', { message: 'hello' });
        await server.callTool('get-sum', { a: 1, b: 2 });
        await server.callTool('get-structured-content', { location: 'Chicago' });
        await server.getPrompt('args-prompt', { city: 'Oslo' });
        await server.readResource('demo://resource/dynamic/text/1');
      },
      memory: async (server) => {
        await server.callTool('read_graph', {});
        const ada = { name: 'Ada', entityType: 'person', observations: ['codes'] };
        await server.callTool('create_entities', { entities: [ada] });
        await server.callTool('read_graph', {});
      },
      filesystem: async (server) => {
        await server.callTool('read_text_file', { path: join(harness.root, 'note.txt') });
        await server.callTool('read_text_file', { path: join(harness.root, 'book.txt') });
      },
    },
  );
});
afterEach(async () => {
  await Promise.all(clients.map((client) => client.close()));
  clients = [];
  for (const child of children) {
    child.kill('SIGKILL');
  }
  children = [];
});
afterAll(() => harness.dispose());

const launchOf = (path: string, ...options: readonly string[]) => ({
  command: process.execPath,
  args: [script.path, 'mock', path, ...options],
});

async function open(launch: Parameters<typeof connectTo>[0]): Promise<Client> {
  const client = await connectTo(launch);
  clients.push(client);
  return client;
}

async function startHttp(path: string, ...options: readonly string[]) {
  const { command, args } = launchOf(path, '--http', '--json', ...options);
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  children.push(child);
  const [line] = await once(createInterface(child.stdout), 'line');
  const shown = JSON.parse(line) as { url: string; token: string; pid: number };
  const requestInit = { headers: { Authorization: `Bearer ${shown.token}` } };
  return { child, shown, requestInit };
}

const textOf = (result: unknown) => textsOf(result).join('\n');

describe.each(names)('%s, over stdio', (name) => {
  it('introduces itself and lists as the server does', async () => {
    const [real, mock] = await Promise.all([
      open(name === 'filesystem' ? { ...filesystem } : servers[name]),
      open(launchOf(recordings[name])),
    ]);
    const lists = await listAll(mock);
    expect(lists.tools?.length).toBeGreaterThan(5);
    expect(lists).toEqual(await listAll(real));
  });
});

describe('calls', () => {
  it('are answered as they were, also with other arguments of the same shape', async () => {
    const client = await open(launchOf(recordings.everything));
    await client.listTools();
    const call = async (tool: string, args: Record<string, unknown>) =>
      textOf(await client.callTool({ name: tool, arguments: args }));
    expect(await call('echo', { message: 'hello' })).toBe('Echo: hello');
    expect(await call('echo', { message: 'other' })).toBe('Echo: hello');
    expect(await call('get-sum', { b: 2, a: 1 })).toContain('3');
    const weather = { name: 'get-structured-content', arguments: { location: 'Chicago' } };
    expect((await client.callTool(weather)).structuredContent).toMatchObject({
      temperature: expect.any(Number),
    });
    await expect(client.callTool({ name: 'echo', arguments: { message: 1 } })).rejects.toThrow(
      'The recording has no answer to this request: tools/call echo',
    );
    await expect(client.callTool({ name: 'none' })).rejects.toMatchObject({ code: -32602 });
  });

  it('of prompts and resources too', async () => {
    const client = await open(launchOf(recordings.everything));
    const prompt = await client.getPrompt({ name: 'args-prompt', arguments: { city: 'Oslo' } });
    expect(JSON.stringify(prompt.messages)).toContain('Oslo');
    const uri = 'demo://resource/dynamic/text/1';
    expect((await client.readResource({ uri })).contents).toMatchObject([{ uri }]);
    await expect(client.readResource({ uri: `${uri}2` })).rejects.toThrow('has no answer');
  });

  it('that changed something are answered in turn', async () => {
    const client = await open(launchOf(recordings.memory));
    const read = async () => textOf(await client.callTool({ name: 'read_graph', arguments: {} }));
    expect(await read()).not.toContain('Ada');
    expect(await read()).toContain('Ada');
    expect(await read()).toContain('Ada');
  });

  it('read no file but the recording', async () => {
    const client = await open(launchOf(recordings.filesystem));
    const read = (path: string) => client.callTool({ name: 'read_text_file', arguments: { path } });
    expect(textOf(await read(join(harness.root, 'note.txt')))).toBe('a note');
    expect(textOf(await read('/etc/hostname'))).toBe('a note');
  });

  it('are answered whole, however long the answer is', async () => {
    const client = await open(launchOf(recordings.filesystem));
    const path = join(harness.root, 'book.txt');
    const answer = textOf(await client.callTool({ name: 'read_text_file', arguments: { path } }));
    expect(answer).toBe(book);
  });

  it('of an unknown method are refused as such', async () => {
    const client = await open(launchOf(recordings.memory));
    await expect(client.setLoggingLevel('info')).rejects.toThrow();
    const { shown, requestInit } = await startHttp(recordings.memory);
    const headers = {
      ...requestInit.headers,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    };
    const ask = (method: string, params: unknown, session: Record<string, string> = {}) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method, params });
      return fetch(shown.url, { method: 'POST', headers: { ...headers, ...session }, body });
    };
    const opened = await ask('initialize', hello);
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    expect(await (await ask('tools/list', {}, session)).text()).toContain('read_graph');
    for (const method of ['prompts/list', 'own/thing', '__proto__']) {
      expect(await (await ask(method, {}, session)).json()).toMatchObject({
        id: 7,
        error: { code: -32601 },
      });
    }
  });
});

describe('over HTTP', () => {
  it.each(names)('%s is served to clients of both generations', async (name) => {
    const { shown, requestInit } = await startHttp(recordings[name]);
    const url = new URL(shown.url);
    expect(url.hostname).toBe('127.0.0.1');
    const older = await connectClient(url, shown.token);
    clients.push(older);
    const modern = new ModernClient(
      { name: 'tester', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    await modern.connect(new ModernTransport(url, { requestInit }));
    clients.push(modern);
    const real = await open(launchOf(recordings[name]));
    const { tools } = await real.listTools();
    expect((await older.listTools()).tools).toEqual(tools);
    expect((await modern.listTools()).tools.map((tool) => tool.name)).toEqual(
      tools.map((tool) => tool.name),
    );
    expect(older.getServerVersion()).toEqual(real.getServerVersion());
  });

  it('ends with its input, and leaves nothing', async () => {
    const { child, shown } = await startHttp(recordings.memory);
    child.stdin?.end();
    const [status] = await once(child, 'close');
    expect(status).toBe(0);
    expect(isAlive(shown.pid)).toBe(false);
  });
});

describe('the process', () => {
  it('answers what was asked before its input ended, and ends', async () => {
    const { command, args } = launchOf(recordings.memory);
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    children.push(child);
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stdin.end(
      `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello })}\n${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' })}\n`,
    );
    const [status] = await once(child, 'close');
    expect(status).toBe(0);
    const answers = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers).toMatchObject([
      { id: 1, result: { serverInfo: { name: 'memory-server' } } },
      { id: 2, result: { tools: expect.any(Array) } },
    ]);
  });

  it.each([
    ['no recording', '{"mcpServers":{}}', 1, 'not a recording'],
    ['nothing', undefined, 2, 'ENOENT'],
  ])('says that %s is no recording', async (_what, text, exitCode, message) => {
    const path = join(harness.root, 'other.jsonl');
    const { command, args } = launchOf(text === undefined ? `${path}.none` : path);
    await writeFile(path, text ?? '');
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    children.push(child);
    let error = '';
    child.stderr.on('data', (chunk) => {
      error += chunk;
    });
    const [status] = await once(child, 'close');
    expect(status).toBe(exitCode);
    expect(error).toContain(message);
  });
});
