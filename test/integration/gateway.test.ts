/** Other programs that use the connections of a folder: real clients of both SDKs, real servers behind the gateway. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  LoggingMessageNotificationSchema,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { HumanError } from '../../src/base/errors.js';
import { Emitter, onceEvent } from '../../src/base/event.js';
import { FolderGateways } from '../../src/gateway/folderGateways.js';
import type { Gateway } from '../../src/gateway/gateway.js';
import { gatewayLimits } from '../../src/gateway/http/limits.js';
import type { ElicitationRequest } from '../../src/mcp/connection/session/clientFeatures.js';
import { curlOf } from '../../src/presentation/runTool/copiedCall.js';
import { everything, filesystem, find, isAlive, memory, pidOf } from '../helpers/coreHarness.js';
import {
  deadServer,
  fixtureServer,
  GatewayHarness,
  headersOf,
  post,
  textsOf,
} from '../helpers/gateway/gatewayHarness.js';

const servers = {
  everything,
  memory,
  filesystem,
  offering: fixtureServer('offering'),
  asking: fixtureServer('asking'),
  shop: fixtureServer('shop'),
};

let harness: GatewayHarness;
let gateway: Gateway;
let asked: { readonly request: ElicitationRequest; readonly clients: readonly string[] }[];

beforeAll(async () => {
  asked = [];
  harness = await GatewayHarness.create(servers, (definition) => ({
    elicit: async (request) => {
      const clients = gateway.calls.of(definition.id).map(({ client }) => client.name);
      asked.push({ request, clients });
      return { action: 'accept', content: { name: 'Ada' } };
    },
  }));
  gateway = await harness.start();
});

afterAll(async () => {
  await harness.dispose();
});

const textOf = (result: unknown) => textsOf(result).join('\n');

async function names(client: Pick<Client, 'listTools'>): Promise<readonly string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

/** A folder of its own, until the end of the test. */
async function create(entries: Readonly<Record<string, unknown>>): Promise<GatewayHarness> {
  const own = await GatewayHarness.create(entries);
  onTestFinished(() => own.dispose());
  return own;
}

describe('the address of all servers', () => {
  it('lists the tools of every server under the names of the agent', async () => {
    const client = await harness.connect(gateway);
    const listed = await names(client);
    expect(listed).toEqual(
      expect.arrayContaining(['everything__echo', 'memory__read_graph', 'offering__count']),
    );
    expect(new Set(listed).size).toBe(listed.length);
    expect(client.getServerVersion()).toMatchObject({ name: 'pi-mcp', title: 'Pi MCP' });
  });

  it('calls the tool of the server that has it', async () => {
    const client = await harness.connect(gateway);
    const result = await client.callTool({
      name: 'everything__echo',
      arguments: { message: 'hi' },
    });
    expect(textOf(result)).toContain('hi');
  });

  it('gives structured results that fit what was listed', async () => {
    const client = await harness.connect(gateway);
    await client.listTools();
    const result = await client.callTool({
      name: 'everything__get-structured-content'.replaceAll('-', '_'),
      arguments: { location: 'Chicago' },
    });
    expect(result.structuredContent).toMatchObject({ temperature: expect.any(Number) });
  });

  it('says of a tool that is not there what an MCP server says', async () => {
    const client = await harness.connect(gateway);
    await expect(client.callTool({ name: 'everything__none' })).rejects.toMatchObject({
      code: -32602,
    });
  });

  it('has prompts, resources, templates and their suggestions', async () => {
    const client = await harness.connect(gateway);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toContain('offering__greet');
    const prompt = await client.getPrompt({ name: 'offering__greet', arguments: { city: 'Oslo' } });
    expect(prompt.messages[0]?.content).toEqual({ type: 'text', text: 'Greet Oslo' });
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain('note://current');
    const read = await client.readResource({ uri: 'weather://Oslo' });
    expect(read.contents).toEqual([
      { uri: 'weather://Oslo', mimeType: 'text/plain', text: 'about weather://Oslo' },
    ]);
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'offering__greet' },
      argument: { name: 'city', value: 'pa' },
    });
    expect(completion.values).toEqual(['Paris', 'Parma']);
    await expect(client.readResource({ uri: 'nowhere://x' })).rejects.toThrow('not found');
  });
});

describe('the address of one server', () => {
  it('has its tools, prompts and resources under their own names', async () => {
    const client = await harness.connect(gateway, 'offering');
    expect(await names(client)).toContain('ask_form');
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toContain('greet');
    expect(textOf(await client.callTool({ name: 'cancelled' }))).toContain('cancelled calls');
    expect(client.getServerVersion()?.title).toBe('Pi MCP: offering');
  });

  it('does not serve sessions of another address', async () => {
    const client = await harness.connect(gateway, 'offering');
    const sessionId = String(
      (client.transport as { readonly sessionId?: string } | undefined)?.sessionId,
    );
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const headers = { 'mcp-session-id': sessionId };
    const response = await post(gateway, message, { server: 'memory', headers });
    expect(response.status).toBe(404);
  });

  it('is not there for a server that is not', async () => {
    await expect(harness.connect(gateway, 'nobody')).rejects.toThrow();
  });
});

describe('during a call', () => {
  it('relays each report of progress once, before the answer', async () => {
    const client = await harness.connect(gateway, 'offering');
    const reports: number[] = [];
    await client.callTool({ name: 'count', arguments: { steps: 3 } }, undefined, {
      onprogress: ({ progress }) => reports.push(progress),
    });
    expect(reports).toEqual([1, 2, 3]);
  });

  it('takes the cancellation of a client to the server', async () => {
    const client = await harness.connect(gateway, 'offering');
    const before = await cancelledCalls(client);
    const cancel = new AbortController();
    const call = client.callTool({ name: 'count', arguments: { steps: 50 } }, undefined, {
      signal: cancel.signal,
      onprogress: () => cancel.abort(),
    });
    await expect(call).rejects.toThrow();
    await expect.poll(() => cancelledCalls(client)).toBe(before + 1);
  });

  it('cancels what a client leaves behind', async () => {
    const watcher = await harness.connect(gateway, 'offering');
    const before = await cancelledCalls(watcher);
    const client = await harness.connect(gateway, 'offering');
    const call = client.callTool({ name: 'count', arguments: { steps: 50 } }, undefined, {
      onprogress: () => void client.close(),
    });
    await expect(call).rejects.toThrow();
    await expect.poll(() => cancelledCalls(watcher)).toBe(before + 1);
  });

  it('answers questions of the server here, and knows for which client', async () => {
    const client = await harness.connect(gateway, 'offering', 'Some Client');
    const result = await client.callTool({ name: 'ask_form' });
    expect(textOf(result)).toContain('Ada');
    expect(asked.at(-1)).toMatchObject({
      request: { kind: 'form', message: 'Who are you?' },
      clients: ['Some Client'],
    });
    expect(gateway.calls.all).toEqual([]);
  });

  it('keeps clients apart that count their requests alike', async () => {
    const clients = await Promise.all(
      ['a', 'b', 'c'].map((name) => harness.connect(gateway, 'everything', name)),
    );
    const words = Array.from({ length: 20 }, (_, index) => `word ${index}`);
    const results = await Promise.all(
      clients.map((client, who) =>
        Promise.all(
          words.map(async (word) => {
            const message = `${who}: ${word}`;
            const result = await client.callTool({ name: 'echo', arguments: { message } });
            return textOf(result).includes(message);
          }),
        ),
      ),
    );
    expect(results.flat()).toEqual(results.flat().map(() => true));
  });
});

describe('what changes', () => {
  it('is told to clients of 2025: lists and resources', async () => {
    const client = await harness.connect(gateway, 'offering');
    const heard: string[] = [];
    client.setNotificationHandler(PromptListChangedNotificationSchema, () => {
      heard.push('prompts');
    });
    client.setNotificationHandler(ResourceListChangedNotificationSchema, () => {
      heard.push('resources');
    });
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
      heard.push(params.uri);
    });
    client.setNotificationHandler(LoggingMessageNotificationSchema, () => undefined);
    await client.subscribeResource({ uri: 'note://current' });
    await expect
      .poll(async () => {
        await client.callTool({ name: 'touch' });
        return heard;
      })
      .toContain('note://current');
    await client.callTool({ name: 'grow' });
    await expect.poll(() => heard).toEqual(expect.arrayContaining(['prompts', 'resources']));
    const prompts = async () => (await client.listPrompts()).prompts.map(({ name }) => name);
    // it is new, so that nobody gets it unseen
    expect(await prompts()).toEqual(['greet']);
    const server = harness.service.serversFor(harness.folder.uri, 'offering')[0];
    const [change] = server?.catalog.value.changes ?? [];
    await server?.acceptDefinitions([change?.fingerprint ?? '']);
    await expect.poll(prompts).toContain('late-prompt');
    await client.unsubscribeResource({ uri: 'note://current' });
  });

  it('is told when a server comes and goes', async () => {
    const client = await harness.connect(gateway);
    let told = 0;
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
      told++;
    });
    const { shop, ...rest } = servers;
    await harness.core.write(harness.folder, rest);
    await expect.poll(() => told).toBeGreaterThan(0);
    expect((await names(client)).filter((name) => name.startsWith('shop__'))).toEqual([]);
    const before = told;
    await harness.core.write(harness.folder, servers);
    await expect.poll(() => told).toBeGreaterThan(before);
    await expect
      .poll(() => names(client))
      .toEqual(expect.arrayContaining([expect.stringMatching(/^shop__/)]));
  });
});

describe('what narrows it', () => {
  it('keeps tools from clients, and tells them when that changes', async () => {
    const changed = new Emitter<void>();
    let isOff = true;
    const narrow = await harness.start({
      rules: {
        isToolLent: (_server, tool) => !(isOff && tool === 'count'),
        onDidChange: changed.event,
      },
    });
    const client = await harness.connect(narrow);
    const listed = await names(client);
    expect(listed).toContain('offering__grow');
    expect(listed).not.toContain('offering__count');
    await expect(client.callTool({ name: 'offering__count' })).rejects.toThrow('Unknown tool');
    let told = 0;
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
      told++;
    });
    isOff = false;
    // news are not kept for a client whose stream is not open yet
    await expect
      .poll(() => {
        changed.fire();
        return told;
      })
      .toBeGreaterThan(0);
    expect(await names(client)).toContain('offering__count');
  });
});

describe('the gateways of a window', () => {
  it('are one for each folder, until it is closed', async () => {
    const gateways = new FolderGateways({
      service: harness.service,
      version: '0.0.0',
      onError: (error) => harness.errors.push(error),
    });
    const { uri } = harness.folder;
    await expect(gateways.start('file:///nowhere')).rejects.toMatchObject({
      code: 'folder_unknown',
    });
    const [first, second] = await Promise.all([gateways.start(uri), gateways.start(uri)]);
    expect(second).toBe(first);
    expect([gateways.folders, gateways.get(uri)]).toEqual([[uri], first]);
    const ended = onceEvent(gateways.onDidEnd);
    await gateways.stop(uri);
    expect(await ended).toBe(uri);
    const again = await gateways.start(uri);
    expect(again.tokens.use).not.toBe(first.tokens.use);
    const other = await harness.core.addFolder('other', {});
    await expect.poll(() => harness.service.getPool(other.uri)).toBeDefined();
    await gateways.start(other.uri);
    const closed = onceEvent(gateways.onDidEnd);
    harness.core.removeFolder(other);
    expect(await closed).toBe(other.uri);
    await gateways.stopAll();
    expect(gateways.folders).toEqual([]);
    gateways.dispose();
  });
});

describe('a client of 2026-07-28', () => {
  it('lists, calls, reads and hears of progress', async () => {
    const client = await harness.connectModern(gateway);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('offering__count');
    const reports: number[] = [];
    const result = await client.callTool(
      { name: 'offering__count', arguments: { steps: 2 } },
      { onprogress: ({ progress }) => reports.push(progress) },
    );
    expect([textOf(result), reports]).toEqual(['counted', [1, 2]]);
    const read = await client.readResource({ uri: 'note://current' });
    expect(textOf({ content: read.contents })).toContain('revision');
    const prompt = await client.getPrompt({ name: 'offering__greet', arguments: { city: 'X' } });
    expect(prompt.messages).toHaveLength(1);
  });

  it('cancels at the server', async () => {
    const client = await harness.connectModern(gateway, 'offering');
    const before = await cancelledCalls(client);
    const cancel = new AbortController();
    const call = client.callTool(
      { name: 'count', arguments: { steps: 50 } },
      { signal: cancel.signal, onprogress: () => cancel.abort() },
    );
    await expect(call).rejects.toThrow();
    await expect.poll(() => cancelledCalls(client)).toBe(before + 1);
  });
});

describe('a call that was copied as curl', () => {
  const call = { server: 'offering', tool: 'greeting', args: { text: `it's "$HOME" \`id\`` } };

  it('is answered, and has neither token nor address in its text', async () => {
    const text = curlOf(
      { ...call, tool: 'count', args: { steps: 1, note: call.args.text } },
      'posix',
    );
    expect(text).not.toContain(gateway.tokens.use);
    expect(text).not.toContain(gateway.url);
    const { stdout } = await promisify(execFile)('sh', ['-c', text], {
      env: {
        PATH: process.env.PATH,
        PI_MCP_GATEWAY_URL: gateway.url,
        PI_MCP_GATEWAY_TOKEN: gateway.tokens.use,
      },
    });
    expect(stdout).toContain('counted');
    expect(stdout).not.toContain('"error"');
  });

  it('has nothing that a shell would read', () => {
    const evil = { server: '$(id)`"\'', tool: "a'; rm", args: { text: "'; rm -rf" } };
    const text = curlOf(evil, 'posix');
    expect(text).toContain('/%24(id)'.replace('(', '%28').replace(')', '%29'));
    const quoted = text.replaceAll(/'(?:[^']|'\\'')*'/g, '');
    expect(quoted).not.toMatch(/rm|`|\$\(/);
    expect(curlOf(evil, 'windows')).toMatch(
      /^'\{[^']*u0027; rm -rf[^']*\}' \| curl\.exe [^&|<>^%!]*%24/,
    );
  });
});

describe('servers that cannot be used', () => {
  it('are errors, never empty lists', async () => {
    const own = await create({ dead: deadServer });
    const dead = await own.start();
    for (const server of [undefined, 'dead']) {
      const client = await own.connect(dead, server);
      await expect(client.listTools()).rejects.toThrow(/dead: .*exit/s);
      await expect(client.listResources()).rejects.toThrow();
    }
  });

  it('do not take others along, and what is remembered of them stays', async () => {
    const own = await create({ dead: deadServer, offering: servers.offering });
    const lending = await own.start();
    const client = await own.connect(lending);
    expect(await names(client)).toContain('offering__count');
    const server = find(own.service, 'offering');
    process.kill(pidOf(server), 'SIGKILL');
    await expect.poll(() => server.state.value.kind).not.toBe('connected');
    expect(await names(client)).toContain('offering__count');
    expect(textOf(await client.callTool({ name: 'offering__cancelled' }))).toContain('0');
  });

  it('say why in the result of a call', async () => {
    const own = await create({ offering: servers.offering });
    const refusing = await own.start({
      approve: async ({ client, tool }) => {
        throw new HumanError('tool_changed', `Nobody lets ${client.name} call ${tool}.`);
      },
    });
    const client = await own.connect(refusing);
    const result = await client.callTool({ name: 'offering__count' });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe('Nobody lets tester call count.');
  });

  it('are not lent before their user has consented', async () => {
    const own = await create({ offering: servers.offering });
    await own.service.trust.revoke(own.folder.uri);
    const careful = await own.start();
    expect(await names(await own.connect(careful))).toEqual([]);
    const client = await own.connect(careful, 'offering');
    await expect(client.listTools()).rejects.toThrow('waits for your trust');
  });

  it('do not stand in the way of one of the user that has their name', async () => {
    const own = await create({ shared: deadServer });
    await own.service.trust.revoke(own.folder.uri);
    await own.core.writeGlobal({ shared: servers.offering });
    await own.service.reload();
    const lending = await own.start();
    expect(await names(await own.connect(lending))).toContain('shared__count');
    expect(await names(await own.connect(lending, 'shared'))).toContain('count');
  });

  it('are not the gateway itself', async () => {
    const own = await create({ offering: servers.offering });
    const lending = await own.start();
    const self = { url: lending.url, headers: headersOf(lending) };
    await own.core.write(own.folder, { offering: servers.offering, self });
    await own.service.reload();
    expect(own.service.servers.map(({ definition }) => definition.name)).toContain('self');
    const listed = await names(await own.connect(lending));
    expect(listed.filter((name) => name.startsWith('self__'))).toEqual([]);
  });

  it('are no other gateway, which could lend them back', async () => {
    const [own, others] = [
      await create({ offering: servers.offering }),
      await create({ shop: servers.shop }),
    ];
    const [lending, other] = [await own.start(), await others.start()];
    await own.core.writeGlobal({ other: { url: other.url, headers: headersOf(other) } });
    await own.service.reload();
    const client = await own.connect(lending);
    await find(own.service, 'other').ensureConnected();
    expect(find(own.service, 'other').catalog.value.tools).not.toEqual([]);
    expect(await names(client)).toContain('offering__count');
    expect((await names(client)).filter((name) => name.startsWith('other__'))).toEqual([]);
    await expect(own.connect(lending, 'other')).rejects.toThrow('No such server.');
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).not.toContain('shop://rules');
  });
});

describe('the socket', () => {
  it.skipIf(process.platform === 'win32')(
    'is for this user alone, and goes with the gateway',
    async () => {
      const lending = await harness.start();
      const path = lending.socket;
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      expect((await stat(dirname(path))).mode & 0o777).toBe(0o700);
      await lending.stop();
      expect(existsSync(dirname(path))).toBe(false);
    },
  );

  it('serves lists, calls, progress and news', async () => {
    const lending = await harness.start();
    const client = await harness.connectSocket(lending);
    expect(await names(client)).toContain('offering__count');
    const reports: number[] = [];
    await client.callTool({ name: 'offering__count', arguments: { steps: 2 } }, undefined, {
      onprogress: ({ progress }) => reports.push(progress),
    });
    expect(reports).toEqual([1, 2]);
    const closed = new Promise<void>((resolve) => {
      client.onclose = resolve;
    });
    await lending.stop();
    await closed;
  });

  it('is closed for lines without end', async () => {
    const lending = await harness.start();
    const socket = connect(lending.socket);
    socket.on('error', () => undefined);
    const closed = once(socket, 'close');
    socket.write('x'.repeat(gatewayLimits.bodyBytes + 1000));
    await closed;
    await lending.stop();
  });
});

describe('the end', () => {
  it('comes when consent is withdrawn, for every client, before what it has called is over', async () => {
    const own = await create({ offering: servers.offering });
    const lending = await own.start();
    const client = await own.connect(lending);
    const server = find(own.service, 'offering');
    const call = client.callTool({ name: 'offering__count', arguments: { steps: 500 } });
    const failed = expect(call).rejects.toThrow();
    await expect.poll(() => lending.calls.all.length).toBe(1);
    const pid = pidOf(server);
    const ended = onceEvent(lending.onDidEnd);
    await own.service.trust.revoke(own.folder.uri);
    expect(await ended).toBe('revoked');
    await failed;
    await expect(fetch(lending.url, { headers: headersOf(lending) })).rejects.toThrow();
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it('does not come when one of two entries that changed is trusted anew', async () => {
    const own = await create({});
    const { trust } = own.service;
    const { uri } = own.folder;
    const declare = async (env: object) => {
      const entry = { ...servers.offering, env };
      await own.core.write(own.folder, { one: entry, two: entry });
      await own.service.reload();
      return trust.pendingConsent(uri);
    };
    await trust.revoke(uri);
    await trust.trustServers(uri, await declare({}));
    const lending = await own.start();
    const [one] = await declare({ LEVEL: '1' });
    await trust.trustServers(uri, one ? [one] : []);
    expect(lending.isEnding).toBe(false);
    // consent to what is lent
    await trust.revoke(uri);
    expect(lending.isEnding).toBe(true);
  });

  it('comes when it is stopped, and leaves the servers to others', async () => {
    const own = await create({ offering: servers.offering });
    const lending = await own.start();
    const client = await own.connect(lending);
    await client.callTool({ name: 'offering__cancelled' });
    await lending.stop();
    await expect(client.callTool({ name: 'offering__cancelled' })).rejects.toThrow();
    expect(find(own.service, 'offering').state.value.kind).toBe('connected');
    expect(lending.sessionCount).toBe(0);
  });

  it('opens no session for a request whose body comes meanwhile', async () => {
    const own = await create({ offering: servers.offering });
    const lending = await own.start();
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    const headers = {
      ...headersOf(lending),
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
      'Content-Length': body.length,
    };
    const head = Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
    const socket = connect(lending.port, '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.write(`POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${lending.port}\r\n${head}\r\n${body[0]}`);
    // it has come once another one that was sent later is answered
    await own.connect(lending);
    const ended = lending.stop();
    socket.write(body.slice(1));
    await Promise.all([ended, once(socket, 'close')]);
    expect(text).toMatch(/^HTTP\/1\.1 503/);
    expect(lending.sessionCount).toBe(0);
  });
});

describe('many sessions', () => {
  it('are served one after the other, and no more at once than there is room for', async () => {
    const own = await create({ offering: servers.offering });
    const lending = await own.start();
    for (let round = 0; round <= gatewayLimits.sessions; round++) {
      const client = await own.connect(lending, 'offering');
      await (client.transport as { terminateSession?(): Promise<void> }).terminateSession?.();
      await client.close();
    }
    await expect.poll(() => lending.sessionCount).toBe(0);
    for (let count = 0; count < gatewayLimits.sessions; count++) {
      await own.connect(lending, 'offering');
    }
    await expect(own.connect(lending, 'offering')).rejects.toThrow('Too many sessions');
    await expect.poll(() => lending.sessionCount).toBe(gatewayLimits.sessions);
  });
});

async function cancelledCalls(client: {
  callTool(params: { readonly name: string }): Promise<unknown>;
}): Promise<number> {
  return Number(/\d+/.exec(textOf(await client.callTool({ name: 'cancelled' })))?.[0]);
}
