/** Finds what a server started although it left the server's process group, as browsers and daemons do. */
import { readBinaryFile } from '../boundedFile.js';
import { type ProcessIdentity, readProcStats } from './processIdentity.js';

/**
 * Variable in the environment of a server that whatever it starts inherits. Its value names one run of one server. An
 * entry of the user that sets it itself keeps what leaves the process group of the server alive.
 */
export const markerVariable = 'PI_MCP_RUN';

/** A process whose environment holds the marker. */
export interface MarkedProcess extends ProcessIdentity {
  readonly group: number;
}

const prefix = `${markerVariable}=`;

/** Looks again and again for processes with a marker; reads the environment of each but once. */
export class MarkedProcesses {
  private known = new Map</* pid and start */ string, string | undefined>();

  /** Running processes of this user by the marker in their environment; none where there is no /proc. Never rejects. */
  async read(): Promise<ReadonlyMap</* marker */ string, readonly MarkedProcess[]>> {
    const stats = await readProcStats();
    const known = new Map<string, string | undefined>();
    for (const { pid, start } of stats) {
      const key = `${pid} ${start}`;
      known.set(key, this.known.has(key) ? this.known.get(key) : await readMarker(pid));
    }
    this.known = known;
    const found = new Map<string, MarkedProcess[]>();
    for (const { pid, start, group } of stats) {
      const marker = known.get(`${pid} ${start}`);
      if (marker !== undefined) {
        found.set(marker, [...(found.get(marker) ?? []), { pid, start, group }]);
      }
    }
    return found;
  }
}

async function readMarker(pid: number): Promise<string | undefined> {
  try {
    const variables = (await readBinaryFile(`/proc/${pid}/environ`)).toString('latin1').split('\0');
    return variables.find((item) => item.startsWith(prefix))?.slice(prefix.length) || undefined;
  } catch {
    // another user's, or gone between listing and reading
    return undefined;
  }
}
