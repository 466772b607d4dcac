/** What files say of tools in place of their servers, from the file to the server that is called. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SecretKeeper } from '../../src/config/fixes/secretKeeper.js';
import { OverrideForms } from '../../src/presentation/server/overrideForm.js';
import { useCommandLine } from '../helpers/commandLine.js';
import { CoreHarness, everything, find } from '../helpers/coreHarness.js';
import { type AgentHarness, createAgentHarness } from '../helpers/fakes/agentHarness.js';
import { createAnswers } from '../helpers/fakes/fakeAnswers.js';

const cli = useCommandLine();

let harness: CoreHarness;
beforeEach(async () => {
  harness = await CoreHarness.create();
});
afterEach(() => harness.dispose());

async function connect(toolOverrides: object) {
  await harness.writeGlobal({ all: { ...everything, toolOverrides } });
  const service = harness.open();
  await service.whenStarted();
  const server = find(service, 'all');
  await server.ensureConnected();
  const tool = (name: string) => server.catalog.value.tools.find((one) => one.name === name);
  return { service, server, tool };
}

describe('tools in the words of their entry', () => {
  it('have its texts, and keep the rest', async () => {
    const { server, tool } = await connect({
      echo: { description: 'Says it again.', title: 'Again', readOnly: true },
      'get-sum': { descriptionPrefix: 'Only for small numbers.' },
    });
    expect(tool('echo')).toMatchObject({
      title: 'Again',
      description: 'Says it again.',
      annotations: { title: 'Again', readOnlyHint: true },
      inputSchema: { required: ['message'] },
    });
    expect(tool('get-sum')?.description).toMatch(/^Only for small numbers\.\n\S/);
    // as the server says it, for whoever compares
    expect(server.catalog.value.replaced?.map(({ name }) => name)).toEqual(['echo', 'get-sum']);
    expect(server.catalog.value.replaced?.[0]?.description).not.toBe('Says it again.');
    expect(server.catalog.value.changes).toBeUndefined();
  });

  it('ask for no argument that is fixed, and send it whoever calls', async () => {
    const { server, tool } = await connect({ 'get-sum': { arguments: { b: 40 } } });
    expect(tool('get-sum')?.inputSchema).toMatchObject({ required: ['a'] });
    expect(Object.keys(Object(tool('get-sum')?.inputSchema.properties))).toEqual(['a']);
    const result = await server.callTool('get-sum', { a: 2, b: 1 });
    expect(JSON.stringify(result.content)).toContain('42');
  });

  it('say which input has no value', async () => {
    const { server } = await connect({ echo: { arguments: { message: '${input:gone}' } } });
    await expect(server.callTool('echo', {})).rejects.toThrow('The input gone has no value');
  });

  it('change with the file while the server runs, and come from the cache as they are now', async () => {
    const { service, server, tool } = await connect({ echo: { descriptionPrefix: 'One.' } });
    const started = server.activity.restarts;
    await harness.writeGlobal({
      all: { ...everything, toolOverrides: { echo: { descriptionPrefix: 'Two.' } } },
    });
    await service.reload();
    expect(tool('echo')?.description).toMatch(/^Two\.\n(?!One)/);
    expect(server.activity.restarts).toBe(started);
    await harness.close(service);
    const next = harness.open();
    await next.whenStarted();
    const again = find(next, 'all');
    await expect.poll(() => again.catalog.value.tools.length).toBeGreaterThan(1);
    expect(again.catalog.value.tools.find(({ name }) => name === 'echo')?.description).toMatch(
      /^Two\.\n(?!Two|One)/,
    );
  });
});

describe('the form of a tool', () => {
  const secrets = new SecretKeeper(createAnswers());
  const forms = (service: ReturnType<CoreHarness['open']>, id: string) =>
    new OverrideForms({ service, secrets, context: {} }, id);

  it('changes one tool in the file of the user, and nothing else of it', async () => {
    await harness.writeGlobal(`{
  // mine
  "mcpServers": {
    "all": ${JSON.stringify({ ...everything }).slice(0, -1)},
      "toolOverrides": {
        // because it is loud
        "echo": { "title": "Again" },
        "get-env": { "hidden": true } // not theirs
      }
    }
  }
}
`);
    const service = harness.open();
    await service.whenStarted();
    const server = find(service, 'all');
    await server.ensureConnected();
    const form = forms(service, server.id);
    const { schema, override, path } = await form.read({ tool: 'echo' });
    expect(override).toEqual({ title: 'Again' });
    expect(path).toBe(server.definition.origin.path);
    expect(Object.keys(Object(schema.properties))).toEqual([
      'description',
      'descriptionPrefix',
      'title',
      'readOnly',
      'arguments',
      'hidden',
    ]);
    // a form shows no marks of Markdown
    expect(JSON.stringify(schema)).not.toContain('`');
    const before = await harness.readGlobal();
    const said = { title: 'Again', description: 'Loud.', arguments: { message: 'hi' } };
    const { cost } = await form.weigh({ tool: 'echo', override: said });
    const [after = 0, bare = 0] = (cost.match(/\d+/g) ?? []).map(Number);
    expect(after).toBeLessThan(bare);
    expect(await form.weigh({ tool: 'echo', override: { hidden: true } })).toEqual({
      cost: `0 tokens, ${bare} before`,
      kept: { hidden: true, arguments: {} },
    });
    expect(await harness.readGlobal()).toBe(before);
    await form.save({ tool: 'echo', override: said });
    const written = await harness.readGlobal();
    for (const kept of ['// mine', '// because it is loud', '// not theirs', '"hidden": true']) {
      expect(written).toContain(kept);
    }
    expect(server.definition.options.toolOverrides?.echo).toEqual(said);
    expect((await server.callTool('echo', {})).content).toMatchObject([{ text: 'Echo: hi' }]);
    await form.save({ tool: 'echo', override: {} });
    expect(Object.keys(server.definition.options.toolOverrides ?? {})).toEqual(['get-env']);
  });

  it('writes for a server of a repository to what is the users own, and takes that back', async () => {
    const folder = await harness.addFolder('work', { all: everything });
    const shared = await readFile(resolve(folder.fsPath ?? '', '.mcp.json'), 'utf8');
    const service = harness.open();
    await service.whenStarted();
    await service.trust.trustFolder(folder.uri);
    const server = find(service, 'all');
    await server.ensureConnected();
    const form = forms(service, server.id);
    const { path } = await form.read({ tool: 'echo' });
    await form.save({ tool: 'echo', override: { description: 'Mine.' } });
    expect(server.catalog.value.tools.find(({ name }) => name === 'echo')?.description).toBe(
      'Mine.',
    );
    expect(server.state.value.kind).toBe('connected');
    expect(path).not.toContain(folder.fsPath);
    expect(await readFile(resolve(folder.fsPath ?? '', '.mcp.json'), 'utf8')).toBe(shared);
    await form.save({ tool: 'echo', override: {} });
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ mcpServers: {} });
  });

  it('weighs it together with what other files say of the same tool', async () => {
    const shared = { ...everything, toolOverrides: { echo: { hidden: true } } };
    const folder = await harness.addFolder('work', { all: shared });
    const service = harness.open();
    await service.whenStarted();
    await service.trust.trustFolder(folder.uri);
    const server = find(service, 'all');
    await server.ensureConnected();
    const form = forms(service, server.id);
    const costOf = async (tool: string) =>
      (await form.weigh({ tool, override: { title: 'Again' } })).cost;
    expect(await costOf('echo')).toMatch(/^0 tokens, [1-9]/);
    // control
    expect(await costOf('get-sum')).not.toMatch(/^0 /);
  });

  it('refuses what the file would not be believed, and writes nothing', async () => {
    const { service, server } = await connect({});
    const before = await harness.readGlobal();
    const form = forms(service, server.id);
    for (const override of [{ readOnly: 'yes' }, { colour: 'red' }]) {
      await expect(form.save({ tool: 'echo', override })).rejects.toMatchObject({
        message: expect.stringContaining('toolOverrides.echo.'),
      });
    }
    await expect(form.read({ tool: 'no such' })).rejects.toMatchObject({ code: 'server_unknown' });
    expect(await harness.readGlobal()).toBe(before);
  });
});

describe('whoever calls', () => {
  it('from the command line sends what is fixed, and no tool that is hidden', async () => {
    await harness.writeGlobal({
      all: {
        ...everything,
        toolOverrides: { 'get-sum': { arguments: { b: 40 } }, echo: { hidden: true } },
      },
    });
    const call = (...args: string[]) =>
      cli(harness.root, ['call', 'all', ...args, '--json', '--folder', harness.root]).document();
    expect(JSON.stringify(await call('get-sum', '{"a":2,"b":1}'))).toContain('42');
    const refused = await call('echo', '{"message":"CANARY"}');
    expect(refused.status).not.toBe(0);
    expect(refused.document).toMatchObject({ error: { code: 'tool_hidden' } });
  });

  it('from an app sends what is fixed, and no tool that is hidden', async () => {
    const shop = { command: process.execPath, args: [resolve('test/fixtures/servers/shop.mjs')] };
    const toolOverrides = {
      refresh_orders: { arguments: { since: 'FIXED' } },
      show_flat: { hidden: true },
    };
    await harness.writeGlobal({ shop: { ...shop, toolOverrides } });
    const service = harness.open(undefined, { features: () => ({ showsApps: true }) });
    await service.whenStarted();
    const server = find(service, 'shop');
    await server.ensureConnected();
    let agent: AgentHarness | undefined;
    try {
      agent = await createAgentHarness({ service });
      await agent.panel.prompt('call show_orders {}');
      await agent.answer('once');
      const app = await agent.panel.appCall(agent.tools()[0]?.app?.callId ?? '');
      const { signal } = new AbortController();
      const answer = app.callTool('refresh_orders', { since: 'MINE' }, signal);
      const again = await agent.untilAsked();
      agent.panel.decide(again.state.approvals[0]?.id ?? '', 'once');
      await answer;
      const sent = JSON.stringify(service.traffic.of(server.id).records);
      expect(sent).toContain('FIXED');
      expect(sent).not.toContain('MINE');
      await expect(app.callTool('show_flat', {}, signal)).rejects.toThrow('No tool "show_flat"');
    } finally {
      await agent?.dispose();
    }
  });
});
