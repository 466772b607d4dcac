/** A window whose browser is of no use: the user signs in on another device with a code. */
import { expect, it } from 'vitest';
import { BrowserUser } from '../../helpers/accounts/browser.js';
import { startOidcServer } from '../../helpers/accounts/oidcServer.js';
import { useAccountWorkbench } from '../../helpers/e2e/accountWorkbench.js';
import { openedPage } from '../../helpers/e2e/signInPage.js';

const account = useAccountWorkbench(async () => {
  const server = await startOidcServer({ hasDeviceFlow: true });
  server.wire.rewrites.set('/device/auth', (answer) => ({ ...answer, interval: 1 }));
  return server;
});
const { workbench } = account;

it('signs in with a code that is entered elsewhere', async () => {
  const { servers, shell } = workbench;
  const signInPage = await openedPage(workbench, () =>
    servers.pickFromMenu(servers.row('account').first(), 'Sign In'),
  );
  await signInPage.close();
  const waiting = shell.notification('in your browser');
  await waiting.getByText('Sign In on Another Device').click();
  const notice = shell.notification('enter the code');
  await notice.waitFor();
  await workbench.screenshot('device-code');
  const [{ answer = '' } = {}] = account.server.wire.to('/device/auth');
  const { user_code: code, verification_uri_complete: address } = JSON.parse(answer);
  expect(await notice.textContent()).toContain(code);
  await new BrowserUser().visit(new URL(address));
  await servers.waitForServer('account', 'Connected');
  await notice.waitFor({ state: 'detached' });
});
