/** Servers whose clocks are a day off: tokens are judged by whoever gave them. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useAccounts, whoami } from '../helpers/accounts/accountHarness.js';
import { tokenRequests } from '../helpers/accounts/accountServer.js';
import { everyServer } from '../helpers/accounts/everyServer.js';
import { startOidcServer } from '../helpers/accounts/oidcServer.js';
import { installShiftedDate } from '../helpers/accounts/shiftedDate.js';

const dayMs = 24 * 60 * 60 * 1000;
const test = useAccounts();
let restore: () => void;

beforeEach(() => {
  restore = installShiftedDate();
});
afterEach(() => restore());

describe.each([
  ['ahead', dayMs],
  ['behind', -dayMs],
] as const)('a day %s', (_name, shiftMs) => {
  it.each([
    // the proxy has no time of its own
    ...everyServer.filter(([name]) => !name.includes('proxy')),
    ['oidc-provider with keys', () => startOidcServer({ requiresDpop: true })] as const,
  ])('%s signs in and refreshes', async (_name, start) => {
    const server = await test.start(start());
    server.wire.clockShiftMs = shiftMs;
    server.resourceWire.clockShiftMs = shiftMs;
    const { server: account } = await test.openSignedIn(server);
    expect(await whoami(account)).toBe('whoami');
    const [registration] = server.wire.to(server.paths.register);
    const { client_id_issued_at: seconds } = JSON.parse(registration?.answer ?? '');
    expect(Math.abs(seconds * 1000 - Date.now() - shiftMs)).toBeLessThan(dayMs / 2);
    server.expireAccessTokens();
    expect(await whoami(account)).toBe('whoami');
    const passed = tokenRequests(server).filter((text) => text.endsWith('200'));
    expect(passed).toEqual(['authorization_code 200', 'refresh_token 200']);
    expect(test.asked).toEqual(['sign_in']);
  });
});
