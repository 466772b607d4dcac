/** How tools reach the model, with the real Pi and a scripted model. */
import { afterEach, expect, it } from 'vitest';
import { defaultOptions } from '../../src/mcp/config/fields.js';
import type { McpServerOptions } from '../../src/mcp/mcpTypes.js';
import { type AgentHarness, createAgentHarness } from '../fakes/agentHarness.js';
import { CallableServer } from '../fakes/fakeAgentMcp.js';

let open: AgentHarness | undefined;
afterEach(async () => {
  await open?.dispose();
  open = undefined;
});

function demoServer(options: Partial<McpServerOptions>): CallableServer {
  const tools = ['echo', 'shout', 'whisper'].map((name) => ({
    name,
    description: `Lets you ${name} a message`,
    inputSchema: { type: 'object', properties: { message: { type: 'string' } } },
  }));
  const server = new CallableServer('demo', tools, (name, { message }) =>
    Promise.resolve({ content: [{ type: 'text', text: `${name}: ${message}` }], isError: false }),
  );
  const definition = { ...server.definition, options: { ...defaultOptions, ...options } };
  return Object.assign(server, { definition });
}

async function harness(options: Partial<McpServerOptions>): Promise<AgentHarness> {
  open = await createAgentHarness({ servers: () => [demoServer(options)] });
  return open;
}

it('offers what ToolSearch found from the next model request of the same run on', async () => {
  const h = await harness({ exposure: 'search' });
  await h.panel.prompt('call ToolSearch {"query": "shout"}');
  await h.untilDone();
  const offers = h.demo.requests.map(({ tools }) =>
    (tools ?? []).map(({ function: tool }) => tool.name).filter((name) => /demo|Tool/.test(name)),
  );
  expect(offers).toEqual([['ToolSearch'], expect.arrayContaining(['ToolSearch', 'demo__shout'])]);
  expect(h.tools()[0]).toMatchObject({ tool: 'ToolSearch', status: 'done' });
});

it('keeps found tools when the conversation is taken up again', async () => {
  const h = await harness({ exposure: 'search' });
  await h.panel.prompt('call ToolSearch {"query": "select:demo__echo"}');
  await h.untilDone();
  h.workspace.setTrusted(false);
  await h.until('the restricted session', ({ state }) => state.tools.builtIn < 5);
  await h.panel.prompt('echo hello');
  await h.untilAsked();
  expect(h.offered()).toContain('demo__echo');
  expect(h.offered()).not.toContain('demo__shout');
});

it('asks for a call through the mcp tool as for the tool that it calls', async () => {
  const h = await harness({ exposure: 'proxy' });
  await h.panel.prompt('call mcp {"server": "demo"}');
  await h.untilDone();
  expect(h.tools()[0]).toMatchObject({ tool: 'mcp', status: 'done' });
  await h.panel.prompt('call mcp {"tool": "echo", "args": {"message": "hi"}}');
  const { state } = await h.untilAsked();
  expect(state.approvals[0]?.mcp).toEqual({ server: 'demo', tool: 'echo' });
  h.panel.decide(state.approvals[0]?.id ?? '', 'session');
  await h.untilDone();
  expect(h.tools()[1]).toMatchObject({
    mcp: { server: 'demo', tool: 'echo' },
    status: 'done',
    result: [{ kind: 'text', text: 'echo: hi' }],
  });
  await h.panel.prompt('call mcp {"tool": "shout", "args": {"message": "hi"}}');
  await h.untilAsked();
});
