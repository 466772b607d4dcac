/** Servers of models on loopback, in the shapes that Ollama, LM Studio and llama.cpp document, and Pi's own file. */
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { serverAddresses } from '../../src/agent/models/servers/modelServer.js';
import { findModelServers } from '../../src/agent/models/servers/modelServers.js';
import type { JsonObject } from '../../src/base/json.js';
import { useAgentHarness } from '../helpers/fakes/useAgentHarness.js';

const harness = useAgentHarness();
const servers: Server[] = [];
const never = new AbortController().signal;

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** @param answers by path; a missing one is answered with 404. @param key that it wants */
async function serve(answers: Readonly<Record<string, unknown>>, key?: string) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.headers.authorization ?? 'no key'} ${request.url}`);
    const answer = answers[request.url ?? ''];
    const isRefused = key !== undefined && request.headers.authorization !== `Bearer ${key}`;
    response.writeHead(isRefused ? 401 : answer === undefined ? 404 : 200);
    response.end(isRefused || answer === undefined ? '{}' : JSON.stringify(answer));
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, asked, url: `http://127.0.0.1:${port}` };
}

async function closed(server: Server) {
  const end = once(server, 'close');
  server.closeAllConnections();
  server.close();
  await end;
}

const list = (...models: readonly JsonObject[]) => ({ object: 'list', data: models });
const ollama = {
  '/v1/models': list({ id: 'qwen3:8b', owned_by: 'library' }, { id: 'nomic-embed-text:latest' }),
  '/api/tags': { models: [{ name: 'qwen3:8b' }] },
  '/api/show': {
    model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': 40_960 },
    capabilities: ['completion', 'tools', 'thinking'],
  },
};

it('finds the servers of this machine that answer, with what their models can', async () => {
  const found = [
    await serve(ollama),
    await serve({
      '/v1/models': list({ id: 'gemma' }, { id: 'text-embedding-nomic' }),
      '/api/v0/models': list(
        { id: 'gemma', type: 'vlm', max_context_length: 131_072, loaded_context_length: 8_192 },
        { id: 'text-embedding-nomic', type: 'embeddings' },
      ),
    }),
    await serve({
      '/v1/models': list({ id: 'model.gguf', owned_by: 'llamacpp', meta: { n_ctx_train: 32_768 } }),
      '/props': { default_generation_settings: { n_ctx: 4_096 }, modalities: { vision: false } },
    }),
    await serve({}),
  ];
  const models = await findModelServers(never, [...found.map(({ port }) => port), 1]);
  expect(models.map(({ name, models: served }) => [name, served])).toEqual([
    ['Ollama', [{ id: 'qwen3:8b', contextWindow: 40_960, takesImages: false, thinks: true }]],
    ['LM Studio', [{ id: 'gemma', contextWindow: 8_192, takesImages: true, thinks: false }]],
    ['llama.cpp', [{ id: 'model.gguf', contextWindow: 4_096, takesImages: false, thinks: false }]],
  ]);
});

it('adds a server beside what the user wrote, and to a known one only what it lacks', async () => {
  const h = await harness({ hasModel: false });
  const { url } = await serve(ollama);
  const written =
    '{\n  // mine\n  "providers": {\n    "lab": { "baseUrl": "https://lab.example/v1" }, // kept\n  }\n}\n';
  await writeFile(
    h.modelsPath,
    written.replace('},\n  }', '}\n  }').replace(' }, // kept', ' } // kept'),
  );
  const server = await h.panel.servers.read(url, undefined, never);
  expect(await h.panel.servers.add(server)).toBe('ollama');
  const text = await readFile(h.modelsPath, 'utf8');
  expect(text).toContain('// mine');
  expect(text).toContain('"lab": { "baseUrl": "https://lab.example/v1" }');
  expect(text).toContain('// kept');
  const more = {
    ...server,
    models: [...server.models, { id: 'new', takesImages: true, thinks: false }],
  };
  expect(await h.panel.servers.add(more)).toBe('ollama');
  const again = await readFile(h.modelsPath, 'utf8');
  expect(again.match(/qwen3:8b/g)).toHaveLength(1);
  expect(again).toContain('"new"');
  const elsewhere = { ...server, baseUrl: 'http://127.0.0.1:1/v1' };
  expect(await h.panel.servers.add(elsewhere)).toBe('ollama-2');
});

it('is usable at once', async () => {
  const h = await harness({ hasModel: false });
  expect((await h.panel.ensureSession()).state.status).toBe('unavailable');
  const server = await h.panel.servers.read(h.demo.url, undefined, never);
  const provider = await h.panel.servers.add(server);
  await h.panel.selectModel(provider, 'demo-1');
  const { transcript } = await h.say('hello');
  expect(transcript.at(-1)).toMatchObject({ kind: 'assistant' });
});

it('asks for a key, and keeps it where Pi keeps keys', async () => {
  const h = await harness({ hasModel: false });
  const { url, asked } = await serve(
    { '/v1/models': list({ id: 'private' }) },
    'not-a-real-key-77',
  );
  const read = (key?: string) => h.panel.servers.read(url, key, never);
  await expect(read()).rejects.toMatchObject({ code: 'model_server_key' });
  await expect(read('wrong')).rejects.toThrow('wants a valid API key');
  const server = await read('not-a-real-key-77');
  // other questions than that for the models carry no key
  expect(asked.filter((one) => !one.endsWith('/v1/models'))).toEqual([]);
  const provider = await h.panel.servers.add(server, 'not-a-real-key-77');
  expect(await readFile(h.modelsPath, 'utf8')).not.toContain('not-a-real-key');
  expect(await readFile(join(h.agentDir, 'auth.json'), 'utf8')).toContain('not-a-real-key-77');
  expect(h.panel.models.map(({ id }) => id)).toContain('private');
  expect(JSON.stringify([h.panel.snapshot(), h.logged])).not.toContain('not-a-real-key');
  await h.panel.selectModel(provider, 'private');
  expect(h.panel.snapshot().state.model?.id).toBe('private');
});

it('says in words what is wrong with an address', async () => {
  const h = await harness({ hasModel: false });
  const read = (address: string) => h.panel.servers.read(address, undefined, never);
  await expect(read('ftp://example.com')).rejects.toMatchObject({ code: 'model_server_address' });
  await expect(read('http://me:secret@localhost')).rejects.toMatchObject({
    code: 'model_server_address',
  });
  const gone = await serve({});
  await new Promise((resolve) => servers.pop()?.close(resolve));
  await expect(read(gone.url)).rejects.toThrow(`${gone.url} cannot be reached (ECONNREFUSED).`);
  const wrong = await serve({ '/': 'hello' });
  await expect(read(`${wrong.url}/somewhere`)).rejects.toMatchObject({ code: 'model_server_path' });
  const empty = await serve({ '/v1/models': list({ id: 'nomic-embed-text' }) });
  await expect(read(empty.url)).rejects.toMatchObject({ code: 'model_server_empty' });
  const hidden = await serve({ '/v1/models': list({ id: 'good\u202eevil' }, { id: 7 }) });
  await expect(read(hidden.url)).rejects.toMatchObject({ code: 'model_server_empty' });
});

it('writes nothing to a file with an error', async () => {
  const h = await harness({ hasModel: false });
  await writeFile(h.modelsPath, '{ "providers": {');
  const { url } = await serve(ollama);
  const server = await h.panel.servers.read(url, undefined, never);
  await expect(h.panel.servers.add(server)).rejects.toMatchObject({ code: 'config_broken' });
  expect(await readFile(h.modelsPath, 'utf8')).toBe('{ "providers": {');
});

it('reads the addresses that people paste', () => {
  expect(serverAddresses('localhost:1234')).toEqual([
    'http://localhost:1234/v1',
    'http://localhost:1234',
  ]);
  expect(serverAddresses('https://a.example/api/v1/chat/completions')).toEqual([
    'https://a.example/api/v1',
  ]);
  expect(serverAddresses(' http://a.example/v1/models/ ')).toEqual(['http://a.example/v1']);
});

it('is named among the ways to a first model once it answers, and is none that is made up', async () => {
  const { port } = await serve(ollama);
  const h = await harness({ hasModel: false, localModelPorts: [port] });
  await h.panel.ensureSession();
  const wayOf = (kind: string) =>
    h.panel.snapshot().state.problem?.ways?.find((way) => way.kind === kind);
  await h.until('the server', () => wayOf('local')?.text.includes('Ollama') ?? false);
  expect(wayOf('local')).toMatchObject({
    text: expect.stringContaining('Ollama: 1 model'),
    choices: [{ label: 'Choose Model…' }],
  });
  expect(h.panel.snapshot().state.problem?.ways?.map(({ kind }) => kind)).toEqual([
    'local',
    'account',
    'apiKey',
    'server',
  ]);
  expect(wayOf('account')?.choices[0]).toEqual({ label: 'Claude Pro/Max', provider: 'anthropic' });
  expect(wayOf('apiKey')?.choices.at(-1)).toEqual({ label: 'More…' });
  // it goes away again
  await Promise.all(servers.map((server) => closed(server)));
  await h.panel.reloadModels();
  await h.until('nobody', () => wayOf('local')?.text.includes('Asked: Ollama') ?? false);
  expect(wayOf('local')?.choices).toEqual([{ label: 'Find Local Models…' }]);
});

it('asks nothing of this machine in Restricted Mode, nor while there is a model', async () => {
  const { port, asked } = await serve(ollama);
  const restricted = await harness({
    hasModel: false,
    isTrusted: false,
    localModelPorts: [port],
  });
  await restricted.panel.ensureSession();
  const ways = restricted.panel.snapshot().state.problem?.ways;
  expect(ways?.find(({ kind }) => kind === 'local')?.text).toBe(
    'It costs nothing, and nothing leaves the machine.',
  );
  await restricted.dispose();
  const h = await harness({ localModelPorts: [port] });
  await h.panel.ensureSession();
  expect(h.panel.snapshot().state.status).toBe('ready');
  expect(asked).toEqual([]);
});
