/** A window whose browser is of no use: the user signs in on another device with a code. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BrowserUser } from '../helpers/accounts/browser.js';
import { type OidcServer, startOidcServer } from '../helpers/accounts/oidcServer.js';
import { trustEverything } from '../helpers/e2e/steps.js';
import { useWorkbench } from '../helpers/e2e/useWorkbench.js';

let server: OidcServer;
const files: Record<string, string> = {};
beforeAll(async () => {
  server = await startOidcServer({ hasDeviceFlow: true });
  server.wire.rewrites.set('/device/auth', (answer) => ({ ...answer, interval: 1 }));
  files['.mcp.json'] = JSON.stringify({ mcpServers: { account: { url: server.url } } });
});
afterAll(() => server.close());

const workbench = useWorkbench({ files }, async (workbench) => {
  const { servers } = workbench;
  // servers of this machine ask for consent
  await trustEverything(workbench);
  await servers.show();
  await servers.waitForServer('account', 'sign-in required');
});

it('signs in with a code that is entered elsewhere', async () => {
  const { page, servers, shell } = workbench;
  const [signInPage] = await Promise.all([
    page.context().waitForEvent('page'),
    servers.pickFromMenu(servers.row('account').first(), 'Sign In'),
  ]);
  await signInPage.close();
  const waiting = shell.notification('in your browser');
  await waiting.getByText('Sign In on Another Device').click();
  const notice = shell.notification('enter the code');
  await notice.waitFor();
  await workbench.screenshot('device-code');
  const [{ answer = '' } = {}] = server.wire.to('/device/auth');
  const { user_code: code, verification_uri_complete: address } = JSON.parse(answer);
  expect(await notice.textContent()).toContain(code);
  await new BrowserUser().visit(new URL(address));
  await servers.waitForServer('account', 'connected');
  await notice.waitFor({ state: 'detached' });
});
