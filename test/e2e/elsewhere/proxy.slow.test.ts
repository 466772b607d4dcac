/** The proxy and the certificates of VS Code's settings stand between the extension and remote servers. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCertificate } from '../../fixtures/certificate.js';
import { startAuthServer } from '../../fixtures/servers/authServer.mjs';
import { startForwardProxy } from '../../fixtures/servers/forwardProxy.mjs';
import { trustEverything } from '../../helpers/e2e/steps.js';
import { useWorkbench } from '../../helpers/e2e/useWorkbench.js';

type Server = Awaited<ReturnType<typeof startAuthServer>>;
const oauth = { grant: 'client_credentials', clientId: 'me', clientSecret: 'mine' };
const settings: Record<string, unknown> = {};
const files: Record<string, string> = {};
const env: Record<string, string> = { MINIMAL_UI: '1' };
let folder: string;
let secure: Server;
let near: Server;
let proxy: Awaited<ReturnType<typeof startForwardProxy>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'authority-'));
  const tls = await createCertificate('mcp.invalid');
  env.SSL_CERT_FILE = join(folder, 'authority.pem');
  await writeFile(env.SSL_CERT_FILE, tls.cert);
  // names that nothing but the proxy can lead anywhere
  secure = await startAuthServer({ tls, origin: 'https://mcp.invalid' });
  near = await startAuthServer({ tls: await createCertificate('localhost') });
  proxy = await startForwardProxy(secure.local, { only: 'mcp.invalid' });
  settings['http.proxy'] = proxy.url;
  settings['http.noProxy'] = ['127.0.0.1'];
  settings['http.systemCertificatesNode'] = true;
  const mcpServers = { behind: { url: secure.url, oauth }, near: { url: near.url } };
  files['.mcp.json'] = JSON.stringify({ mcpServers });
});

afterAll(async () => {
  await proxy.close();
  await Promise.all([secure, near].map((server) => server.close()));
  await rm(folder, { recursive: true });
});

const workbench = useWorkbench({ files, settings, env }, async (workbench) => {
  const { servers } = workbench;
  // servers of this machine need trust
  await trustEverything(workbench);
  await servers.show();
});

it('reaches a remote server and who authorizes through the proxy, trusting an authority of the system', async () => {
  await workbench.servers.waitForServer('behind', 'Connected');
  expect(secure.auth.tokenRequests).toContain('client_credentials');
  expect(new Set(proxy.hosts)).toContain('mcp.invalid:443');
});

it('keeps out of the status bar where MINIMAL_UI asks for it', async () => {
  await workbench.servers.waitForServer('behind', 'Connected');
  expect(await workbench.shell.statusItem('MCP').count()).toBe(0);
});

it('reaches a server directly that the settings name, and refuses its unknown certificate', async () => {
  await workbench.servers.waitForServer('near', 'Certificate not trusted');
  await workbench.screenshot('unknown-certificate');
  expect(proxy.hosts.filter((host) => host.startsWith('127.0.0.1'))).toEqual([]);
});
