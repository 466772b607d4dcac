/** Sign-in on Windows: the address is printed, and the tests play the browser. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type RunningAuthServer, startAuthServer } from '../fixtures/servers/authServer.mjs';
import { TestUser } from '../fixtures/signIn.js';
import { WindowsMachine } from '../helpers/windows/windowsMachine.js';

let machine: WindowsMachine;
let running: RunningAuthServer;
beforeEach(async () => {
  [machine, running] = await Promise.all([WindowsMachine.create(), startAuthServer()]);
  await machine.write('home/.pi/agent/mcp.json', { mcpServers: { account: { url: running.url } } });
});
afterEach(async () => {
  await Promise.all([machine.dispose(), running.close()]);
});

/** What login has printed, as soon as there is an address in it. */
async function shownAddress(output: () => { readonly error: string }): Promise<URL> {
  const addresses = () =>
    output()
      .error.split('\n')
      .slice(0, -1)
      .filter((line) => URL.canParse(line.trim()));
  await expect.poll(() => addresses().length, { timeout: 60_000 }).toBeGreaterThan(0);
  return new URL(addresses()[0]?.trim() ?? '');
}

it('login keeps an account below the folder of the user, which later runs use, and logout forgets it', async () => {
  const login = machine.startJson('login', 'account');
  await new TestUser().visit(await shownAddress(login.output));
  expect(await login.ended).toMatchObject({
    status: 0,
    document: { name: 'account', state: 'connected', signedIn: true },
  });
  const accounts = join(machine.home, '.pi/agent/pi-mcp/accounts.json');
  expect(existsSync(accounts)).toBe(true);
  running.auth.expireAccessTokens();
  expect((await machine.json('call', 'account', 'whoami')).document.content).toEqual([
    expect.objectContaining({ text: 'You are signed in.' }),
  ]);
  expect(running.auth.tokenRequests).toEqual(['authorization_code', 'refresh_token']);
  expect((await machine.json('logout', 'account')).status).toBe(0);
  expect((await machine.json('probe')).document.servers[0].state).toBe('needs_auth');
});
