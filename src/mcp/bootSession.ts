import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { readTextFileSync } from './boundedFile.js';

let session: string | undefined;

/**
 * Within what a pid means the same process: this machine since it was started, seen from the same container. Letters
 * and digits; stays when the machine gets a new name.
 */
export function bootSession(): string {
  session ??= createHash('sha256').update(describeSession()).digest('hex').slice(0, 16);
  return session;
}

function describeSession(): string {
  try {
    const boot = readTextFileSync('/proc/sys/kernel/random/boot_id').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    // a system without /proc
    return hostname();
  }
}
