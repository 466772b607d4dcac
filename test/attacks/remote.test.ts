/** What a remote server may do with what it is sent, and where it may lead. All of them are the user's own entries. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { globalPoolId, serverId } from '../../src/config/definition.js';
import type { McpServer } from '../../src/mcp/mcpApi.js';
import type { AuthorizationPrompt } from '../../src/mcp/oauth/authorizationPrompt.js';
import { startAuthServer } from '../fixtures/servers/authServer.mjs';
import { OpenSecrets, TestUser } from '../fixtures/signIn.js';
import { type Answer, type HeardRequest, Listener } from '../helpers/attacks/listener.js';
import { Lookups } from '../helpers/attacks/lookups.js';
import { createSecret, findSecrets } from '../helpers/attacks/secrets.js';
import { CoreHarness } from '../helpers/coreHarness.js';

const id = serverId(globalPoolId, 'remote');
let core: CoreHarness;
let server: Listener;
/** Of another origin: nothing may reach it. */
let stranger: Listener;
let secret: string;
/** Addresses at which a browser would have been opened. */
let opened: string[];

beforeEach(async () => {
  core = await CoreHarness.create();
  server = await Listener.create();
  stranger = await Listener.create();
  secret = createSecret('header');
  opened = [];
});

afterEach(async () => {
  await core.dispose();
  await Promise.all([server.close(), stranger.close()]);
});

const prompt: AuthorizationPrompt = {
  begin: async () => ({
    redirectUrl: 'http://127.0.0.1:1/callback',
    open: async (url) => {
      opened.push(url.href);
      return undefined;
    },
    dispose: () => undefined,
  }),
};

/** Opens a window with the remote server, and connects it as far as it goes. */
async function connect(entry: object = {}): Promise<McpServer> {
  const headers = { 'X-Key': secret, Authorization: `Bearer ${secret}` };
  await core.writeGlobal({ remote: { url: server.url('mcp'), headers, ...entry } });
  const service = core.open(undefined, { authorizationPrompt: () => prompt });
  await service.whenStarted();
  const found = service.getServer(id);
  if (!found) {
    throw new Error('The entry was not read');
  }
  await found.ensureConnected().catch(() => undefined);
  return found;
}

function json(response: Parameters<Answer>[1], value: object): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

/** A small server over Streamable HTTP. */
function serve(on: Readonly<Record<string, Answer>> = {}): Answer {
  return (request, response) => {
    const { id: requestId, method = request.method } = parse(request);
    const own = on[method];
    if (own) {
      own(request, response);
    } else if (requestId === undefined) {
      response.writeHead(request.method === 'POST' ? 202 : 405).end();
    } else {
      const about = { protocolVersion: '2025-06-18', serverInfo: { name: 'x', version: '1' } };
      const results: Readonly<Record<string, object>> = {
        initialize: { ...about, capabilities: { tools: {} } },
        'tools/list': { tools: [{ name: 'go', inputSchema: { type: 'object' } }] },
        'tools/call': { content: [{ type: 'text', text: 'gone' }] },
      };
      json(response, { jsonrpc: '2.0', id: requestId, result: results[method] ?? {} });
    }
  };
}

function parse({ body }: HeardRequest): { readonly id?: unknown; readonly method?: string } {
  return body === '' ? {} : JSON.parse(body);
}

describe('a remote server', () => {
  it('control: is reached with its headers, and its tool answers', async () => {
    server.answer = serve();
    const remote = await connect();
    expect((await remote.callTool('go', {})).content).toEqual([{ type: 'text', text: 'gone' }]);
    expect(findSecrets({ server: server.received }, { secret })).not.toEqual([]);
  });

  it.each([
    [301, 'initialize'],
    [302, 'initialize'],
    [303, 'initialize'],
    [307, 'initialize'],
    [308, 'initialize'],
    [307, 'tools/list'],
    [308, 'tools/call'],
    [307, 'GET'],
    [308, 'notifications/initialized'],
  ])('that redirects elsewhere (%i at %s) takes no header along', async (status, method) => {
    server.answer = serve({
      [method]: (_request, response) => {
        response.writeHead(status, { location: stranger.url('stolen') }).end();
      },
    });
    const remote = await connect();
    await remote.callTool('go', {}).catch(() => undefined);
    expect(server.requests.map((request) => parse(request).method ?? request.method)).toContain(
      method,
    );
    expect(stranger.connections).toBe(0);
  });

  it.each([
    'file:///etc/passwd',
    'data:application/json,{}',
    'javascript:alert(1)',
    '//127.0.0.1:1@STRANGER/mcp',
    '\\\\STRANGER\\mcp',
    'http:STRANGER/mcp',
  ])('that redirects to %s leads nowhere', async (location) => {
    const place = location.replace('STRANGER', `127.0.0.1:${stranger.port}`);
    server.answer = serve({
      initialize: (_request, response) => void response.writeHead(307, { location: place }).end(),
    });
    const remote = await connect();
    expect(remote.state.value.kind).not.toBe('connected');
    expect(stranger.connections).toBe(0);
  });

  it.each([
    'http://STRANGER/messages',
    '//STRANGER/messages',
    'http://127.0.0.1:SERVER@STRANGER/messages',
    'file:///etc/passwd',
  ])('of the older transport that names %s for messages gets none there', async (endpoint) => {
    const place = endpoint
      .replace('STRANGER', `127.0.0.1:${stranger.port}`)
      .replace('SERVER', `${server.port}`);
    server.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`event: endpoint\ndata: ${place}\n\n`);
      response.end();
    };
    const remote = await connect({ transport: 'sse', startupTimeoutMs: 3000 });
    expect(remote.state.value.kind).not.toBe('connected');
    expect(server.requests).not.toEqual([]);
    expect(stranger.connections).toBe(0);
  });

  it('that sets cookies does not get them back', async () => {
    server.answer = (request, response) => {
      response.setHeader('set-cookie', 'track=me; Path=/');
      serve()(request, response);
    };
    const remote = await connect();
    await remote.callTool('go', {});
    expect(server.requests.filter(({ headers }) => headers.cookie !== undefined)).toEqual([]);
  });

  it('whose key is of another entry of the same address does not get that one', async () => {
    server.answer = serve();
    await core.writeGlobal({
      remote: { url: server.url('mcp') },
      other: { url: server.url('other'), bearerToken: secret },
    });
    const service = core.open();
    await service.whenStarted();
    await service.getServer(id)?.ensureConnected();
    await service.getServer(serverId(globalPoolId, 'other'))?.ensureConnected();
    const sent = server.requests.filter(({ path }) => path === '/mcp');
    const others = server.requests.filter(({ path }) => path === '/other');
    expect(findSecrets({ sent: JSON.stringify(others) }, { secret })).not.toEqual([]);
    expect([sent.length > 2, findSecrets({ sent: JSON.stringify(sent) }, { secret })]).toEqual([
      true,
      [],
    ]);
  });
});

/** Says that it wants an account, and what the documents of its authorization say. */
function wantAccount(metadata: object, resourceMetadata?: string): void {
  const own = resourceMetadata ?? server.url('.well-known/oauth-protected-resource/mcp');
  const origin = server.url('').slice(0, -1);
  server.answer = ({ path }, response) => {
    if (path.startsWith('/.well-known/oauth-protected-resource')) {
      json(response, { resource: server.url('mcp'), authorization_servers: [origin] });
    } else if (path.startsWith('/.well-known/')) {
      json(response, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        ...metadata,
      });
    } else if (path === '/register') {
      json(response, { client_id: 'client', redirect_uris: ['http://127.0.0.1:1/callback'] });
    } else {
      const challenge = `Bearer resource_metadata="${own}"`;
      response.writeHead(401, { 'www-authenticate': challenge }).end();
    }
  };
}

async function signIn(): Promise<unknown> {
  await connect({ headers: {} });
  const [service] = core.opened;
  return service?.accounts.signIn(id).catch((error: unknown) => error);
}

describe('a server that wants an account', () => {
  it('control: has its page opened when the user signs in, and not before', async () => {
    wantAccount({});
    await connect({ headers: {} });
    expect(opened).toEqual([]);
    await core.opened[0]?.accounts.signIn(id).catch(() => undefined);
    expect(opened).toEqual([expect.stringContaining(server.url('authorize'))]);
  });

  it.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'data:text/html,<script>alert(1)</script>',
    'vscode://pi-mcp/x',
    'ms-settings:',
    'http://auth.invalid/authorize',
  ])('has no page opened at %s', async (address) => {
    wantAccount({ authorization_endpoint: address });
    expect(await signIn()).toBeInstanceOf(Error);
    expect(opened).toEqual([]);
  });

  it.each(['file:///SECRET', 'data:application/json,{}', 'ftp://127.0.0.1/x'])(
    'has metadata at %s read by nobody',
    async (address) => {
      wantAccount({}, address.replace('SECRET', 'looked-up-secret'));
      const lookups = new Lookups();
      try {
        await signIn();
        expect(lookups.of('looked-up-secret')).toEqual([]);
      } finally {
        lookups.dispose();
      }
    },
  );

  it.each(['token_endpoint', 'registration_endpoint', 'revocation_endpoint'])(
    'gets nothing sent to a %s without a web address',
    async (field) => {
      wantAccount({ [field]: 'file:///looked-up' });
      const lookups = new Lookups();
      try {
        await signIn();
        expect(lookups.of('looked-up')).toEqual([]);
      } finally {
        lookups.dispose();
      }
    },
  );

  it('gets no token of the server beside it, though the user is signed in there', async () => {
    const good = await startAuthServer();
    try {
      const user = new TestUser();
      await core.writeGlobal({ good: { url: good.url }, remote: { url: server.url('mcp') } });
      wantAccount({});
      const service = core.open(undefined, {
        secrets: new OpenSecrets(),
        authorizationPrompt: () => user.prompt(),
      });
      await service.whenStarted();
      await service.accounts.signIn(serverId(globalPoolId, 'good'));
      user.isWilling = false;
      await service.accounts.signIn(id).catch(() => undefined);
      await service
        .getServer(id)
        ?.ensureConnected()
        .catch(() => undefined);
      const [token = ''] = good.auth.accessTokens;
      expect(token).not.toBe('');
      expect(server.requests.length).toBeGreaterThan(0);
      expect(server.received).not.toContain(token);
    } finally {
      await good.close();
    }
  });
});
