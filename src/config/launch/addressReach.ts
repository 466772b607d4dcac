/** Where an address leads, judged by its text alone: nothing is looked up. */
import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { parseTemplate } from './variables.js';

/**
 * `private_name`: a name that means something only in some network. `unknown`: it depends on a variable.
 * A name of the public kind may still lead to an inner address.
 */
export const addressReaches = [
  'public',
  'loopback',
  'private',
  'link_local',
  'private_name',
  'unknown',
  'invalid',
] as const;
export type AddressReach = (typeof addressReaches)[number];

type Network = readonly [network: string, prefix: number];
type InnerReach = 'loopback' | 'private' | 'link_local';

const networks: Readonly<
  Record<InnerReach, { ipv4: readonly Network[]; ipv6: readonly Network[] }>
> = {
  loopback: {
    ipv4: [
      ['0.0.0.0', 8],
      ['127.0.0.0', 8],
    ],
    ipv6: [['::', 127]],
  },
  link_local: { ipv4: [['169.254.0.0', 16]], ipv6: [['fe80::', 10]] },
  private: {
    ipv4: [
      ['10.0.0.0', 8],
      ['100.64.0.0', 10],
      ['172.16.0.0', 12],
      ['192.0.0.0', 24],
      ['192.168.0.0', 16],
      ['198.18.0.0', 15],
      // multicast, reserved and broadcast
      ['224.0.0.0', 3],
    ],
    ipv6: [
      ['64:ff9b:1::', 48],
      ['100::', 64],
      ['fc00::', 7],
      ['fec0::', 10],
      ['ff00::', 8],
    ],
  },
};

const lists: readonly (readonly [InnerReach, BlockList])[] = Object.entries(networks).map(
  ([reach, { ipv4, ipv6 }]) => {
    const list = new BlockList();
    for (const [network, prefix] of ipv4) {
      list.addSubnet(network, prefix, 'ipv4');
    }
    for (const [network, prefix] of ipv6) {
      list.addSubnet(network, prefix, 'ipv6');
    }
    return [reach as InnerReach, list];
  },
);

/** Endings of names that no public server answers to. */
const privateEndings = [
  'local',
  'internal',
  'lan',
  'home',
  'corp',
  'intranet',
  'private',
  'home.arpa',
];

/** @param host as `URL.hostname` has it. */
export function hostReach(host: string): AddressReach {
  const name = host.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
  if (isIPv4(name)) {
    return reachOf(name, 'ipv4');
  }
  if (isIPv6(name)) {
    const inner = embeddedIPv4(name);
    const own = reachOf(name, 'ipv6');
    return own === 'public' && inner !== undefined ? reachOf(inner, 'ipv4') : own;
  }
  if (name === 'localhost' || name.endsWith('.localhost')) {
    return 'loopback';
  }
  const isPrivate =
    !name.includes('.') || privateEndings.some((ending) => name.endsWith(`.${ending}`));
  return isPrivate ? 'private_name' : 'public';
}

/** `URL.canParse` says yes to texts, such as some with half of a character, that `URL` then refuses. */
export function parseAddress(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    // it is no address
    return undefined;
  }
}

/** Where an address leads that may hold variables. */
export function addressReach(text: string): AddressReach {
  const parts = parseTemplate(text);
  const [first] = parts;
  const literal = first?.kind === 'text' ? first.text : '';
  if (parts.length > 1 || first?.kind === 'variable') {
    // what follows the host cannot change it
    const hasHost = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\\]+[/?#]/i.test(literal);
    const url = hasHost ? parseAddress(literal) : undefined;
    return url ? hostReach(url.hostname) : 'unknown';
  }
  const url = parseAddress(text);
  return url ? hostReach(url.hostname) : 'invalid';
}

/** Encrypted, or on this machine, and without a user name or password in it. */
export function isSafeAddress({ protocol, hostname, username, password }: URL): boolean {
  const isLocal = protocol === 'http:' && hostReach(hostname) === 'loopback';
  return (protocol === 'https:' || isLocal) && username === '' && password === '';
}

export function isInnerReach(reach: AddressReach): boolean {
  return ['loopback', 'private', 'link_local', 'private_name'].includes(reach);
}

function reachOf(address: string, family: 'ipv4' | 'ipv6'): AddressReach {
  return lists.find(([, list]) => list.check(address, family))?.[0] ?? 'public';
}

/** The address of the older kind that one of the newer kind stands for: mapped, compatible, NAT64, 6to4, Teredo. */
function embeddedIPv4(address: string): string | undefined {
  const groups = groupsOf(address);
  const [first = 0, second = 0, third = 0] = groups;
  const isZero = (from: number, to: number) => groups.slice(from, to).every((group) => group === 0);
  const isMapped = isZero(0, 5) && (groups[5] === 0xffff || groups[5] === 0);
  const isTranslated =
    (isZero(0, 4) && groups[4] === 0xffff && groups[5] === 0) ||
    (first === 0x64 && second === 0xff9b && isZero(2, 6));
  if (isMapped || isTranslated) {
    return toIPv4(groups[6] ?? 0, groups[7] ?? 0);
  }
  if (first === 0x2002) {
    return toIPv4(second, third);
  }
  return first === 0x2001 && second === 0
    ? toIPv4((groups[6] ?? 0) ^ 0xffff, (groups[7] ?? 0) ^ 0xffff)
    : undefined;
}

/** The eight groups of an address. */
function groupsOf(address: string): readonly number[] {
  // URL writes every address of this kind in the one canonical way
  const text = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = text.split('::');
  const numbers = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const before = numbers(head);
  const after = tail === undefined ? [] : numbers(tail);
  const gap = new Array<number>(Math.max(0, 8 - before.length - after.length)).fill(0);
  return [...before, ...gap, ...after];
}

function toIPv4(high: number, low: number): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}
