/** The bridge as a program in an app sees it: the official SDK on one side, hand-made messages on the other. */
import { App } from '@modelcontextprotocol/ext-apps';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AppBridge } from '../../../../src/agent/apps/bridge.js';
import { AppError } from '../../../../src/agent/apps/requests.js';
import type { AppCall } from '../../../../src/agent/apps/sessionApps.js';
import type { JsonObject } from '../../../../src/base/json.js';
import { appPolicy } from '../../../../src/mcp/apps/policy.js';
import { CallableServer } from '../../../helpers/fakes/fakeAgentMcp.js';

const result = {
  content: [{ type: 'text', text: 'two orders' }],
  structuredContent: { orders: 2 },
  mismatch: 'Ours alone.',
  isError: false,
};
const tool = { name: 'show_orders', inputSchema: { type: 'object' }, description: 'Shows orders' };

const initialized = { jsonrpc: '2.0', method: 'ui/notifications/initialized' };

let bridge: AppBridge;
let posted: JsonObject[];
let notices: string[];
let suggested: string[];
let opened: string[];
let called: [string, JsonObject][];
let onPost: ((message: JsonObject) => void) | undefined;
let now: number;
let isFlooded: boolean;
let isClosed: boolean;
let callTool: AppCall['callTool'];

beforeEach(() => {
  posted = [];
  notices = [];
  suggested = [];
  opened = [];
  called = [];
  onPost = undefined;
  now = 0;
  isFlooded = false;
  isClosed = false;
  callTool = async () => result;
  const server = new CallableServer('shop', [], () => Promise.reject(new Error('not called')));
  const call = {
    id: 'c1',
    server,
    folderUri: undefined,
    tool,
    resourceUri: 'ui://shop',
    result,
    args: { probe: 1 },
    onDidEnd: () => ({ dispose: () => undefined }),
    callTool: (name: string, args: JsonObject, signal: AbortSignal) => {
      called.push([name, args]);
      return callTool(name, args, signal);
    },
  } satisfies AppCall;
  bridge = new AppBridge({
    call,
    hostVersion: '1.0.0',
    locale: 'de',
    domains: appPolicy(undefined).domains,
    surroundings: { theme: 'dark', width: 400, height: 300, variables: { '--font-sans': 'x' } },
    post: (message) => {
      posted.push(message);
      onPost?.(message);
    },
    openLink: async (url) => {
      opened.push(url);
      return url.includes('good');
    },
    suggest: (text) => suggested.push(text),
    close: () => {
      isClosed = true;
    },
    onNotice: (sentence) => notices.push(sentence),
    onFlood: () => {
      isFlooded = true;
    },
    log: () => undefined,
    now: () => now,
  });
});
afterEach(() => bridge.dispose());

async function ask(method: string, params: unknown = {}): Promise<JsonObject | undefined> {
  await bridge.receive({ jsonrpc: '2.0', id: 1, method, params });
  return posted.at(-1);
}

it('speaks with the official SDK: handshake, call, result, tools, messages and links', async () => {
  const app = new App({ name: 'orders', version: '1.0.0' }, {}, { autoResize: false });
  const inputs: unknown[] = [];
  const results: unknown[] = [];
  app.ontoolinput = (params) => void inputs.push(params.arguments);
  app.ontoolresult = (params) => void results.push(params.structuredContent);
  const transport = {
    onmessage: undefined as ((message: never) => void) | undefined,
    onclose: undefined as (() => void) | undefined,
    start: async () => undefined,
    close: async () => undefined,
    send: (message: unknown) => bridge.receive(message),
  };
  onPost = (message) => transport.onmessage?.(message as never);
  await app.connect(transport as never);
  await expect.poll(() => results).toEqual([{ orders: 2 }]);
  expect(inputs).toEqual([{ probe: 1 }]);
  expect(app.getHostContext()).toMatchObject({
    theme: 'dark',
    locale: 'de',
    displayMode: 'inline',
  });
  expect(app.getHostCapabilities()).toMatchObject({ serverTools: {}, openLinks: {} });
  const answer = await app.callServerTool({ name: 'refresh', arguments: { all: true } });
  expect(answer.structuredContent).toEqual({ orders: 2 });
  expect(answer).not.toHaveProperty('mismatch');
  expect(called).toEqual([['refresh', { all: true }]]);
  await app.sendMessage({ role: 'user', content: [{ type: 'text', text: 'Cancel order 1' }] });
  expect(suggested).toEqual(['Cancel order 1']);
  await app.openLink({ url: 'https://good.example' });
  const contexts: unknown[] = [];
  app.onhostcontextchanged = ({ theme }) => void contexts.push(theme);
  bridge.setSurroundings({ theme: 'light', width: 1, height: 1, variables: {} });
  await expect.poll(() => contexts).toEqual(['light']);
});

it('tells nothing before the handshake is over, and tells of the call once', async () => {
  bridge.setSurroundings({ theme: 'light', width: 1, height: 1, variables: {} });
  expect(posted).toEqual([]);
  await bridge.receive(initialized);
  await bridge.receive(initialized);
  expect(posted.map(({ method }) => method)).toEqual([
    'ui/notifications/tool-input',
    'ui/notifications/tool-result',
  ]);
});

it.each([
  ['resources/list'],
  ['tools/list'],
  ['sampling/createMessage'],
  ['ui/update-model-context'],
  ['ui/download-file'],
  ['elicitation/create'],
])('does not offer %s', async (method) => {
  expect(await ask(method)).toMatchObject({ error: { code: -32601 } });
});

it.each([['javascript:alert(1)'], ['file:///etc/passwd'], ['command:x'], ['nothing'], [7]])(
  'opens no link like %s',
  async (url) => {
    expect(await ask('ui/open-link', { url })).toHaveProperty('error');
    expect(opened).toEqual([]);
  },
);

it('says what went wrong with a call, and what the user refused', async () => {
  callTool = () => Promise.reject(new AppError(-32000, 'The user did not allow this call'));
  expect(await ask('tools/call', { name: 'x' })).toMatchObject({
    error: { code: -32000, message: 'The user did not allow this call' },
  });
  expect(await ask('tools/call', { name: 'x', arguments: [] })).toMatchObject({
    error: { code: -32602 },
  });
  expect(await ask('ui/open-link', { url: 'https://bad.example' })).toHaveProperty('error');
});

const untilAborted: AppCall['callTool'] = (_name, _args, signal) =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('Aborted')));
  });

it('ends calls and answers nothing while it is frozen', async () => {
  callTool = untilAborted;
  const open = ask('tools/call', { name: 'slow' });
  // nothing to thaw: the call goes on
  bridge.thaw();
  await new Promise(setImmediate);
  expect(posted).toEqual([]);
  bridge.freeze('The server is gone.');
  expect(await open).toMatchObject({ error: { message: 'Aborted' } });
  expect(await ask('ping')).toMatchObject({ error: { message: 'The server is gone.' } });
  bridge.freeze('It is gone for good.');
  expect(await ask('ping')).toMatchObject({ error: { message: 'It is gone for good.' } });
  bridge.thaw();
  expect(await ask('ping')).toMatchObject({ result: {} });
  callTool = async (_name, _args, signal) => ({ ...result, isError: signal.aborted });
  expect(await ask('tools/call', { name: 'quick' })).toMatchObject({ result: { isError: false } });
});

it('shakes hands with an app also while it is frozen, and tells it of its surroundings', async () => {
  bridge.freeze('The server is gone.');
  expect(await ask('ui/initialize')).toHaveProperty('result');
  await bridge.receive(initialized);
  bridge.setSurroundings({ theme: 'light', width: 1, height: 1, variables: {} });
  expect(posted.slice(1).map(({ method }) => method)).toEqual([
    'ui/notifications/tool-input',
    'ui/notifications/tool-result',
    'ui/notifications/host-context-changed',
  ]);
});

it.each([
  ['has begun', [initialized], [expect.objectContaining({ method: 'ui/resource-teardown' })]],
  ['has not begun', [], []],
])('ends the calls of an app that is closed and %s, and tells it', async (_when, before, told) => {
  for (const message of before) {
    await bridge.receive(message);
  }
  callTool = untilAborted;
  const open = ask('tools/call', { name: 'slow' });
  posted = [];
  bridge.dispose();
  expect(posted).toEqual(told);
  expect(await open).toMatchObject({ error: { message: 'Aborted' } });
  expect(await ask('ping')).toMatchObject({ error: { message: 'The app was closed' } });
});

it('refuses what comes too fast, forgives, and gives up one that does not stop', async () => {
  for (let index = 0; index < 100; index++) {
    await ask('ping');
  }
  expect(await ask('ping')).toMatchObject({ error: { message: 'Too many messages' } });
  expect(notices).toEqual(['The app sends too much; the rest is dropped.']);
  now = 1000;
  expect(await ask('ping')).toMatchObject({ result: {} });
  for (let index = 0; index < 1100 && !isFlooded; index++) {
    await ask('ping');
  }
  expect(isFlooded).toBe(true);
});

it('drops what is too large, too deep or no message', async () => {
  let deep: object = {};
  for (let index = 0; index < 200; index++) {
    deep = { deep };
  }
  await ask('ping', { text: 'x'.repeat(1024 * 1024) });
  await ask('ping', deep);
  expect(notices).toHaveLength(2);
  for (const odd of [
    undefined,
    'ping',
    [],
    { id: 1, method: 'ping' },
    { jsonrpc: '2.0', id: {} },
  ]) {
    await bridge.receive(odd);
  }
  expect(posted).toEqual([]);
});

it('suggests one message a second, of the user and of text', async () => {
  const say = (content: unknown, role = 'user') => ask('ui/message', { role, content });
  expect(await say({ type: 'text', text: 'one' })).toHaveProperty('result');
  expect(await say([{ type: 'text', text: 'two' }])).toHaveProperty('error');
  now = 1000;
  expect(await say([{ type: 'image', data: '' }])).toHaveProperty('error');
  expect(await say([{ type: 'text', text: 'I am Pi' }], 'assistant')).toHaveProperty('error');
  expect(suggested).toEqual(['one']);
});

it('closes when the app asks for it', async () => {
  await bridge.receive({ jsonrpc: '2.0', method: 'ui/notifications/request-teardown' });
  expect(isClosed).toBe(true);
});
