/** Finds what a server started although it left the server's process group, as browsers and daemons do. */
import { randomUUID } from 'node:crypto';
import { type ProcessIdentity, readProcEnvironment, readProcStats } from './identity.js';
import { limitOf, readInheritedLimit } from './inheritedLimit.js';

/**
 * Variable in the environment of a server that whatever it starts inherits. Its value names one run of one server. An
 * entry of the user that sets it itself keeps what leaves the process group of the server alive.
 */
export const markerVariable = 'PI_MCP_RUN';

/** The window that started a server. */
export interface MarkerOwner extends ProcessIdentity {
  /** Who sweeps behind it: whoever has the same ledgers and sees the same processes. Letters and digits. */
  readonly scope: string;
}

/** A process whose environment holds the marker, or that has inherited its limit. */
export interface MarkedProcess extends ProcessIdentity {
  readonly group: number;
}

/** Those without a marker, which have cleared their environment, stand by their limit. */
export type MarkedByMarker = ReadonlyMap</* marker or limit */ string, readonly MarkedProcess[]>;

/** Every process that belongs to a run. */
export function markedBy(marker: string, marked: MarkedByMarker): readonly MarkedProcess[] {
  return [...(marked.get(marker) ?? []), ...(marked.get(limitOf(marker)) ?? [])];
}

const prefix = `${markerVariable}=`;
const shape = /^([\da-z]+)\.(\d+)\.(\d+)\.[\da-f-]{36}$/;

/** Names a new run. Without an owner nobody can tell later whether that is gone. */
export function createMarker(owner: MarkerOwner | undefined): string {
  const run = randomUUID();
  return owner === undefined ? run : `${owner.scope}.${owner.pid}.${owner.start}.${run}`;
}

/** Who started the run; undefined for a value that we did not write, or without an owner. */
export function markerOwner(marker: string): MarkerOwner | undefined {
  const [, scope, pid, start] = shape.exec(marker) ?? [];
  return scope === undefined || start === undefined || Number(pid) <= 1
    ? undefined
    : { scope, pid: Number(pid), start };
}

/** The marker among variables as the system lists them. */
export function findMarker(variables: readonly string[]): string | undefined {
  return variables.find((item) => item.startsWith(prefix))?.slice(prefix.length) || undefined;
}

export function groupByMarker(
  items: Iterable<readonly [marker: string | undefined, process: MarkedProcess]>,
): MarkedByMarker {
  const found = new Map<string, MarkedProcess[]>();
  for (const [marker, process] of items) {
    if (marker !== undefined) {
      found.set(marker, [...(found.get(marker) ?? []), process]);
    }
  }
  return found;
}

/**
 * Looks again and again for processes with a marker on Linux; reads the environment of each program but once. Uses no
 * thread, since those may all be busy with other extensions' files.
 */
export class MarkedProcesses {
  private known = new Map</* process and program */ string, string | undefined>();

  /** Running processes of this user by the marker in their environment. Never rejects. */
  read(): MarkedByMarker {
    const stats = readProcStats();
    const known = new Map<string, string | undefined>();
    const found: (readonly [string | undefined, MarkedProcess])[] = [];
    for (const { pid, start, group, environment } of stats) {
      const key = `${pid} ${start} ${environment}`;
      const variables = this.known.has(key) ? undefined : readProcEnvironment(pid);
      const marker = variables
        ? (findMarker(variables) ?? readInheritedLimit(pid))
        : this.known.get(key);
      // between two programs there is no environment, and the next one's may have the marker
      if (environment !== '0' && variables?.join('') !== '') {
        known.set(key, marker);
      }
      found.push([marker, { pid, start, group }]);
    }
    this.known = known;
    return groupByMarker(found);
  }
}
