/** The proxy of VS Code's settings stands between the extension and remote servers. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startAuthServer } from '../fixtures/servers/authServer.mjs';
import { startForwardProxy } from '../fixtures/servers/forwardProxy.mjs';
import { useWorkbench } from './harness/useWorkbench.js';

let server: Awaited<ReturnType<typeof startAuthServer>>;
let proxy: Awaited<ReturnType<typeof startForwardProxy>>;
const settings: Record<string, unknown> = {};
// a name that nothing but the proxy can lead anywhere
const entry = { mcpServers: { behind: { url: 'http://mcp.invalid/mcp' } } };
beforeAll(async () => {
  server = await startAuthServer();
  proxy = await startForwardProxy(server.url);
  settings['http.proxy'] = proxy.url;
});
afterAll(async () => {
  await proxy.close();
  await server.close();
});

const workbench = useWorkbench(
  { files: { '.mcp.json': JSON.stringify(entry) }, settings },
  async ({ shell, servers }) => {
    await shell.trustWorkspace();
    await shell.closeModalEditor();
    await servers.show();
  },
);

it('reaches a remote server through the proxy of the settings', async () => {
  const { servers } = workbench;
  // the server answered: only it can ask for an account
  await servers.waitForServer('behind', 'sign-in required');
  expect(proxy.hosts.some((host) => host.startsWith('mcp.invalid'))).toBe(true);
});
