/** Finds what a server started although it left the server's process group, as browsers and daemons do. */
import { readdir, readFile } from 'node:fs/promises';
import { type ProcessIdentity, readProcStat } from './processIdentity.js';

/**
 * Variable in the environment of a server that whatever it starts inherits. Its value names one run of one server. An
 * entry that sets it itself keeps what leaves the process group of the server alive.
 */
export const markerVariable = 'PI_MCP_RUN';

/** A process whose environment holds the marker. */
export interface MarkedProcess extends ProcessIdentity {
  readonly group: number;
}

const prefix = `${markerVariable}=`;

/** Running processes of this user by the marker in their environment; none where there is no /proc. Never rejects. */
export async function readMarkedProcesses(): Promise<
  ReadonlyMap</* marker */ string, readonly MarkedProcess[]>
> {
  const names = await readdir('/proc').catch(() => []);
  const found = new Map<string, MarkedProcess[]>();
  await Promise.all(
    names
      .filter((name) => /^\d+$/.test(name))
      .map(async (name) => {
        const marker = await readMarker(name);
        const stat = marker === undefined ? undefined : await readProcStat(name);
        if (marker !== undefined && stat) {
          const { pid, start, group } = stat;
          found.set(marker, [...(found.get(marker) ?? []), { pid, start, group }]);
        }
      }),
  );
  return found;
}

async function readMarker(pid: string): Promise<string | undefined> {
  try {
    const variables = (await readFile(`/proc/${pid}/environ`, 'latin1')).split('\0');
    return variables.find((item) => item.startsWith(prefix))?.slice(prefix.length) || undefined;
  } catch {
    // another user's, or gone between listing and reading
    return undefined;
  }
}
