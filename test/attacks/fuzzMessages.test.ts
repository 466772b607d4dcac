/** Messages of pages, apps and servers, and command lines, whatever they hold. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppBridge } from '../../src/agent/apps/bridge.js';
import { isHumanError } from '../../src/base/errors.js';
import { isJsonObject, type JsonObject } from '../../src/base/json.js';
import { parseArguments } from '../../src/cli/arguments.js';
import { globalPoolId, serverId } from '../../src/config/definition.js';
import { SecretKeeper } from '../../src/config/fixes/secretKeeper.js';
import { appPolicy } from '../../src/mcp/apps/policy.js';
import { createClientEngine } from '../../src/mcp/connection/clientEngine/clientEngine.js';
import type { JsonRpcMessage, McpTransport } from '../../src/mcp/connection/reading/transport.js';
import { createSdkEngine } from '../../src/mcp/connection/sdkEngine/sdkEngine.js';
import type { McpSession } from '../../src/mcp/connection/session/engine.js';
import { checkServer } from '../../src/presentation/configPage/checkServer.js';
import { saveServer, saveSettings } from '../../src/presentation/configPage/saveServer.js';
import {
  booleanParam,
  formParams,
  objectParam,
  oneOfParam,
  optionalIndexParam,
  saveParams,
  stringParam,
  surroundingsParam,
} from '../../src/presentation/params.js';
import { MessageChannel } from '../../src/protocol/messages.js';
import { callForResult } from '../fixtures/connections.js';
import { anyJson, anyText, fuzzOptions, mutate } from '../helpers/attacks/fuzz.js';
import { Scene } from '../helpers/attacks/scene.js';
import { CallableServer } from '../helpers/fakes/fakeAgentMcp.js';
import { createAnswers } from '../helpers/fakes/fakeAnswers.js';

afterEach(() => {
  expect(Object.keys(Object.prototype)).toEqual([]);
});

describe('messages', () => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await Scene.create('no consent', () => ({}));
  });

  it('from a page are answered or refused, whatever they hold', async () => {
    const { service, core } = scene;
    const secrets = new SecretKeeper(createAnswers());
    const replies: JsonObject[] = [];
    const channel = new MessageChannel<never, Record<string, { params: unknown; result: unknown }>>(
      {
        post: (message) => void replies.push(JSON.parse(JSON.stringify(message))),
        handlers: {
          saveServer: (params) => saveServer({ service, secrets }, saveParams(params)),
          checkServer: (params) => checkServer({ service, secrets }, saveParams(params)),
          saveSettings: (params) =>
            saveSettings(service, stringParam(params, 'poolId'), formParams(params)),
          keepForm: (params) => objectParam(params).form,
          setEnabled: (params) => booleanParam(params, 'enabled'),
          openResult: (params) => optionalIndexParam(params, 'file'),
          decide: (params) => oneOfParam(params, 'decision', ['once', 'deny']),
          surroundings: (params) => surroundingsParam(params),
        },
      },
    );
    const pairs = [{ key: 'A', value: '***REDACTED***', storedKey: 'B' }];
    const values = { command: 'x', args: ['y'], env: pairs, idleTimeout: 1, 'oauth.scope': 'a' };
    const entry = { kind: 'stdio', values };
    const rest = { file: 'primary', name: 'n', entry, inFile: ['env'] };
    const good = [
      { id: 1, type: 'saveServer', params: { poolId: globalPoolId, ...rest } },
      { id: 2, type: 'saveServer', params: { poolId: scene.folder.uri, ...rest } },
      { id: 9, type: 'checkServer', params: { poolId: scene.folder.uri, ...rest } },
      { id: 3, type: 'keepForm', params: { form: {} } },
      { id: 4, type: 'setEnabled', params: { enabled: true } },
      { id: 5, type: 'openResult', params: { file: 1 } },
      { id: 6, type: 'decide', params: { decision: 'once' } },
      { id: 8, type: 'saveSettings', params: { poolId: globalPoolId, entry } },
      { id: 7, type: 'surroundings', params: { theme: 'dark', variables: { '--a': 'b' } } },
    ];
    const path = fc.array(fc.nat(6), { maxLength: 5 });
    const message = fc.oneof(
      fc
        .tuple(fc.constantFrom(...good), path, anyJson(['saveServer', 'entry', 'params']))
        .map(([base, at, by]) => mutate(base, at, by)),
      anyJson(['id', 'type', 'params', 'replyTo', 'result', 'error', 'saveServer']),
    );
    await fc.assert(
      fc.asyncProperty(message, async (one) => {
        replies.length = 0;
        await channel.receive(one);
        const isAsked = isJsonObject(one) && typeof one.id === 'number';
        expect(replies.length).toBeLessThanOrEqual(isAsked ? 1 : 0);
        const written = JSON.parse(await core.readGlobal());
        expect(written.mcpServers.mine.env.KEY).toBe(scene.secrets.values.global);
      }),
      fuzzOptions(300),
    );
    expect(service.getServer(serverId(globalPoolId, 'mine'))).toBeDefined();
    expect(await scene.ran.sprung()).toEqual([]);
  });

  it('of an app are answered or refused, whatever they hold', async () => {
    const result = { content: [], isError: false };
    const server = new CallableServer('shop', [], async () => result);
    const opened: string[] = [];
    const called: unknown[] = [];
    const methods = `ui/initialize ui/open-link ui/message ui/update-model-context tools/call
      resources/read notifications/message ui/notifications/size-changed ping`.split(/\s+/);
    const words = [...methods, 'jsonrpc', '2.0', 'id', 'method', 'params', 'url', 'name'];
    const message = fc.record({
      jsonrpc: fc.constant('2.0'),
      id: fc.oneof(fc.integer(), anyText, fc.constant(undefined), anyJson()),
      method: fc.oneof(fc.constantFrom(...methods), anyText),
      params: anyJson(words),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(message, anyJson(words))), async (messages) => {
        const posted: string[] = [];
        const bridge = new AppBridge({
          call: {
            id: 'c1',
            server,
            folderUri: undefined,
            resourceUri: 'ui://shop',
            result,
            tool: { name: 'show', inputSchema: {} },
            args: {},
            onDidEnd: () => ({ dispose: () => undefined }),
            callTool: async (name, args) => {
              called.push([name, args]);
              return result;
            },
          },
          hostVersion: '1.0.0',
          locale: 'en',
          domains: appPolicy(undefined).domains,
          surroundings: { theme: 'dark', width: 1, height: 1, variables: {} },
          post: (one) => void posted.push(JSON.stringify(one)),
          openLink: async (url) => {
            opened.push(url);
            return true;
          },
          suggest: () => undefined,
          close: () => undefined,
          onNotice: () => undefined,
          onFlood: () => undefined,
          log: () => undefined,
          now: () => 0,
        });
        for (const one of messages) {
          await bridge.receive(one);
        }
        bridge.dispose();
      }),
      fuzzOptions(500),
    );
    expect(opened.every((url) => typeof url === 'string')).toBe(true);
    expect(called.every((call) => Array.isArray(call) && typeof call[0] === 'string')).toBe(true);
  });

  it('on a command line are understood or refused as bad usage', () => {
    const words = [
      'list',
      'probe',
      'tools',
      'search',
      'call',
      'doctor',
      '--trust',
      '--json',
      '--folder',
      '--server',
      '--timeout',
      '--home',
      '--',
      '-',
      '--=',
      '--timeout=1e9',
      '{}',
      '{"a":',
    ];
    const argument = fc.oneof(fc.constantFrom(...words), anyText);
    fc.assert(
      fc.property(fc.array(argument, { maxLength: 8 }), (argv) => {
        try {
          const { flags } = parseArguments(argv, '/nowhere');
          // no value of another option is taken for it
          expect(flags.trust && !argv.includes('--trust')).toBe(false);
        } catch (error) {
          expect(isHumanError(error) && error.code).toBe('usage');
        }
      }),
      fuzzOptions(500),
    );
  });
});

/** Answers every request with what the test says. */
class FuzzTransport implements McpTransport {
  onmessage?: (message: JsonRpcMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;

  constructor(private readonly answer: (method: string) => unknown) {}

  async start(): Promise<void> {
    // in process
  }

  async send({ id, method }: JsonRpcMessage): Promise<void> {
    if (id !== undefined && typeof method === 'string') {
      const result = this.answer(method);
      queueMicrotask(() => this.onmessage?.({ jsonrpc: '2.0', id, result }));
    }
  }

  async close(): Promise<void> {
    this.onclose?.();
  }
}

const block = { type: 'text', text: 'a', annotations: { audience: ['user'] } };
const goodResults: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: '2025-06-18',
    capabilities: {
      tools: {},
      resources: { subscribe: true },
      prompts: {},
      completions: {},
      logging: {},
    },
    serverInfo: { name: 'x', version: '1' },
  },
  'tools/list': {
    tools: [{ name: 'go', inputSchema: { type: 'object' }, outputSchema: { type: 'object' } }],
  },
  'resources/list': { resources: [{ uri: 'a:b', name: 'c' }] },
  'resources/templates/list': { resourceTemplates: [{ uriTemplate: 'a:{b}', name: 'c' }] },
  'prompts/list': { prompts: [{ name: 'p', arguments: [{ name: 'a' }] }] },
  'tools/call': { content: [block], structuredContent: { a: 1 }, isError: false },
  'resources/read': { contents: [{ uri: 'a:b', text: 'c' }] },
  'prompts/get': { messages: [{ role: 'user', content: block }] },
  'completion/complete': { completion: { values: ['a'], total: 1 } },
};

function useAll(session: McpSession): Promise<readonly PromiseSettledResult<unknown>[]> {
  const options = { timeoutMs: 5000 };
  return Promise.allSettled([
    session.list('tools', options),
    session.list('resources', options),
    session.list('resourceTemplates', options),
    session.list('prompts', options),
    callForResult(session, 'go', {}, options),
    session.readResource('a:b', options),
    session.getPrompt('p', {}, options),
    session.complete({ kind: 'prompt', name: 'p' }, { name: 'a', value: '' }, {}, options),
  ]);
}

describe.each([
  ['the engine of processes', createSdkEngine],
  ['the engine of both generations', createClientEngine],
])('%s', (_name, createEngine) => {
  async function open(answer: (method: string) => unknown, timeoutMs: number) {
    const transport = new FuzzTransport(answer);
    const session = await createEngine().connect(transport, {
      clientInfo: { name: 'fuzz', version: '1' },
      signal: new AbortController().signal,
      timeoutMs,
      onNotice: () => undefined,
    });
    return { transport, session };
  }

  const words = Object.values(goodResults).flatMap((result) => Object.keys(result));
  const change = fc.record({
    path: fc.array(fc.nat(6), { maxLength: 6 }),
    by: anyJson(words),
  });

  it('control: understands good answers', async () => {
    const { session } = await open((method) => goodResults[method] ?? {}, 5000);
    const settled = await useAll(session);
    expect(settled.map(({ status }) => status)).toEqual(settled.map(() => 'fulfilled'));
    await session.close();
  });

  it('settles every request, whatever is answered', async () => {
    await fc.assert(
      fc.asyncProperty(change, async ({ path, by }) => {
        const answer = (method: string) =>
          method === 'initialize'
            ? goodResults.initialize
            : mutate(goodResults[method] ?? {}, path, by);
        const { session } = await open(answer, 5000);
        const settled = await useAll(session);
        for (const one of settled) {
          expect(one.status === 'fulfilled' || one.reason instanceof Error).toBe(true);
        }
        await session.close();
      }),
      fuzzOptions(300),
    );
  });

  it('refuses or takes any handshake, and closes what it does not take', async () => {
    await fc.assert(
      fc.asyncProperty(change, async ({ path, by }) => {
        const answer = (method: string) => mutate(goodResults[method] ?? {}, path, by);
        const session = await open(answer, 5000).catch((error: unknown) => error);
        if (session instanceof Error) {
          return;
        }
        await (session as Awaited<ReturnType<typeof open>>).session.close();
      }),
      fuzzOptions(300),
    );
  });

  it('stays usable after any message that nobody asked for', async () => {
    const methods = `notifications/tools/list_changed notifications/message notifications/progress
      notifications/cancelled notifications/resources/updated roots/list ping
      sampling/createMessage elicitation/create notifications/tasks/status`.split(/\s+/);
    const message = fc.oneof(
      fc.record(
        {
          jsonrpc: fc.constant('2.0'),
          id: fc.oneof(fc.integer({ min: 1000 }), anyText, fc.constant(null)),
          method: fc.oneof(fc.constantFrom(...methods), anyText),
          params: anyJson(['level', 'data', 'progressToken', 'uri', 'requestId', 'taskId']),
        },
        { requiredKeys: ['jsonrpc'] },
      ),
      fc.record({ jsonrpc: fc.constant('2.0'), id: fc.integer({ min: 1000 }), error: anyJson() }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 8 }), async (messages) => {
        const { session, transport } = await open((method) => goodResults[method] ?? {}, 5000);
        for (const one of messages) {
          transport.onmessage?.(JSON.parse(JSON.stringify(one)));
        }
        expect((await session.list('tools', { timeoutMs: 5000 })).items).toHaveLength(1);
        await session.close();
      }),
      fuzzOptions(300),
    );
  });
});
