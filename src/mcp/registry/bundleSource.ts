import {
  hostReach,
  isInnerReach,
  isSafeAddress,
  parseAddress,
} from '../../config/launch/addressReach.js';

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
  const address = parseAddress(url);
  return address &&
    isBundleAddress(address, address) &&
    !(isOfficial && isNear(address)) &&
    /^[\da-f]{64}$/i.test(sha256 ?? '')
    ? { url, sha256: String(sha256).toLowerCase() }
    : undefined;
}

/** On this machine only where the registry itself says so, and never on its network. */
export function isBundleAddress(address: URL, first: URL): boolean {
  return (
    isSafeAddress(address) &&
    (isNear(address) ? isNear(first) : !isInnerReach(hostReach(address.hostname)))
  );
}

function isNear({ hostname }: URL): boolean {
  return hostReach(hostname) === 'loopback';
}
