import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSdkEngine } from '../../src/mcp/connection/sdkEngine/sdkEngine.js';
import type { McpSession } from '../../src/mcp/connection/session/engine.js';
import { StdioTransport } from '../../src/mcp/connection/stdio/stdioTransport.js';
import { createChildEnvironment } from '../../src/platform/environment/childEnvironment.js';
import { createNodeHostEnvironment } from '../../src/platform/environment/nodeHostEnvironment.js';
import { createProcessTree } from '../../src/platform/process/tree.js';
import { callForResult } from '../fixtures/connections.js';
import { useCommandLine } from '../helpers/commandLine.js';
import { CoreHarness, everything } from '../helpers/coreHarness.js';
import { createAgentHarness } from '../helpers/fakes/agentHarness.js';
import { CallableServer } from '../helpers/fakes/fakeAgentMcp.js';

const cli = useCommandLine();
let session: McpSession;
let server: CallableServer;

beforeAll(async () => {
  const environment = createNodeHostEnvironment();
  const transport = new StdioTransport(
    {
      executable: process.execPath,
      args: [resolve('node_modules/@modelcontextprotocol/server-everything/dist/index.js')],
      cwd: process.cwd(),
      env: await createChildEnvironment(environment, { env: {}, inheritEnv: false }),
    },
    { tree: createProcessTree(), onNotice: () => undefined },
  );
  session = await createSdkEngine().connect(transport, {
    clientInfo: { name: 'agent-test', version: '1.0.0' },
    signal: new AbortController().signal,
    timeoutMs: 20_000,
    onNotice: () => undefined,
  });
  const { items } = await session.list('tools', { timeoutMs: 20_000 });
  server = new CallableServer('everything', items, (name, args, options) =>
    callForResult(session, name, args, { timeoutMs: 20_000, ...options }),
  );
});

afterAll(async () => {
  await session?.close();
});

it('calls the tools of a real server: text, image, progress', async () => {
  const h = await createAgentHarness({ servers: () => [server] });
  try {
    h.defaultMode.set('runFreely');
    await h.say('echo hello');
    expect(h.tools()[0]).toMatchObject({
      tool: 'everything__echo',
      status: 'done',
      result: [{ kind: 'text', text: 'Echo: hello' }],
    });
    await h.say('show me an image');
    const image = h.tools()[1]?.result.find(({ kind }) => kind === 'image');
    expect(h.tools()[1]?.status).toBe('done');
    expect(image).toMatchObject({ kind: 'image', mimeType: 'image/png' });
    // the picture reached the model as well
    expect(JSON.stringify(h.demo.requests.at(-1)?.messages)).toContain('image_url');
    const seen: string[] = [];
    h.panel.onDidChangeEntries(() => seen.push(h.tools()[2]?.progress ?? ''));
    await h.say('wait with progress');
    expect(h.tools()[2]?.status).toBe('done');
    expect(seen.some((progress) => /\d\/4/.test(progress))).toBe(true);
  } finally {
    await h.dispose();
  }
});

it('sends what the command line prints: names, descriptions and schemas', async () => {
  const h = await createAgentHarness({ servers: () => [server] });
  const core = await CoreHarness.create();
  try {
    await h.say('hello');
    const sent = (h.demo.requests.at(-1)?.tools ?? [])
      .map(({ function: tool }) => tool)
      .filter(({ name }) => name.startsWith('everything__'));
    await core.writeGlobal({ everything });
    const args = ['tools', '--json', '--folder', core.root];
    const { document } = await cli(core.root, args).document();
    const printed: readonly PrintedTool[] = document.offered;
    expect(sent.length).toBeGreaterThan(10);
    for (const { name, description, parameters } of sent) {
      const twin = printed.find((tool) => tool.name === name);
      expect(twin).toMatchObject({ name, description });
      expect(twin?.inputSchema).toEqual(parameters);
    }
  } finally {
    await h.dispose();
    await core.dispose();
  }
});

interface PrintedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
}
