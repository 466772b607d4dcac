/** What servers behind a gateway ask reaches the client that has caused it, and no other one. */
import { connect } from 'node:net';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitationCompleteNotificationSchema,
  ElicitRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Gateway } from '../../src/gateway/gateway.js';
import {
  addressOf,
  fixtureServer,
  GatewayHarness,
  headersOf,
  LineTransport,
} from '../helpers/gateway/gatewayHarness.js';

const secret = 'canary-37d1be90-canary';
const form = {
  method: 'elicitation/create',
  params: {
    message: 'Who are you?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
  },
};
const sample = {
  method: 'sampling/createMessage',
  params: {
    messages: [{ role: 'user', content: { type: 'text', text: 'Say something' } }],
    maxTokens: 10,
  },
};
const refused = '{"code":-32601,"message":"Method not found"}';

let harness: GatewayHarness;
let gateway: Gateway;
/** Questions that each client has heard, by its name. */
let heard: string[];
/** Never settles, as a person who is away. */
const away = () => new Promise<never>(() => undefined);

beforeEach(async () => {
  heard = [];
  const env = { API_TOKEN: secret };
  harness = await GatewayHarness.create(
    {
      server: { ...fixtureServer('misbehave'), env },
      offering: fixtureServer('offering'),
      modern: { ...fixtureServer('asking', '--modern'), protocolVersion: '2026-07-28' },
    },
    async () => ({ relays: true }),
  );
  gateway = await harness.start();
});

afterEach(() => harness.dispose());

type Answers = Readonly<Record<string, (params: never, signal: AbortSignal) => object>>;

/** Declares what it answers. */
async function open(
  name: string,
  { elicitation, sampling }: Answers,
  transport = httpTo('server'),
): Promise<Client> {
  const capabilities = {
    ...(elicitation && { elicitation: { form: {}, url: {} } }),
    ...(sampling && { sampling: {} }),
  };
  const client = new Client({ name, version: '1' }, { capabilities });
  const hear = (method: string, params: unknown, signal: AbortSignal, answer: Answers[string]) => {
    heard.push(`${name}: ${method}`);
    return answer(params as never, signal) as never;
  };
  if (elicitation) {
    client.setRequestHandler(ElicitRequestSchema, ({ method, params }, { signal }) =>
      hear(method, params, signal, elicitation),
    );
  }
  if (sampling) {
    client.setRequestHandler(CreateMessageRequestSchema, ({ method, params }, { signal }) =>
      hear(method, params, signal, sampling),
    );
  }
  await client.connect(transport);
  return client;
}

function httpTo(server: string) {
  return new StreamableHTTPClientTransport(addressOf(gateway, server), {
    requestInit: { headers: headersOf(gateway) },
  });
}

const accept = () => ({ action: 'accept', content: { name: 'Ada' } });
const answered = JSON.stringify(accept());
const ask = (question: object = form, prefix = '') => ({
  name: `${prefix}ask`,
  arguments: { ...question },
});

function textOf(result: unknown): string | undefined {
  return (result as { readonly content: readonly { readonly text?: string }[] }).content[0]?.text;
}

describe('the control', () => {
  it('a client of 2025 answers what its call has the server ask', async () => {
    const client = await open('mine', { elicitation: accept });
    expect(textOf(await client.callTool(ask()))).toBe(answered);
    expect(heard).toEqual(['mine: elicitation/create']);
  });

  it('so does one at the socket, and one of 2026-07-28, for a server of either generation', async () => {
    const client = await open(
      'socket',
      { elicitation: accept },
      new LineTransport(connect(gateway.socket)) as never,
    );
    expect(textOf(await client.callTool(ask(form, 'server__')))).toBe(answered);
    await client.close();
    for (const [server, call] of [
      ['server', ask()],
      ['modern', { name: 'form', arguments: {} }],
    ] as const) {
      const modern = new ModernClient(
        { name: 'modern', version: '1' },
        {
          capabilities: { elicitation: { form: {} } },
          versionNegotiation: { mode: { pin: '2026-07-28' } },
        },
      );
      modern.setRequestHandler('elicitation/create', async () => accept() as never);
      await modern.connect(
        new ModernTransport(addressOf(gateway, server), {
          requestInit: { headers: headersOf(gateway) },
        }),
      );
      expect(textOf(await modern.callTool(call))).toContain('Ada');
      await modern.close();
    }
  });

  it('a client samples with its own model', async () => {
    const answer = { model: 'own', role: 'assistant', content: { type: 'text', text: 'Hm.' } };
    const client = await open('mine', { sampling: () => answer });
    expect(JSON.parse(textOf(await client.callTool(ask(sample))) ?? '')).toEqual(answer);
  });

  it('a client is sent to a page, and hears when that is done', async () => {
    const client = await open(
      'mine',
      { elicitation: () => ({ action: 'accept' }) },
      httpTo('offering'),
    );
    const done = new Promise((resolve) => {
      client.setNotificationHandler(ElicitationCompleteNotificationSchema, resolve);
    });
    const url = 'https://pay.example/1';
    await client.callTool({ name: 'ask_page', arguments: { url } });
    expect(await done).toMatchObject({ params: { elicitationId: 'page-1' } });
  });
});

describe('a question', () => {
  it('reaches no other client, whatever that one has declared', async () => {
    const other = await open('other', { elicitation: accept, sampling: accept });
    const mine = await open('mine', {});
    // who has not declared it is not asked, and the server learns what it always did
    expect(textOf(await mine.callTool(ask()))).toBe(refused);
    expect(textOf(await mine.callTool(ask(sample)))).toBe(refused);
    const formsOnly = await open('forms', { elicitation: accept });
    expect(textOf(await formsOnly.callTool(ask(sample)))).toBe(refused);
    expect(heard).toEqual([]);
    await other.close();
  });

  it('reaches nobody while two have something running, of which it could be either', async () => {
    const one = await open('one', { elicitation: accept });
    const two = await open('two', { elicitation: accept });
    const hanging = two.callTool({ name: 'hang', arguments: {} });
    hanging.catch(() => undefined);
    await expect.poll(() => gateway.calls.all.length).toBe(1);
    expect(textOf(await one.callTool(ask()))).toBe(refused);
    expect(heard).toEqual([]);
    await two.close();
    await expect.poll(() => gateway.calls.all.length).toBe(0);
    // and to the one that is left again
    expect(textOf(await one.callTool(ask()))).toBe(answered);
  });

  it('carries no secret of the server', async () => {
    const seen: unknown[] = [];
    const client = await open('mine', {
      elicitation: (params) => {
        seen.push(params);
        return accept();
      },
    });
    const message = `Is ${secret} yours?`;
    await client.callTool(ask({ ...form, params: { ...form.params, message } }));
    expect(JSON.stringify(seen)).toContain('Is ');
    expect(JSON.stringify(seen)).not.toContain(secret);
  });

  it.each([
    ['for a password', { properties: { password: { type: 'string' } } }],
    ['without bounds', { properties: { name: { type: 'string', enum: Array(5000).fill('x') } } }],
    ['in a form that is none', { properties: { deep: { type: 'object' } } }],
  ])('%s is not passed on', async (_what, schema) => {
    const client = await open('mine', { elicitation: accept });
    const requestedSchema = { type: 'object', ...schema };
    const params = { message: 'x', requestedSchema };
    expect(textOf(await client.callTool(ask({ ...form, params })))).toMatch(/-3260\d/);
    expect(heard).toEqual([]);
  });

  it.each([
    ['an answer that does not fit', () => ({ action: 'accept', content: { name: 7 } }), '-32602'],
    ['a refusal', () => ({ action: 'decline' }), '{"action":"decline"}'],
  ])('is answered by %s as by a person', async (_what, elicitation, text) => {
    const client = await open('mine', { elicitation });
    expect(textOf(await client.callTool(ask()))).toContain(text);
  });
});

describe('the end of a question', () => {
  /** A client that is asked, and whose person is away. */
  async function askAway(cancel?: AbortSignal) {
    let onGone: () => void = () => undefined;
    const gone = new Promise<void>((resolve) => {
      onGone = resolve;
    });
    const client = await open('mine', {
      elicitation: (_params, signal) => {
        signal.addEventListener('abort', onGone);
        return away();
      },
    });
    const call = client.callTool(ask(), undefined, { signal: cancel });
    call.catch(() => undefined);
    await expect.poll(() => heard).toHaveLength(1);
    return { client, call, gone };
  }

  it('comes with the end of the call', async () => {
    const cancel = new AbortController();
    const { call, gone } = await askAway(cancel.signal);
    cancel.abort();
    await expect(call).rejects.toThrow();
    await gone;
    await expect.poll(() => gateway.calls.all.length).toBe(0);
  });

  it('comes when the server takes it back', async () => {
    const { client, gone } = await askAway();
    await client.callTool({ name: 'withdraw', arguments: {} });
    await gone;
  });
});
