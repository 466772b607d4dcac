/** What both engines' sessions have in common, over a client that records what it is asked for. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../../../../src/base/json.js';
import { FeatureHost } from '../../../../../src/mcp/connection/session/clientFeatures.js';
import { serverError } from '../../../../../src/mcp/connection/session/engine.js';
import { EngineSession } from '../../../../../src/mcp/connection/session/engineSession.js';
import type {
  HandshakeResult,
  SessionClient,
  SessionClientOptions,
} from '../../../../../src/mcp/connection/session/sessionClient.js';
import { callForResult } from '../../../../fixtures/connections.js';

type Answer = JsonObject | Error | ((params: JsonObject) => JsonObject);

const everything: JsonObject = {
  resources: { subscribe: true },
  prompts: {},
  completions: {},
  logging: {},
};

let requests: [method: string, params: JsonObject | undefined][];
let notices: string[];
let faults: (readonly [method: string, sentence: string])[];
const sessions: EngineSession[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  requests = [];
  notices = [];
  faults = [];
});

afterEach(() => {
  for (const session of sessions.splice(0)) {
    session.markClosed();
  }
  vi.useRealTimers();
});

/** @param answers by method; anything else is a method that the server does not know. */
function open(
  answers: Readonly<Record<string, Answer>>,
  client: Partial<SessionClient> & { readonly isModern?: boolean } = {},
): EngineSession {
  const parts = {
    transport: 'stdio',
    serverInfo: undefined,
    instructions: undefined,
    protocolVersion: '2025-11-25',
    capabilities: everything,
    closeError: undefined,
    request: async (method: string, params: JsonObject | undefined) => {
      requests.push([method, params]);
      const answer = answers[method] ?? failure(-32601);
      if (answer instanceof Error) {
        throw answer;
      }
      return typeof answer === 'function' ? answer(params ?? {}) : answer;
    },
    taskDialect: undefined,
    async ask(method: string, params: JsonObject | undefined, limits: unknown) {
      const result = await (this as unknown as SessionClient).request(
        method,
        params,
        limits as never,
      );
      return { result, fault: (sentence: string) => faults.push([method, sentence]) };
    },
    requestCall(_tool: unknown, params: object, limits: unknown) {
      return (this as unknown as SessionClient).ask('tools/call', { ...params }, limits as never);
    },
    respond: async () => ({}),
    rejectTool: () => undefined,
    isModern: false,
    ping: async () => undefined,
    close: async () => undefined,
    ...client,
  };
  const onNotice = (_level: string, message: string) => void notices.push(message);
  const session = new EngineSession(
    {} as HandshakeResult,
    { features: new FeatureHost({}, onNotice) } as SessionClientOptions,
  );
  Object.defineProperties(session, Object.getOwnPropertyDescriptors(parts));
  sessions.push(session);
  return session;
}

function failure(code: number): Error {
  return serverError(code, `failed with ${code}`);
}

const methods = () => requests.map(([method]) => method);
const options = { timeoutMs: 1000 } as Parameters<EngineSession['list']>[1];
const tools = (...names: readonly string[]) => ({
  tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })),
});

describe('lists', () => {
  it('are not asked for when the server does not declare them, tools apart', async () => {
    const session = open({ 'tools/list': tools('a') }, { capabilities: {} });
    expect((await session.list('tools', options)).items).toHaveLength(1);
    expect(await session.list('resources', options)).toEqual({ items: [], notices: [] });
    expect(await session.list('resourceTemplates', options)).toEqual({ items: [], notices: [] });
    expect(await session.list('prompts', options)).toEqual({ items: [], notices: [] });
    expect(methods()).toEqual(['tools/list']);
  });

  it('are empty when the server does not know how to list', async () => {
    expect(await open({}).list('tools', options)).toEqual({ items: [], notices: [] });
  });

  it('fail with anything else that the server says', async () => {
    const session = open({ 'prompts/list': failure(-32603) });
    await expect(session.list('prompts', options)).rejects.toThrow('-32603');
  });

  it('of tools lose what the engine cannot use, and say why', async () => {
    const session = open(
      { 'tools/list': tools('a', 'b') },
      { rejectTool: ({ name }) => (name === 'a' ? 'a is of no use' : undefined) },
    );
    const { items, notices: said } = await session.list('tools', options);
    expect(items.map(({ name }) => name)).toEqual(['b']);
    expect(said).toEqual(['a is of no use']);
  });
});

describe('an answer that cannot be taken as it is', () => {
  it.each([
    ['tools/call', { content: [5] }, '"a" has 1 parts; only 0 are used.'],
    [
      'tools/call',
      { content: [], structuredContent: { n: 'x' } },
      expect.stringContaining('output schema'),
    ],
    ['prompts/get', { description: 'x' }, expect.stringContaining('has no valid messages')],
    ['tools/list', { tools: 7 }, 'The answer of the server to "tools/list" has no valid tools.'],
  ] as const)('of %s is said to be that: %j', async (method, result, sentence) => {
    const outputSchema = { type: 'object', properties: { n: { type: 'number' } } };
    const list = { tools: [{ name: 'a', inputSchema: { type: 'object' }, outputSchema }] };
    const session = open({ 'tools/list': list, [method]: result });
    await session.list('tools', options);
    if (method === 'tools/call') {
      await callForResult(session, 'a', {}, options);
    } else if (method === 'prompts/get') {
      await expect(session.getPrompt('p', {}, options)).rejects.toThrow('no valid messages');
    }
    expect(faults).toEqual([[method, sentence]]);
  });
});

describe('a call', () => {
  const done = { content: [{ type: 'text', text: 'done' }] };

  it('is given to the client with what the last list said about the tool', async () => {
    const requestCall = vi.fn(async () => ({ result: done, fault: () => undefined }));
    const list: { current: JsonObject } = { current: tools('a') };
    const session = open({ 'tools/list': () => list.current }, { requestCall });
    await session.list('tools', options);
    await callForResult(session, 'a', {}, options);
    list.current = tools('b');
    await session.list('tools', options);
    await callForResult(session, 'a', {}, options);
    const known = requestCall.mock.calls.map(([tool]: readonly unknown[]) => tool);
    expect(known).toEqual([expect.objectContaining({ name: 'a' }), undefined]);
  });

  it('becomes a task only for a tool that can be one, when that is our choice', async () => {
    const task = { task: { taskId: 't', status: 'working' } };
    const list = {
      tools: [
        { name: 'slow', inputSchema: { type: 'object' }, execution: { taskSupport: 'optional' } },
        { name: 'must', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } },
        { name: 'fast', inputSchema: { type: 'object' } },
      ],
    };
    const session = open(
      { 'tools/list': list, 'tools/call': ({ name }) => (name === 'fast' ? done : task) },
      { taskDialect: 'core' },
    );
    await session.list('tools', options);
    expect(await session.startTool('slow', {}, options)).toMatchObject({ kind: 'task' });
    expect(await session.startTool('fast', {}, options)).toMatchObject({ kind: 'result' });
    const plain = { ...options, asTask: false };
    await session.startTool('slow', {}, plain);
    expect(await session.startTool('must', {}, plain)).toMatchObject({ kind: 'task' });
    expect(requests.slice(1).map(([, params]) => 'task' in (params ?? {}))).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  it('becomes a task when the server says so, where that is the choice of the server', async () => {
    const task = { resultType: 'task', taskId: 't', status: 'working' };
    const session = open({ 'tools/call': task }, { taskDialect: 'extension' });
    expect(await session.startTool('a', {}, options)).toMatchObject({ kind: 'task' });
    const plain = open({ 'tools/call': done });
    expect(await plain.startTool('a', {}, options)).toMatchObject({ kind: 'result' });
  });
});

describe('what a server does not offer', () => {
  it('is not asked for', async () => {
    const session = open({}, { capabilities: { resources: {} } });
    await session.watchResource('a:b', true, options);
    await session.watchResource('a:b', false, options);
    await session.setLogLevel('debug', options);
    const reference = { kind: 'prompt', name: 'p' } as const;
    expect(await session.complete(reference, { name: 'a', value: '' }, {}, options)).toEqual([]);
    expect(requests).toEqual([]);
  });

  it('is asked for in no request when the client has another way', async () => {
    const session = open({}, { isModern: true });
    await session.watchResource('a:b', true, options);
    await session.setLogLevel('debug', options);
    expect(requests).toEqual([]);
  });
});

it('takes of completions only texts, and not without end', async () => {
  const values = [
    1,
    'a',
    null,
    'x'.repeat(1_000_000),
    ...Array.from({ length: 500 }, (_, index) => `${index}`),
  ];
  const session = open({ 'completion/complete': { completion: { values } } });
  const reference = { kind: 'resource', uriTemplate: 'a:{b}' } as const;
  const found = await session.complete(reference, { name: 'b', value: '' }, {}, options);
  expect(found).toHaveLength(100);
  expect(found[0]).toBe('a');
  expect(found[1]).toBe('0');
});

describe('notifications', () => {
  const changed = (list: string) => ({ method: `notifications/${list}/list_changed` });

  it('of a changed list are passed on once for a burst, each kind for itself', async () => {
    const session = open({});
    const kinds: string[] = [];
    session.onDidChangeList((kind) => kinds.push(kind));
    for (const list of ['tools', 'tools', 'prompts', 'resources', 'tools', 'elsewhere']) {
      session.receive(changed(list));
    }
    await vi.advanceTimersByTimeAsync(1000);
    expect(kinds.sort()).toEqual(['prompts', 'resources', 'tools']);
  });

  it.each([undefined, null, 'a:b', {}, { uri: 1 }])(
    'of a resource without a uri (%j) are nothing',
    (params) => {
      const session = open({});
      const uris: string[] = [];
      session.onDidUpdateResource((uri) => uris.push(uri));
      session.receive({ method: 'notifications/resources/updated', params });
      session.receive({ method: 'notifications/resources/updated', params: { uri: 'a:b' } });
      expect(uris).toEqual(['a:b']);
    },
  );

  it('are nothing any more after the end, which is told once', async () => {
    const session = open({});
    let ends = 0;
    const heard: unknown[] = [];
    session.onDidClose(() => ends++);
    session.onDidChangeList((kind) => heard.push(kind));
    session.onDidLog((entry) => heard.push(entry));
    session.receive(changed('tools'));
    session.markClosed();
    session.markClosed();
    session.receive(changed('prompts'));
    session.receive({ method: 'notifications/message', params: { level: 'info', data: 'x' } });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(ends).toBe(1);
    expect(heard).toEqual([]);
  });
});
