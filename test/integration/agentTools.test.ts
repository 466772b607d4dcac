/** How tools reach the model, with the real Pi and a scripted model. */
import { expect, it } from 'vitest';
import { defaultToolPolicy } from '../../src/agent/policy/toolPolicy.js';
import { wholeResultOf } from '../../src/agent/tools/resultStore.js';
import { HumanError } from '../../src/base/errors.js';
import type { McpServerOptions } from '../../src/config/definition.js';
import { defaultOptions } from '../../src/config/schema/fields.js';
import { ToolStatistics } from '../../src/mcp/catalog/records/toolStatistics.js';
import { nullLogger } from '../../src/platform/ports.js';
import type { AgentHarness } from '../helpers/fakes/agentHarness.js';
import { CallableServer } from '../helpers/fakes/fakeAgentMcp.js';
import { useAgentHarness } from '../helpers/fakes/useAgentHarness.js';

const harnessWith = useAgentHarness();

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

function harness(options: Partial<McpServerOptions>): Promise<AgentHarness> {
  return harnessWith({ servers: () => [demoServer(options)] });
}

it('offers what ToolSearch found from the next model request of the same run on', async () => {
  const h = await harness({ exposure: 'search' });
  await h.say('call ToolSearch {"query": "shout"}');
  const offers = h.demo.requests.map(({ tools }) =>
    (tools ?? []).map(({ function: tool }) => tool.name).filter((name) => /demo|Tool/.test(name)),
  );
  expect(offers).toEqual([['ToolSearch'], expect.arrayContaining(['ToolSearch', 'demo__shout'])]);
  expect(h.tools()[0]).toMatchObject({ tool: 'ToolSearch', status: 'done' });
});

it('keeps found tools when the conversation is taken up again', async () => {
  const h = await harness({ exposure: 'search' });
  await h.say('call ToolSearch {"query": "select:demo__echo"}');
  h.workspace.setTrusted(false);
  await h.until('the restricted session', ({ state }) => state.tools.builtIn < 5);
  await h.panel.prompt('echo hello');
  await h.untilAsked();
  expect(h.offered()).toContain('demo__echo');
  expect(h.offered()).not.toContain('demo__shout');
});

it('asks for a call through the mcp tool as for the tool that it calls', async () => {
  const h = await harness({ exposure: 'proxy' });
  await h.say('call mcp {"server": "demo"}');
  expect(h.tools()[0]).toMatchObject({ tool: 'mcp', status: 'done' });
  await h.panel.prompt('call mcp {"tool": "echo", "args": {"message": "hi"}}');
  const { state } = await h.untilAsked();
  expect(state.approvals[0]?.mcp).toEqual({ server: 'demo', tool: 'echo' });
  await h.answer('session');
  expect(h.tools()[1]).toMatchObject({
    mcp: { server: 'demo', tool: 'echo' },
    status: 'done',
    result: [{ kind: 'text', text: 'echo: hi' }],
  });
  await h.panel.prompt('call mcp {"tool": "shout", "args": {"message": "hi"}}');
  await h.untilAsked();
});

it('keeps the whole of a result that the model gets in parts, and its files', async () => {
  const text = `begin ${'x'.repeat(40_000)} end`;
  const server = new CallableServer('demo', [{ name: 'echo', inputSchema: {} }], () =>
    Promise.resolve({
      content: [
        { type: 'text', text },
        { type: 'audio', data: 'QUJD', mimeType: 'audio/wav' },
      ],
      isError: false,
    }),
  );
  const h = await harnessWith({ mode: 'runFreely', servers: () => [server] });
  await h.say('echo hello');
  const whole = h.tools()[0]?.whole;
  expect(whole).toMatchObject({ isCut: true, files: [{ mimeType: 'audio/wav', bytes: 3 }] });
  expect(JSON.stringify(h.demo.requests.at(-1))).toContain('MCP_RESULT_TRUNCATED');
  const expected = {
    server: 'demo',
    tool: 'echo',
    text: expect.stringContaining(text),
    attachments: [{ mimeType: 'audio/wav', data: 'QUJD' }],
  };
  await expect(wholeResultOf(h.panel.shown?.results, whole?.callId ?? '')).resolves.toMatchObject(
    expected,
  );
  await expect(wholeResultOf(h.panel.shown?.results, 'other')).rejects.toThrow(
    'not there any more',
  );
  // the window may be another one
  await h.reload();
  expect(h.tools()[0]?.whole).toEqual(whole);
  await expect(wholeResultOf(h.panel.shown?.results, whole?.callId ?? '')).resolves.toMatchObject(
    expected,
  );
});

it('counts calls by how they ended, and writes results as TOON when the user wants that', async () => {
  const statistics = new ToolStatistics({
    watcher: { watch: () => ({ dispose: () => undefined }) },
    logger: nullLogger,
  });
  const rows = JSON.stringify(Array.from({ length: 9 }, (_, id) => ({ id, name: `row ${id}` })));
  let calls = 0;
  const server = new CallableServer('demo', [{ name: 'echo', inputSchema: {} }], () =>
    ++calls === 2
      ? Promise.reject(new HumanError('exited', 'The process ended.'))
      : Promise.resolve({ content: [{ type: 'text', text: rows }], isError: calls === 3 }),
  );
  const h = await harnessWith({
    mode: 'runFreely',
    servers: () => [server],
    tools: { ...defaultToolPolicy, statistics },
    settings: { toonEncode: ['demo'] },
  });
  try {
    for (const message of ['one', 'two', 'three']) {
      await h.say(`echo ${message}`);
    }
    expect(h.tools()[0]?.result).toEqual([
      { kind: 'text', text: expect.stringMatching(/^\[9\]\{id,name\}:/) },
    ]);
    expect(statistics.all).toMatchObject([
      { server: 'demo', tool: 'echo', calls: 3, errors: { exited: 1, tool_error: 1 } },
    ]);
    expect(statistics.all[0]?.tokens).toBeGreaterThan(50);
  } finally {
    await statistics.flush();
    statistics.dispose();
  }
});
