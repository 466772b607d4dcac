import { hostReach, isInnerReach } from '../../config/launch/addressReach.js';

/** Where a registry says that a bundle is. */
export interface BundleSource {
  readonly url: string;
  /** Hexadecimal. */
  readonly sha256: string;
}

/**
 * @param isOfficial the registry of everybody, whose entries lead to no address of this machine
 * @returns `undefined` for what is not fetched: another address, or one without a hash
 */
export function bundleSource(
  url: string,
  sha256: string | undefined,
  isOfficial: boolean,
): BundleSource | undefined {
  const isNear = URL.canParse(url) && hostReach(new URL(url).hostname) === 'loopback';
  return isBundleAddress(url, url) && !(isOfficial && isNear) && /^[\da-f]{64}$/i.test(sha256 ?? '')
    ? { url, sha256: String(sha256).toLowerCase() }
    : undefined;
}

/** Over https, or on this machine where the registry itself says so; never from outside to an inner address. */
export function isBundleAddress(text: string, first: string): boolean {
  if (!URL.canParse(text) || !URL.canParse(first)) {
    return false;
  }
  const { protocol, hostname, username, password } = new URL(text);
  const reach = hostReach(hostname);
  const isNear = reach === 'loopback' && hostReach(new URL(first).hostname) === 'loopback';
  return (
    `${username}${password}` === '' &&
    (isNear ? /^https?:$/.test(protocol) : protocol === 'https:' && !isInnerReach(reach))
  );
}
