/** Remote servers behind a proxy and with a certificate of a company's own, from the command line. */
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { version } from '../../package.json';
import { type Certificate, createCertificate } from '../fixtures/certificate.js';
import { type RunningAuthServer, startAuthServer } from '../fixtures/servers/authServer.mjs';
import { startForwardProxy } from '../fixtures/servers/forwardProxy.mjs';
import { useCommandProcess } from '../helpers/commandLine.js';
import { CoreHarness } from '../helpers/coreHarness.js';

const account = { user: 'ada', password: 'pa55word' };
// a name that nothing but the proxy can lead anywhere
const origin = 'https://mcp.invalid';
const oauth = { grant: 'client_credentials', clientId: 'me', clientSecret: 'my-own-s3cret' };

const cli = useCommandProcess();
let harness: CoreHarness;
let tls: Certificate;
let authority: string;
let remote: RunningAuthServer;
let proxy: Awaited<ReturnType<typeof startForwardProxy>>;

beforeAll(async () => {
  harness = await CoreHarness.create();
  tls = await createCertificate('mcp.invalid');
  authority = join(harness.root, 'authority.pem');
  await writeFile(authority, tls.cert);
  remote = await startAuthServer({ tls, origin });
  proxy = await startForwardProxy(remote.local, account);
  await mkdir(join(harness.root, 'work'));
});

afterAll(async () => {
  await proxy.close();
  await remote.close();
  await harness.dispose();
});

beforeEach(async () => {
  proxy.hosts.splice(0);
  await harness.writeGlobal({ behind: { url: `${origin}/mcp`, oauth } });
});

function run(command: readonly string[], env: Readonly<Record<string, string>>) {
  const args = [...command, '--folder', join(harness.root, 'work')];
  return cli(harness.root, args, { env: { PATH: process.env.PATH, ...env } }).ended;
}

async function probe(env: Readonly<Record<string, string>>) {
  const { out, error } = await run(['probe', '--json'], env);
  expect(out + error).not.toContain(account.password);
  return JSON.parse(out).servers[0];
}

describe('a server behind a proxy', () => {
  it('is reached through it, its sign-in too, when its authority is known', async () => {
    const server = await probe({ HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: authority });
    expect(server).toMatchObject({ state: 'connected', toolCount: 1, error: null });
    expect(remote.auth.tokenRequests).toContain('client_credentials');
    expect(new Set(proxy.hosts)).toEqual(new Set(['mcp.invalid:443']));
  });

  it('is refused without its authority, and the remedy says what helps', async () => {
    const { state, error } = await probe({ HTTPS_PROXY: proxy.url });
    expect([state, error.code]).toEqual(['error', 'certificate']);
    expect(error.remedy).toContain('NODE_EXTRA_CA_CERTS');
    expect(proxy.hosts.length).toBeGreaterThan(0);
  });

  it('is reached without its authority when its entry says so', async () => {
    const entry = { url: `${origin}/mcp`, oauth, ignoreCertificateErrors: true };
    await harness.writeGlobal({ behind: entry });
    expect(await probe({ HTTPS_PROXY: proxy.url })).toMatchObject({ state: 'connected' });
    expect(proxy.hosts.length).toBeGreaterThan(0);
  });

  it.each([
    ['refuses us', () => proxy.url.replace(account.password, 'wr0ng-pa55word')],
    ['is not there', () => 'http://ada:pa55word@127.0.0.1:9'],
  ])('is not reached when the proxy %s, which is said', async (_title, url) => {
    const { state, error } = await probe({ HTTPS_PROXY: url(), NODE_EXTRA_CA_CERTS: authority });
    expect([state, error.code]).toEqual(['error', 'unreachable']);
    expect(error.remedy).toContain('proxy');
    expect(error.message).toContain(`proxy ${new URL(url()).host}`);
  });

  it('is not looked for when the address of the proxy is none', async () => {
    const { out, error } = await run(['probe', '--json'], {
      HTTPS_PROXY: 'ada:pa55word@nowhere:x',
    });
    expect(JSON.parse(out)).toMatchObject({ error: { code: 'configuration' } });
    expect(out + error).not.toContain(account.password);
  });
});

describe('a proxy that takes the connection and keeps silent', () => {
  const established = 'HTTP/1.1 200 Connection Established\r\n\r\n';
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{';

  /** Answers each chunk with the next of these, then with nothing. */
  async function startSilentProxy(answers: readonly string[]) {
    const server = createTcpServer((socket) => {
      const left = [...answers];
      socket.on('error', () => undefined);
      socket.on('data', () => socket.write(left.shift() ?? ''));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { server, place: `127.0.0.1:${(server.address() as AddressInfo).port}` };
  }

  it.each([
    ['before the tunnel', 'https:', []],
    ['in the middle of its answer', 'https:', ['HTTP/1.1 200 Conn']],
    ['before TLS', 'https:', [established]],
    ['before the headers', 'http:', [established]],
    ['before the body', 'http:', [established, head]],
  ])(
    'holds up nothing for longer than the server may take: %s',
    async (_title, scheme, answers) => {
      const { server, place } = await startSilentProxy(answers);
      try {
        for (const ignoreCertificateErrors of [false, true]) {
          const entry = { url: `${scheme}//mcp.invalid/mcp`, startupTimeoutMs: 500 };
          await harness.writeGlobal({ behind: { ...entry, ignoreCertificateErrors } });
          const proxyUrl = `http://ada:${account.password}@${place}`;
          const { state, error } = await probe({ HTTPS_PROXY: proxyUrl, HTTP_PROXY: proxyUrl });
          expect([state, error.code]).toEqual(['error', 'initialize_timeout']);
          expect(error.message).toContain(`proxy ${place}`);
          expect(error.remedy).toContain('NO_PROXY');
        }
      } finally {
        server.close();
      }
    },
  );

  it('is named to who signs in, too', async () => {
    const { server, place } = await startSilentProxy([]);
    try {
      const entry = { url: `${origin}/mcp`, startupTimeoutMs: 500 };
      await harness.writeGlobal({ behind: entry });
      const { out } = await run(['login', 'behind', '--json'], { HTTPS_PROXY: `http://${place}` });
      expect(JSON.parse(out).error.message).toContain(`proxy ${place}`);
    } finally {
      server.close();
    }
  });
});

describe('a server out there', () => {
  let canary: Server;
  let visits: (string | undefined)[];

  beforeEach(async () => {
    visits = [];
    canary = createServer((request, response) => {
      visits.push(request.url);
      response.writeHead(404).end();
    }).listen(0, '127.0.0.1');
    await once(canary, 'listening');
    remote.auth.accessTokens.clear();
  });

  afterEach(() => {
    Object.assign(remote.auth, { authorizationServers: [], resourceMetadata: '' });
    canary.close();
  });

  const here = () => `http://127.0.0.1:${(canary.address() as AddressInfo).port}`;

  it.each([
    [
      'an authorization server',
      () => ({ authorizationServers: [here()] }),
      { state: 'error', error: { code: 'inner_authorization' } },
    ],
    [
      'metadata, without which it is signed in to all the same',
      () => ({ resourceMetadata: `${here()}/latest/meta-data` }),
      { state: 'connected' },
    ],
  ])('cannot make us ask this machine for %s', async (_title, change, expected) => {
    Object.assign(remote.auth, change());
    const env = { HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: authority, NO_PROXY: '127.0.0.1' };
    expect(await probe(env)).toMatchObject(expected);
    expect(visits).toEqual([]);
  });

  it('cannot make us sign in without encryption', async () => {
    remote.auth.authorizationServers = ['http://auth.invalid'];
    const env = { HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: authority };
    const { state, error } = await probe(env);
    expect([state, error.code]).toEqual(['error', 'insecure_authorization']);
    expect(proxy.hosts.filter((host) => host.startsWith('auth.'))).toEqual([]);
  });
});

it('reaches a server directly that NO_PROXY names', async () => {
  const near = await startAuthServer({ tls });
  try {
    await harness.writeGlobal({ near: { url: near.url, oauth } });
    const env = { HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: authority };
    expect(await probe({ ...env, NO_PROXY: '127.0.0.1' })).toMatchObject({ state: 'connected' });
    expect(proxy.hosts).toEqual([]);
    await probe(env);
    expect(proxy.hosts).toContain(new URL(near.url).host);
  } finally {
    await near.close();
  }
});

it('shows nothing of the proxy in a report, and says its own version', async () => {
  const env = { HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: authority };
  const { out, error } = await run(['doctor'], env);
  expect(out).toContain('behind');
  expect(out).toContain(version);
  expect(out + error).not.toContain(account.password);
});
