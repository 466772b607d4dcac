import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { win32 } from 'node:path';
import { lazy } from '../base/async/once.js';
import { errorCode } from '../base/errors.js';
import { readTextFileSync } from './boundedFile.js';

/** What tells one session from the next. */
export interface SessionSources {
  readonly platform: NodeJS.Platform;
  readonly hostname: () => string;
  readonly readTextFileSync: (path: string) => string;
  readonly readlinkSync: (path: string) => string;
  /** What a program prints. @throws when it fails */
  readonly run: (program: string, args: readonly string[]) => string;
}

const realSources: SessionSources = {
  platform: process.platform,
  hostname,
  readTextFileSync,
  readlinkSync,
  run: (program, args) =>
    execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
};

/**
 * Within what a pid means the same process: this machine since it was started, seen from the same container. Letters
 * and digits; stays when the machine gets a new name.
 */
export const bootSession = lazy(() => nameSession(describeSession(realSources) ?? hostname()));

/**
 * What another session is to this one: where one of the two is a mere name of this machine, a pid may still mean the same
 * process. `unknown`: this machine does not say when it was started.
 */
export function compareSession(other: string): 'same' | 'other' | 'unknown' {
  const own = bootSession();
  const named = nameSession(hostname());
  if (other === own || other === named) {
    return 'same';
  }
  return own === named ? 'unknown' : 'other';
}

/** No process of this session has that pid. */
export function isUnusedPid(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return errorCode(error) === 'ESRCH';
  }
}

/** `undefined` where the system does not say. */
export function describeSession({
  platform,
  hostname: readName,
  readTextFileSync: readText,
  readlinkSync: readLink,
  run,
}: SessionSources): string | undefined {
  try {
    switch (platform) {
      case 'darwin':
        return run('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid']);
      case 'win32':
        return `${readName()} ${run(registryProgram, ['query', startsKey, '/v', 'BootId'])}`;
      default:
        return `${readText('/proc/sys/kernel/random/boot_id')} ${readLink('/proc/self/ns/pid')}`;
    }
  } catch {
    return undefined;
  }
}

const registryProgram = win32.join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'reg.exe');
/** Where Windows counts its starts. */
const startsKey =
  'HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Memory Management\\PrefetchParameters';

function nameSession(description: string): string {
  return createHash('sha256').update(description).digest('hex').slice(0, 16);
}
