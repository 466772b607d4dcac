import { execFileSync } from 'node:child_process';
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
    return process.platform === 'darwin'
      ? execFileSync('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid'], { encoding: 'utf8' })
      : `${readTextFileSync('/proc/sys/kernel/random/boot_id')} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    // Windows, whose name changes with a restart only
    return hostname();
  }
}
