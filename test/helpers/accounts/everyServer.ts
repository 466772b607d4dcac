import type { AccountServer } from './accountServer.js';
import { startBetterAuthServer } from './betterAuthServer.js';
import { startCloudflareServer } from './cloudflareServer.js';
import { startOidcServer } from './oidcServer.js';
import type { ResourceOptions } from './resource.js';
import { startSdkProxy, startSdkServer } from './sdkServer.js';

type Options = Pick<ResourceOptions, 'metadataAt' | 'scopesOf' | 'connectScopes'>;
type Start = (options?: Partial<Options>) => Promise<AccountServer>;

/** For `describe.each`. */
export const everyServer: readonly (readonly [name: string, start: Start])[] = [
  ['oidc-provider', startOidcServer],
  ["the SDK's router", startSdkServer],
  ["the SDK's proxy", async (options) => startSdkProxy(await startSdkServer(), options)],
  ['better-auth', startBetterAuthServer],
  ["Cloudflare's workers-oauth-provider", startCloudflareServer],
];
