import { BlockList, isIPv4, isIPv6 } from 'node:net';
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import type { ServerAuthorization } from './serverAuthorization.js';

/** Addresses that mean something else on every machine or network. */
const inner = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  inner.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const) {
  inner.addSubnet(network, prefix, 'ipv6');
}

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
  if (url.origin === server.origin) {
    return;
  }
  const { issuer, identityProvider } = settings;
  // what the entry itself names was not the server's idea
  const named = [issuer, identityProvider?.issuer, identityProvider?.tokenEndpoint];
  const isNamed = named.some((text) => originOf(text) === url.origin);
  if (isInnerHost(url.hostname) && !isInnerHost(server.hostname) && !isNamed) {
    throw new HumanError(
      'inner_authorization',
      l10n.t(
        'The sign-in to {0} would go to {1}, an address of your own machine or network.',
        serverName,
        url.host,
      ),
      { remedy: l10n.t('Do not use this server unless you know why it says so.') },
    );
  }
  if (url.protocol !== 'https:' && !isLoopback(url.hostname)) {
    throw new HumanError(
      'insecure_authorization',
      l10n.t('The sign-in to {0} would go to {1}, which is not encrypted.', serverName, url.host),
      { remedy: l10n.t('Ask the operator of the server to use https.') },
    );
  }
}

function originOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined;
}

/** @param host as `URL.hostname` has it. Names are not looked up: only https leads to them, and it checks who they are. */
function isInnerHost(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '');
  if (isIPv4(address)) {
    return inner.check(address, 'ipv4');
  }
  return isIPv6(address) ? inner.check(address, 'ipv6') : isLocalName(host);
}

function isLoopback(host: string): boolean {
  return isLocalName(host) || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}
