import { afterEach, expect, it } from 'vitest';
import { defaultToolPolicy } from '../../../../src/agent/policy/toolPolicy.js';
import type { BridgedTool } from '../../../../src/agent/tools/bridgedTool.js';
import { ToolBridge } from '../../../../src/agent/tools/toolBridge.js';
import { defaultOptions } from '../../../../src/config/schema/fields.js';
import type { McpTool } from '../../../../src/mcp/mcpTypes.js';
import {
  CallableServer,
  type CallTool,
  FakeMcpService,
} from '../../../helpers/fakes/fakeAgentMcp.js';

const answer: CallTool = (name) =>
  Promise.resolve({ content: [{ type: 'text', text: `from ${name}` }], isError: false });

function tool(name: string, change: Partial<McpTool> = {}): McpTool {
  return { name, inputSchema: { type: 'object' }, ...change };
}

let open: ToolBridge | undefined;
afterEach(() => open?.dispose());

function bridgeOf(...servers: readonly CallableServer[]) {
  const service = new FakeMcpService(servers);
  const bridge = new ToolBridge({
    service: service.asService,
    folderUri: undefined,
    countTokens: (text) => text.length / 4,
    policy: defaultToolPolicy,
  });
  open = bridge;
  let changes = 0;
  bridge.onDidChange(() => changes++);
  return {
    bridge,
    service,
    names: () => [...bridge.tools.keys()],
    changes: () => changes,
    run: (name: string, args: object = {}) => {
      const target = bridge.tools.get(name);
      if (target) {
        bridge.setTarget('call', target);
      }
      return target?.definition.execute(
        ...(['call', args, undefined, undefined, undefined] as never as Parameters<
          BridgedTool['definition']['execute']
        >),
      );
    },
  };
}

it('offers included tools, without excluded and hidden ones, under the prefix of the server', () => {
  const names = ['a', 'b', 'c'].map((name) => tool(name));
  const plain = new CallableServer('plain', names, answer);
  const picked = new CallableServer('picked', names, answer);
  const hidden = new CallableServer('hidden', names, answer);
  const withOptions = (server: CallableServer, options: object) =>
    Object.assign(server, {
      definition: { ...server.definition, options: { ...defaultOptions, ...options } },
    });
  withOptions(picked, { includeTools: ['a', 'b'], excludeTools: ['b'], toolPrefix: 'none' });
  withOptions(hidden, { exposure: 'hidden' });
  expect(bridgeOf(plain, picked, hidden).names()).toEqual([
    'plain__a',
    'plain__b',
    'plain__c',
    'a',
  ]);
});

it('offers tools that are known while their server is down, not those that may not start', () => {
  const offered = (['idle', 'connecting', 'connected', 'error', 'needs_auth'] as const).map(
    (kind) => serverIn(kind),
  );
  const withheld = (['disabled', 'invalid', 'trust_required'] as const).map((kind) =>
    serverIn(kind),
  );
  expect(bridgeOf(...offered, ...withheld).names()).toEqual(
    offered.map(({ definition }) => `${definition.name}__a`),
  );
});

function serverIn(kind: string): CallableServer {
  const server = new CallableServer(kind, [tool('a')], answer);
  server.state.set({ kind, reason: { kind: 'workspace_untrusted' } } as never);
  return server;
}

it('announces a burst of changes once, and none that the model would not see', async () => {
  const server = new CallableServer('s', [tool('a')], answer);
  const { names, changes, bridge } = bridgeOf(server);
  const before = bridge.tools.get('s__a');
  server.state.set({ kind: 'connecting' });
  server.catalog.set({ ...server.catalog.value, tools: [tool('a')] });
  await Promise.resolve();
  expect(changes()).toBe(0);
  expect(bridge.tools.get('s__a')).toBe(before);
  server.catalog.set({ ...server.catalog.value, tools: [tool('a', { description: 'New' })] });
  server.catalog.set({
    ...server.catalog.value,
    tools: [tool('a', { description: 'Newer' }), tool('b')],
  });
  await Promise.resolve();
  expect(changes()).toBe(1);
  expect(names()).toEqual(['s__a', 's__b']);
  expect(bridge.tools.get('s__a')?.definition.description).toBe('Newer');
});

it('finds the server again at every call', async () => {
  const first = new CallableServer('s', [tool('a')], () => Promise.reject(new Error('old one')));
  const { service, run, bridge } = bridgeOf(first);
  const target = bridge.tools.get('s__a');
  service.setServers([new CallableServer('s', [tool('a')], answer)]);
  await expect(run('s__a')).resolves.toMatchObject({ content: [{ text: 'from a' }] });
  if (target) {
    bridge.setTarget('call', target);
  }
  service.setServers([]);
  await expect(
    target?.definition.execute('call', {} as never, undefined, undefined, undefined as never),
  ).rejects.toThrow('no MCP server s.');
});

it('describes a tool without a description and keeps its schema safe', () => {
  const { bridge } = bridgeOf(
    new CallableServer(
      's',
      [tool('a', { inputSchema: { properties: { x: { pattern: '[' } } } })],
      answer,
    ),
  );
  expect(bridge.tools.get('s__a')?.definition).toMatchObject({
    label: 's: a',
    description: "MCP tool 'a' from server 's'.",
    parameters: { type: 'object', properties: { x: {} } },
  });
});

it('holds no server by offering its tools, so that an idle one can stop', async () => {
  const server = new CallableServer('s', [tool('a')], answer);
  const { bridge } = bridgeOf(server);
  expect(bridge.tools.size).toBe(1);
  expect(server.holders).toBe(0);
});

it('leaves its servers running when its session ends', () => {
  const server = new CallableServer('s', [tool('a')], answer);
  let stops = 0;
  server.stop = async () => void stops++;
  bridgeOf(server).bridge.dispose();
  expect(stops).toBe(0);
});

/** A call of `s__a`, whose server waits for consent, as Pi runs it. */
function waitingCall(call = answer) {
  const server = new CallableServer('s', [tool('a')], call);
  server.state.set({ kind: 'trust_required', reason: { kind: 'never_consented' } });
  const { bridge, service } = bridgeOf(server);
  const reviews: boolean[] = [];
  const end = new AbortController();
  const target = bridge.tools.get('s__a');
  if (target) {
    bridge.setTarget('call', target);
  }
  const result = target?.definition.execute(
    'call',
    {} as never,
    end.signal,
    ({ details }) => reviews.push('awaitsReview' in (details as object)),
    undefined as never,
  );
  return { server, service, bridge, reviews, end, result };
}

it('lets a call wait until the user has reviewed its server, then goes on', async () => {
  const { server, result, reviews } = waitingCall();
  await expect.poll(() => reviews).toEqual([true]);
  server.state.set({ kind: 'idle' });
  await expect(result).resolves.toMatchObject({ content: [{ text: 'from a' }] });
  expect(reviews).toEqual([true, false]);
});

it('ends a call that waits for a review with the run, by itself, or with its server', async () => {
  const stopped = waitingCall();
  stopped.end.abort();
  await expect(stopped.result).rejects.toThrow('The run was stopped before this call was made.');
  const cancelled = waitingCall();
  await expect.poll(() => cancelled.reviews).toEqual([true]);
  cancelled.bridge.caller.cancel('call');
  await expect(cancelled.result).rejects.toThrow('cancelled by the user');
  const gone = waitingCall();
  await expect.poll(() => gone.reviews).toEqual([true]);
  gone.service.setServers([]);
  await expect(gone.result).rejects.toThrow('no MCP server s.');
});

it('says of a call that ends with the run that it may have taken effect', async () => {
  const { server, end, result } = waitingCall((_name, _args, { signal }) => {
    end.abort();
    return Promise.reject(signal?.reason);
  });
  server.state.set({ kind: 'idle' });
  await expect(result).rejects.toThrow('whether it took effect is not known');
});
