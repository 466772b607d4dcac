import { readProcessTable } from '../../platform/process/system.js';
import { treeOf } from '../../platform/process/table.js';
import type { McpActivity, McpServer, McpService } from '../mcpApi.js';
import { isRunning } from '../stateKinds.js';

/** A server that is connected or connecting, and what it costs. */
export interface RunningServer {
  readonly server: McpServer;
  /** Undefined while it connects and for remote servers, as is all that follows from it. */
  readonly pid: number | undefined;
  /** Processes of its group. */
  readonly processCount: number | undefined;
  /** Resident memory of its whole group. */
  readonly memoryBytes: number | undefined;
  /** Milliseconds since it connected; undefined while it connects. */
  readonly uptimeMs: number | undefined;
  readonly activity: McpActivity;
}

/** Reads what is true now. Never rejects. */
export async function listRunningServers(service: McpService): Promise<readonly RunningServer[]> {
  const running = service.servers.filter(({ state }) => isRunning(state.value));
  const hasProcess = running.some(({ definition }) => definition.launch?.kind === 'stdio');
  const table = hasProcess ? await readProcessTable() : [];
  return running.map((server) => {
    const state = server.state.value;
    const { pid, since } = state.kind === 'connected' ? state : {};
    const tree = pid === undefined ? undefined : treeOf(pid, table);
    return {
      server,
      pid,
      processCount: tree?.length,
      memoryBytes: tree?.reduce((sum, { rssBytes }) => sum + rssBytes, 0),
      uptimeMs: since === undefined ? undefined : Date.now() - since,
      activity: server.activity,
    };
  });
}
