import { createHash } from 'node:crypto';
import { stableStringify } from '../../base/json.js';
import type { McpServer } from '../../mcp/mcpApi.js';

/** Server name → digest of what it runs; a digest, since arguments may hold secrets. */
export type LaunchRecord = { readonly [server: string]: string };

/** Only what may run a command on this machine. */
export function launchRecord(servers: readonly McpServer[]): LaunchRecord {
  return Object.fromEntries(
    servers.flatMap(({ definition: { name, launch, enabled } }) =>
      enabled && launch?.kind === 'stdio' ? [[name, digest(stableStringify(launch))]] : [],
    ),
  );
}

/** Names that are new or run something else than before. */
export function compareLaunches(before: LaunchRecord, now: LaunchRecord): readonly string[] {
  return Object.keys(now).filter((name) => before[name] !== now[name]);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
