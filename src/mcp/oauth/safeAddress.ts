import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import { quotedName } from '../../base/text/nameToken.js';
import { hostReach } from '../../config/launch/addressReach.js';
import { addressesOf } from '../../config/launch/launchTraits.js';
import type { ServerAuthorization } from './serverAuthorization.js';

/** Addresses of an entry that no request of ours goes to. */
const notAsked = ['oauth.redirectUrl', 'oauth.clientMetadataUrl'];

type SignInSubject = Pick<ServerAuthorization, 'serverName' | 'serverUrl' | 'settings'>;

/**
 * What a server says about its authorization leads nowhere in the clear, except within its own origin or on this
 * machine if the server is there itself; and from outside to no address of this machine or its network.
 * @throws {HumanError}
 */
export function assertSafeAddress(
  address: string | URL,
  { serverName, serverUrl, settings }: SignInSubject,
): void {
  const url = new URL(address);
  const server = new URL(serverUrl);
  if (url.username !== '' || url.password !== '') {
    throw new HumanError(
      'credentials_in_address',
      l10n.t(
        'The sign-in to {0} would go to an address at {1} that holds a user name or password.',
        quotedName(serverName),
        url.host,
      ),
      { remedy: l10n.t('Ask the operator of the server.') },
    );
  }
  if (url.origin === server.origin) {
    return;
  }
  // by the entry, not by the server
  const named = addressesOf({ oauth: settings }).filter(({ field }) => !notAsked.includes(field));
  const isNamed = named.some(({ text }) => originOf(text) === url.origin);
  if (isInnerHost(url.hostname) && !isInnerHost(server.hostname) && !isNamed) {
    throw new HumanError(
      'inner_authorization',
      l10n.t(
        'The sign-in to {0} would go to {1}, an address of your own machine or network.',
        quotedName(serverName),
        url.host,
      ),
      { remedy: l10n.t('Do not use this server unless you know why it says so.') },
    );
  }
  if (url.protocol !== 'https:' && !isLoopback(url.hostname)) {
    throw new HumanError(
      'insecure_authorization',
      l10n.t(
        'The sign-in to {0} would go to {1}, which is not encrypted.',
        quotedName(serverName),
        url.host,
      ),
      { remedy: l10n.t('Ask the operator of the server.') },
    );
  }
}

/** Without user name, password and query, which may hold secrets. */
export function shownAddress(address: string): string {
  return URL.canParse(address)
    ? new URL(address).origin + new URL(address).pathname.replace(/\/$/, '')
    : l10n.t('an invalid URL');
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}

/** Other names are not looked up: only https leads to them, and it checks who they are. */
function isInnerHost(host: string): boolean {
  return ['loopback', 'private', 'link_local'].includes(hostReach(host));
}

function isLoopback(host: string): boolean {
  return hostReach(host) === 'loopback';
}
