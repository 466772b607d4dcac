/** What a real server says about apps, icons and data, over both engines, and what the agent makes of it. */
import { resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { AppLife } from '../../src/agent/apps/life.js';
import { defaultToolPolicy } from '../../src/agent/policy/toolPolicy.js';
import type { JsonObject } from '../../src/base/json.js';
import type { ProtocolPreference } from '../../src/config/definition.js';
import { AppConsents } from '../../src/mcp/apps/consents.js';
import { readAppDocument } from '../../src/mcp/apps/document.js';
import { iconOf } from '../../src/mcp/catalog/icons.js';
import { type FinishedCall, ToolStatistics } from '../../src/mcp/catalog/records/toolStatistics.js';
import { readCatalog } from '../../src/mcp/server/readCatalog.js';
import { nullLogger } from '../../src/platform/ports.js';
import {
  callForResult,
  requestOptions,
  stdioLaunch,
  TestConnections,
} from '../fixtures/connections.js';
import { type AgentHarness, createAgentHarness } from '../helpers/fakes/agentHarness.js';
import { CallableServer } from '../helpers/fakes/fakeAgentMcp.js';

const script = resolve('test/fixtures/servers/shop.mjs');

describe.each<ProtocolPreference>(['legacy', 'auto'])('over protocol version "%s"', (version) => {
  const connections = new TestConnections();
  afterEach(async () => {
    await connections.closeAll();
    expect(await connections.processes()).toEqual([]);
  });
  const open = (showsApps: boolean) =>
    connections.open(
      stdioLaunch('node', [script, connections.marker], { protocolVersion: version }),
      { features: { showsApps } },
    );
  const capabilities = async (showsApps: boolean): Promise<JsonObject> => {
    const { session } = await open(showsApps);
    const { content } = await callForResult(session, 'capabilities', {}, requestOptions);
    return JSON.parse(String(content[0]?.text));
  };

  it('tells the server about apps where there is a place for them', async () => {
    const extension = {
      'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] },
    };
    expect((await capabilities(true)).extensions).toMatchObject(extension);
    expect((await capabilities(false)).extensions ?? {}).not.toMatchObject(extension);
  });

  it('reads apps, visibility and icons', async () => {
    const { session } = await open(true);
    const catalog = await readCatalog(session, requestOptions);
    const ui = Object.fromEntries(catalog.tools.map((tool) => [tool.name, tool.ui]));
    expect(ui).toMatchObject({
      show_orders: { resourceUri: 'ui://shop/orders' },
      show_flat: { resourceUri: 'ui://shop/orders' },
      refresh_orders: { visibility: ['app'] },
      model_only: { visibility: ['model'] },
    });
    const show = catalog.tools.find(({ name }) => name === 'show_orders');
    expect(iconOf(show)?.light).toMatch(/^data:image\/png;base64,/);
    expect(iconOf(catalog.serverInfo)?.light).toMatch(/^data:image\/svg\+xml;base64,/);
    expect(iconOf(catalog.serverInfo)?.dark).toMatch(/^data:image\/png;base64,/);
    expect(iconOf(catalog.prompts[0])).toBeDefined();
    expect(iconOf(catalog.resources[0])).toBeDefined();
    // an address elsewhere is loaded by nobody
    expect(iconOf(catalog.tools.find(({ name }) => name === 'refresh_orders'))).toBeUndefined();
  });

  it('says how data differs from its schema, and keeps the data', async () => {
    const { session } = await open(true);
    await session.list('tools', requestOptions);
    const wrong = await callForResult(session, 'wrong_total', {}, requestOptions);
    expect(wrong.structuredContent).toMatchObject({ currency: 'EUR' });
    expect(wrong.mismatch).toMatch(/^The result of "wrong_total" does not match its output schema/);
    expect(await callForResult(session, 'show_orders', {}, requestOptions)).not.toHaveProperty(
      'mismatch',
    );
  });

  it('reads the document of an app with what it asks for', async () => {
    const { session } = await open(true);
    const server = new CallableServer('shop', [], () => Promise.reject(new Error('not called')));
    const read = (uri: string) =>
      readAppDocument(
        Object.assign(server, { readResource: () => session.readResource(uri, requestOptions) }),
        uri,
      );
    const { html, needs } = await read('ui://shop/orders');
    expect(html).toContain('<h1>Orders</h1>');
    expect(needs).toMatchObject({ connectDomains: [], permissions: ['camera'] });
    await expect(read('shop://rules')).rejects.toThrow(/it is of type text\/plain/);
  });
});

describe('in a conversation', () => {
  let open: AgentHarness | undefined;
  afterEach(async () => {
    await open?.dispose();
    open = undefined;
  });

  async function harness() {
    const calls: [string, JsonObject][] = [];
    const app = { resourceUri: 'ui://shop/orders' };
    const offered = [
      { name: 'show', inputSchema: {}, ui: app },
      { name: 'refresh', inputSchema: {}, ui: { visibility: ['app'] as const } },
      { name: 'model_only', inputSchema: {}, ui: { visibility: ['model'] as const } },
    ];
    const server = new CallableServer('shop', offered, (name, args) => {
      calls.push([name, args]);
      return Promise.resolve({
        content: [],
        structuredContent: { orders: [{ id: 1 }] },
        isError: false,
      });
    });
    const counted: string[] = [];
    const statistics = Object.assign(
      new ToolStatistics({
        watcher: { watch: () => ({ dispose: () => undefined }) },
        logger: nullLogger,
      }),
      { count: ({ tool }: FinishedCall) => void counted.push(tool) },
    );
    const tools = { ...defaultToolPolicy, statistics };
    const h = await createAgentHarness({ servers: () => [server], tools });
    open = h;
    await h.panel.prompt('call show {"probe": 1}');
    await h.answer('once');
    const [entry] = h.tools();
    const call = await h.panel.appCall(entry?.app?.callId ?? '');
    return { h, server, calls, counted, call, entry };
  }

  it('offers the app and the data of a call, and hides tools that are for apps', async () => {
    const { h, call, entry } = await harness();
    expect(entry?.structured?.shape).toEqual({ kind: 'table', columns: ['id'], rows: [['1']] });
    expect(call).toMatchObject({ args: { probe: 1 }, resourceUri: 'ui://shop/orders' });
    expect(h.offered()).toContain('shop__show');
    expect(h.offered()).not.toContain('shop__refresh');
    await expect(h.panel.appCall('other')).rejects.toThrow('This is not there any more.');
  });

  it('calls a tool for the app once the user has approved it, with what the user made of it', async () => {
    const { h, call, calls, counted, server } = await harness();
    const signal = new AbortController().signal;
    const refused = call.callTool('refresh', { all: true }, signal);
    const { state } = await h.untilAsked();
    expect(state.approvals[0]).toMatchObject({ isByApp: true, mcp: { tool: 'refresh' } });
    h.panel.decide(state.approvals[0]?.id ?? '', 'deny');
    await expect(refused).rejects.toThrow('The user did not allow this call');
    const allowed = call.callTool('refresh', { all: true }, signal);
    const again = await h.untilAsked();
    h.panel.decide(again.state.approvals[0]?.id ?? '', 'session', '{"all": false}');
    expect(await allowed).toMatchObject({ structuredContent: { orders: [{ id: 1 }] } });
    const made: unknown[] = [];
    const { callTool } = server;
    Object.assign(server, {
      callTool: (...params: Parameters<typeof callTool>) => {
        made.push(params[2]?.maker);
        return callTool.apply(server, params);
      },
    });
    await call.callTool('refresh', {}, signal);
    expect(made).toMatchObject([{ by: 'app', approval: { kind: 'rule' } }]);
    expect(calls.slice(1)).toEqual([
      ['refresh', { all: false }],
      ['refresh', {}],
    ]);
    expect(counted).toEqual(['show', 'refresh', 'refresh']);
  });

  it('calls no tool that changed while the user was asked for it', async () => {
    const { h, call, calls, server } = await harness();
    const { signal } = new AbortController();
    for (const change of ['before the answer', 'when the server starts']) {
      const asked = call.callTool('refresh', {}, signal);
      const { state } = await h.untilAsked();
      const { catalog } = server;
      const tools = catalog.value.tools.map((tool) => ({ ...tool, description: change }));
      const become = () => catalog.set({ ...catalog.value, tools });
      if (change === 'before the answer') {
        become();
      } else {
        server.beforeCall = become;
      }
      h.panel.decide(state.approvals[0]?.id ?? '', 'once');
      await expect(asked).rejects.toThrow();
    }
    expect(calls).toHaveLength(1);
  });

  it('keeps the app from tools that are not for it, and withdraws the question of a closed app', async () => {
    const { h, call, calls } = await harness();
    const { signal } = new AbortController();
    await expect(call.callTool('model_only', {}, signal)).rejects.toThrow('No tool "model_only"');
    await expect(call.callTool('unknown', {}, signal)).rejects.toThrow('No tool "unknown"');
    const closing = new AbortController();
    const asked = call.callTool('refresh', {}, closing.signal);
    await h.untilAsked();
    closing.abort();
    await expect(asked).rejects.toThrow();
    await h.until('no approval', ({ state }) => state.approvals.length === 0);
    expect(calls).toHaveLength(1);
  });

  it('ends the app with its consent, its conversation or its server', async () => {
    const { h, server, call } = await harness();
    const consents = new AppConsents({
      directory: undefined,
      watcher: { watch: () => ({ dispose: () => undefined }) },
      logger: nullLogger,
    });
    const trust = { ...h.service.trust, isWorkspaceTrusted: true };
    const service = Object.assign(h.service, { trust }).asService;
    const { folderUri } = call;
    const place = { folderUri, serverId: server.id };
    const start = () => new AppLife({ service, consents, call, permissions: [] });
    expect(start().state.value.kind).toBe('over');
    await consents.allow(server.definition, folderUri, []);
    server.state.set({ kind: 'connected', transport: 'stdio', since: 0, connectMs: 0 });
    trust.isWorkspaceTrusted = false;
    expect(start().state.value.kind).toBe('over');
    trust.isWorkspaceTrusted = true;
    const life = start();
    expect(life.state.value).toEqual({ kind: 'live' });
    const holders = server.holders;
    server.state.set({ kind: 'idle' });
    expect(life.state.value.kind).toBe('frozen');
    server.state.set({ kind: 'connected', transport: 'stdio', since: 0, connectMs: 0 });
    expect(life.state.value.kind).toBe('live');
    await consents.revoke(place);
    expect(life.state.value.kind).toBe('over');
    await consents.allow(server.definition, folderUri, []);
    expect(life.state.value.kind).toBe('over');
    life.dispose();
    expect(server.holders).toBe(holders - 1);
    const second = start();
    const [conversation] = await h.panel.library.list();
    await h.panel.newSession();
    // it goes on in the background
    expect(second.state.value.kind).toBe('live');
    await h.panel.library.delete(conversation?.id ?? '');
    expect(second.state.value.kind).toBe('over');
    second.dispose();
    await expect(call.callTool('refresh', {}, new AbortController().signal)).rejects.toThrow();
  });
});
