/** What a server of models may do that the user adds by its address: with the key, with what it lists, and without end. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isHumanError } from '../../src/base/errors.js';
import { type Answer, Listener } from '../helpers/attacks/listener.js';
import { createSecret, findSecrets } from '../helpers/attacks/secrets.js';
import { useAgentHarness } from '../helpers/fakes/useAgentHarness.js';

const harness = useAgentHarness();
const never = new AbortController().signal;
let server: Listener;
/** Of another origin: nothing may reach it. */
let stranger: Listener;
let secret: string;

beforeEach(async () => {
  server = await Listener.create();
  stranger = await Listener.create();
  secret = createSecret('model');
  // what a header can carry
  secret = secret.replaceAll(/[^\w-]/g, '');
});
afterEach(() => Promise.all([server.close(), stranger.close()]));

const listing =
  (models: readonly unknown[]): Answer =>
  (request, response) => {
    const isList = request.path === '/v1/models';
    response.writeHead(isList ? 200 : 404, { 'content-type': 'application/json' });
    response.end(isList ? JSON.stringify({ object: 'list', data: models }) : '{}');
  };

/** Streams an answer, as the protocol has it. */
const answering: Answer = (request, response) => {
  if (request.path === '/v1/models') {
    listing([{ id: 'good' }])(request, response);
    return;
  }
  const chunk = (delta: object, reason: string | null = null) =>
    `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 0, model: 'good', choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(
    `${chunk({ role: 'assistant', content: 'Here.' })}${chunk({}, 'stop')}data: [DONE]\n\n`,
  );
};

/** Reads the server, and adds what it has; resolves to why not. */
async function add(key?: string) {
  const h = await harness();
  const texts = async () => ({
    'models.json': await readFile(h.modelsPath, 'utf8'),
    log: h.logged.join('\n'),
    page: JSON.stringify(h.panel.snapshot()),
  });
  try {
    const found = await h.panel.servers.read(server.url('v1'), key, never);
    const provider = await h.panel.servers.add(found, key);
    return { h, found, provider, texts };
  } catch (error) {
    return { h, error, texts };
  }
}

it('control: a server without bad will is added, and hears the key and the message', async () => {
  server.answer = answering;
  const { h, provider = '', texts } = await add(secret);
  await h.panel.selectModel(provider, 'good');
  await h.panel.prompt('Where are you?');
  const { transcript } = await h.untilDone();
  expect(transcript.at(-1)).toMatchObject({ kind: 'assistant', text: 'Here.' });
  expect(server.received).toContain(secret);
  expect(server.received).toContain('Where are you?');
  expect(findSecrets(await texts(), { key: secret })).toEqual([]);
  // it is kept where Pi keeps keys
  expect(await readFile(join(h.agentDir, 'auth.json'), 'utf8')).toContain(secret);
});

it('control: who follows the redirect reaches the other origin', async () => {
  server.answer = (_request, response) =>
    void response.writeHead(307, { location: stranger.url('v1/models') }).end();
  await fetch(server.url('v1/models'), { headers: { 'x-key': secret } });
  expect(stranger.received).toContain(secret);
});

it.each([301, 302, 307, 308])('follows no redirect (%i) with the key', async (status) => {
  server.answer = (request, response) =>
    void response.writeHead(status, { location: stranger.url(request.path.slice(1)) }).end();
  stranger.answer = listing([{ id: 'stolen' }]);
  const { error, texts } = await add(secret);
  expect(isHumanError(error) && error.code).toBe('model_server_path');
  expect(server.received).toContain(secret);
  expect(stranger.connections).toBe(0);
  expect(findSecrets(await texts(), { key: secret })).toEqual([]);
});

it('takes no key along to where an answer leads', async () => {
  server.answer = (request, response) => {
    if (request.path === '/v1/models') {
      listing([{ id: 'good' }])(request, response);
    } else {
      response.writeHead(307, { location: stranger.url('v1/chat/completions') }).end();
    }
  };
  stranger.answer = answering;
  const { h, provider = '' } = await add(secret);
  await h.panel.selectModel(provider, 'good');
  await h.panel.prompt('Where are you?');
  await h.untilDone();
  expect(server.received).toContain(secret);
  expect(findSecrets({ stranger: stranger.received }, { key: secret })).toEqual([]);
});

it('says nothing of the key that a server repeats in its refusal', async () => {
  server.answer = (request, response) =>
    void response.writeHead(401).end(`{"error":"bad ${request.headers.authorization}"}`);
  const { error, texts } = await add(secret);
  expect(isHumanError(error) && error.code).toBe('model_server_key');
  expect(server.received).toContain(secret);
  const said = isHumanError(error) ? `${error.message} ${error.remedy}` : String(error);
  expect(findSecrets({ ...(await texts()), said }, { key: secret })).toEqual([]);
});

it('reads no answer without end', async () => {
  const isClosed = new Promise<void>((resolve) => {
    server.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"data":[');
      const more = '{"id":"more"},'.repeat(1_000);
      const write = () => {
        while (!response.destroyed && response.write(more)) {
          // until the other side takes no more
        }
      };
      response.on('drain', write);
      response.on('close', () => resolve());
      write();
    };
  });
  const { h, error } = await add();
  expect(isHumanError(error)).toBe(true);
  await isClosed;
  expect(await readFile(h.modelsPath, 'utf8')).not.toContain('more');
});

it('takes a bounded number of models, each once', async () => {
  const many = Array.from({ length: 20_000 }, (_, at) => ({ id: `m${Math.floor(at / 2)}` }));
  server.answer = listing(many);
  const { found, h } = await add();
  const ids = found?.models.map(({ id }) => id) ?? [];
  expect(ids.length).toBe(200);
  expect(new Set(ids).size).toBe(200);
  expect((await readFile(h.modelsPath, 'utf8')).length).toBeLessThan(100_000);
});

it('takes no ids that look like others, and runs none', async () => {
  const hostile = [
    'gpt\u202Etxt',
    'a\u200Bb',
    'line\nbreak',
    '\u001B[31mred',
    'x'.repeat(5_000),
    '',
    7,
    null,
    { toString: 'a' },
  ];
  server.answer = listing([...hostile.map((id) => ({ id })), { id: '__proto__' }, { id: 'good' }]);
  const { found, h, provider = '' } = await add();
  expect(found?.models.map(({ id }) => id)).toEqual(['__proto__', 'good']);
  expect({}).not.toHaveProperty('takesImages');
  await h.panel.selectModel(provider, '__proto__');
  expect(h.panel.snapshot().state.model).toMatchObject({ provider, id: '__proto__' });
});

it('keeps the environment and commands of the user out of what a server lists', async () => {
  // Pi resolves such values where they stand for a key
  const ids = ['$HOME', '!touch pwned', '${PATH}'];
  server.answer = listing(
    ids.map((id) => ({ id, apiKey: '!touch pwned', baseUrl: stranger.url('v1') })),
  );
  const { h, found, provider = '' } = await add();
  expect(found?.models.map(({ id }) => id)).toEqual(ids);
  const text = await readFile(h.modelsPath, 'utf8');
  expect(text).not.toContain(stranger.url('v1'));
  expect(text).not.toContain('"apiKey": "!touch pwned"');
  await h.panel.selectModel(provider, '!touch pwned');
  await h.panel.prompt('Hello');
  await h.untilDone();
  expect(JSON.parse(server.requests.at(-1)?.body ?? '{}')).toMatchObject({ model: '!touch pwned' });
  expect(stranger.connections).toBe(0);
});

it.each(['anthropic', 'vscode-lm', 'demo', '__proto__', 'constructor'])(
  'takes the place of no other provider: %s',
  async (slug) => {
    server.answer = listing([{ id: 'good' }]);
    const h = await harness();
    await h.panel.ensureSession();
    const found = await h.panel.servers.read(server.url('v1'), undefined, never);
    const before = JSON.parse(await readFile(h.modelsPath, 'utf8')) as { providers: object };
    const provider = await h.panel.servers.add({ ...found, slug });
    expect(provider).not.toBe(slug);
    expect(JSON.parse(await readFile(h.modelsPath, 'utf8'))).toMatchObject(before);
    await h.panel.selectModel(provider, 'good');
    expect(h.panel.snapshot().state.model).toMatchObject({ provider, id: 'good' });
  },
);
