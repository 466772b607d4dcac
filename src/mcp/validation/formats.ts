import { isIPv4, isIPv6 } from 'node:net';

/** Formats whose texts are checked, each in linear time; all others only describe. */
const knownFormats = ['email', 'uri', 'date', 'date-time', 'uuid', 'ipv4', 'ipv6'] as const;

export type KnownFormat = (typeof knownFormats)[number];

export function isKnownFormat(name: unknown): name is KnownFormat {
  return knownFormats.some((known) => known === name);
}

export function hasFormat(format: KnownFormat, value: string): boolean {
  switch (format) {
    case 'email':
      return /^[^\s@]+@[^\s@]+$/.test(value);
    case 'uri':
      return URL.canParse(value);
    case 'date':
      return /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));
    case 'date-time':
      return /^\d{4}-\d{2}-\d{2}[Tt ]/.test(value) && !Number.isNaN(Date.parse(value));
    case 'uuid':
      return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
    case 'ipv4':
      return isIPv4(value);
    case 'ipv6':
      return isIPv6(value);
  }
}
