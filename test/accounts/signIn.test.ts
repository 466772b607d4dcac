/** What every authorization server is used for, with each of them. */
import { describe, expect, it } from 'vitest';
import { useAccounts, whoami } from './harness/accountHarness.js';
import { tokenRequests } from './harness/accountServer.js';
import { startCloudflareServer } from './harness/cloudflareServer.js';
import { startOidcServer } from './harness/oidcServer.js';
import { startSdkProxy, startSdkServer } from './harness/sdkServer.js';

const test = useAccounts();

const starts = {
  "Cloudflare's workers-oauth-provider": startCloudflareServer,
  'oidc-provider': startOidcServer,
  "the SDK's router": startSdkServer,
  "the SDK's proxy": async () => startSdkProxy(await startSdkServer()),
};

describe.each(Object.entries(starts))('%s', (_name, start) => {
  it('signs in', async () => {
    const server = await test.start(start());
    const { server: account } = await test.openSignedIn(server);
    expect(await whoami(account)).toBe('whoami');
    expect(tokenRequests(server)).toEqual(['authorization_code 200']);
    server.expireAccessTokens();
    expect(await whoami(account)).toBe('whoami');
    expect(tokenRequests(server)).toEqual(['authorization_code 200', 'refresh_token 200']);
    expect(test.asked).toEqual(['sign_in']);
  });
});
