import { afterEach, describe, expect, it } from 'vitest';
import { defaultToolPolicy } from '../../../../src/agent/policy/toolPolicy.js';
import { ToolBridge } from '../../../../src/agent/tools/toolBridge.js';
import type { McpServerOptions } from '../../../../src/config/definition.js';
import { defaultOptions } from '../../../../src/config/schema/fields.js';
import { loadTokenCounter } from '../../../../src/mcp/catalog/tokens/tokenEstimate.js';
import type { McpToolAnnotations } from '../../../../src/mcp/mcpTypes.js';
import { readCapturedServers } from '../../../helpers/capturedTools.js';
import { CallableServer, FakeMcpService } from '../../../helpers/fakes/fakeAgentMcp.js';
import { callAsModel, textOf } from '../../../helpers/modelCall.js';

const countTokens = await loadTokenCounter();
const captured = readCapturedServers();

let open: ToolBridge | undefined;
afterEach(() => open?.dispose());

function serverOf(
  name: string,
  options: Partial<McpServerOptions> = {},
  alias = name,
): CallableServer {
  const tools = captured.find((server) => server.name === name)?.tools ?? [];
  const server = new CallableServer(alias, tools, (tool, args) =>
    Promise.resolve({
      content: [{ type: 'text', text: `${tool} ${JSON.stringify(args)}` }],
      isError: false,
    }),
  );
  const definition = { ...server.definition, options: { ...defaultOptions, ...options } };
  return Object.assign(server, { definition });
}

function bridgeOf(servers: readonly CallableServer[]) {
  const service = new FakeMcpService(servers);
  const bridge = new ToolBridge({
    service: service.asService,
    folderUri: undefined,
    countTokens,
    policy: defaultToolPolicy,
  });
  open = bridge;
  const definitionOf = (name: string) =>
    bridge.offered.find((tool) => tool.name === name)?.definition;
  return {
    bridge,
    service,
    offered: () => bridge.offered.map(({ name }) => name),
    tokens: (name: string) => {
      const definition = definitionOf(name);
      return countTokens(
        JSON.stringify({
          name,
          description: definition?.description,
          parameters: definition?.parameters,
        }),
      );
    },
    run: async (name: string, args: object) => textOf(await callAsModel(bridge, name, args)),
  };
}

describe('auto', () => {
  it('offers few tools directly and many through ToolSearch', () => {
    expect(bridgeOf([serverOf('slack')]).offered()).toHaveLength(8);
    expect(bridgeOf([serverOf('notion'), serverOf('slack')]).offered()).toEqual(['ToolSearch']);
  });

  it('costs at most 600 tokens in a request with ten real servers', () => {
    const { offered, tokens } = bridgeOf(captured.map(({ name }) => serverOf(name)));
    expect(offered()).toEqual(['ToolSearch']);
    expect(tokens('ToolSearch')).toBeLessThanOrEqual(500);
  });
});

describe('ToolSearch', () => {
  it('activates five tools at most and describes their parameters in few words', async () => {
    const { run, offered } = bridgeOf(captured.map(({ name }) => serverOf(name)));
    const text = await run('ToolSearch', { query: 'open a pull request on GitHub' });
    expect(offered()).toContain('github__create_pull_request');
    expect(offered()).toHaveLength(6);
    expect(text).toMatch(/^Activated; call them by these names:\n/);
    expect(text).toMatch(/github__create_pull_request: .*\n {2}owner \(string, required\): /);
    expect(countTokens(text)).toBeLessThanOrEqual(700);
  });

  it('activates by name, says which names are unknown, and keeps what was activated', async () => {
    const { run, offered } = bridgeOf([serverOf('notion'), serverOf('slack')]);
    await run('ToolSearch', { query: 'select:slack__slack_get_users' });
    const text = await run('ToolSearch', { query: 'select:slack/slack_list_channels,nothing' });
    expect(text).toContain('No tool is called nothing');
    expect(offered()).toEqual(['ToolSearch', 'slack_get_users', 'slack_list_channels']);
  });

  it('offers what a conversation of an earlier version activated, also when its server is listed later', async () => {
    const slack = serverOf('slack');
    const { value } = slack.catalog;
    slack.catalog.set({ ...value, tools: [] });
    const { bridge, offered } = bridgeOf([serverOf('notion'), slack]);
    bridge.restoreActivated(['slack__slack_get_users']);
    slack.catalog.set(value);
    await Promise.resolve();
    expect(offered()).toEqual(['ToolSearch', 'slack_get_users']);
    bridge.restoreActivated(['slack_get_users']);
    expect(offered()).toEqual(['ToolSearch', 'slack_get_users']);
  });

  it('says in a line of each server what it is for, bounded however many there are', () => {
    const { bridge } = bridgeOf(captured.map(({ name }) => serverOf(name)));
    const { description } = bridge.offered[0]?.definition ?? {};
    expect(description).toMatch(/^slack: \S/m);
    const many = Array.from({ length: 200 }, (_, index) => serverOf('slack', {}, `slack${index}`));
    const long = bridgeOf(many).bridge.offered[0]?.definition.description ?? '';
    expect(long).toContain('slack199');
    expect(long.length).toBeLessThan(4_000);
  });

  it('searches titles of annotations and what servers say that they are for', async () => {
    const make = (name: string, annotations: McpToolAnnotations, instructions: string) => {
      const server = serverOf(name, { exposure: 'search' });
      const tools = ['alpha', 'beta'].map((tool) => ({ name: tool, inputSchema: {}, annotations }));
      server.catalog.set({ ...server.catalog.value, tools, instructions });
      return server;
    };
    const titled = make('one', { title: 'Water the plants' }, '');
    const instructed = make('two', {}, 'Bookkeeping of a shop');
    const { run } = bridgeOf([instructed, titled]);
    expect(await run('ToolSearch', { query: 'plants' })).toMatch(/\none__alpha.*\none__beta/s);
    expect(await run('ToolSearch', { query: 'bookkeeping' })).toContain('two__alpha');
  });

  it('keeps its description while tools of the same servers come and go', async () => {
    const slack = serverOf('slack', { exposure: 'search' });
    const { bridge } = bridgeOf([slack]);
    const before = bridge.offered[0]?.signature;
    slack.catalog.set({ ...slack.catalog.value, tools: slack.catalog.value.tools.slice(1) });
    await Promise.resolve();
    expect(bridge.tools.size).toBe(7);
    expect(bridge.offered[0]?.signature).toBe(before);
  });
});

describe('the mcp tool', () => {
  const servers = () => [
    serverOf('slack', { exposure: 'proxy' }),
    serverOf('memory', { exposure: 'proxy' }),
  ];

  it('reads the tools of a connected server again when it is told to connect', async () => {
    const slack = serverOf('slack', { exposure: 'proxy' });
    slack.state.set({ kind: 'connected', transport: 'stdio', since: 0, connectMs: 1 });
    const more = { name: 'slack_new', description: 'Is new.', inputSchema: { type: 'object' } };
    slack.readTools = async () => {
      const { value } = slack.catalog;
      slack.catalog.set({ ...value, tools: [...value.tools, more] });
      await Promise.resolve();
    };
    const { run } = bridgeOf([slack]);
    expect(await run('mcp', { connect: 'slack' })).toContain('slack_new: Is new.');
  });

  it('stands alone for its servers and costs at most 250 tokens', () => {
    const { offered, tokens } = bridgeOf(servers());
    expect(offered()).toEqual(['mcp']);
    expect(tokens('mcp')).toBeLessThanOrEqual(250);
  });

  it('takes the first mode that is given: tool, connect, describe, search, server, status', async () => {
    const { run } = bridgeOf(servers());
    const all = {
      tool: 'slack_get_users',
      args: { limit: 1 },
      connect: 'slack',
      describe: 'open_nodes',
      search: 'remember a fact',
      server: 'slack',
    };
    expect(await run('mcp', all)).toBe('slack_get_users {"limit":1}');
    const { tool: _, args: __, ...connect } = all;
    expect(await run('mcp', connect)).toContain('slack_list_channels: List');
    const { connect: ___, ...describeMode } = connect;
    // a search of the server slack would not find it
    expect(await run('mcp', describeMode)).toMatch(/^memory__open_nodes: .*\n {2}names/);
    expect(await run('mcp', { search: 'remember a fact' })).toContain('memory__');
    expect(await run('mcp', { search: 'remember a fact', server: 'slack' })).not.toContain(
      'memory',
    );
    const selected = await run('mcp', { search: 'select:read_graph,slack/slack_get_users' });
    expect(selected).toMatch(/^memory__read_graph: .*\nslack_get_users: /s);
    expect(await run('mcp', { server: 'memory' })).toContain('memory__read_graph: Read');
    expect(await run('mcp', {})).toBe('slack: idle, 8 tools\nmemory: idle, 9 tools');
  });

  it('takes arguments as an object and as a text of JSON', async () => {
    const { run } = bridgeOf(servers());
    const limit = { limit: 2 };
    for (const args of [limit, JSON.stringify(limit)]) {
      expect(await run('mcp', { tool: 'slack_get_users', args })).toBe(
        'slack_get_users {"limit":2}',
      );
    }
  });

  it('names the nearest tools for one that does not exist, and the servers likewise', async () => {
    const { run } = bridgeOf(servers());
    await expect(run('mcp', { tool: 'slack_post' })).rejects.toThrow('slack_post_message');
    expect(await run('mcp', { describe: 'read_graphs' })).toContain('memory__read_graph');
    expect(await run('mcp', { server: 'nowhere' })).toContain('slack: idle');
  });

  it('runs no other tool than the one that was approved', async () => {
    const { bridge, service } = bridgeOf(servers());
    const target = bridge.resolve('mcp', { tool: 'slack_get_users' });
    service.setServers([serverOf('memory', { exposure: 'proxy' })]);
    await Promise.resolve();
    const mcp = bridge.offered[0]?.definition;
    const call = (args: object) =>
      mcp?.execute('call', args as never, undefined, undefined, undefined as never);
    await expect(call({ tool: 'read_graph' })).rejects.toThrow('There is no tool read_graph');
    if (target) {
      bridge.setTarget('call', target);
    }
    await expect(call({ tool: 'read_graph' })).rejects.toThrow('no MCP server slack');
  });
});
