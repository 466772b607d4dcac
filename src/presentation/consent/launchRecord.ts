import { stableStringify } from '../../base/json.js';
import type { McpServerLaunch } from '../../config/definition.js';
import { digest } from '../../config/launch/launchHash.js';
import { addressesOf, traitsOf } from '../../config/launch/launchTraits.js';
import type { McpServer } from '../../mcp/mcpApi.js';

/** Server name → digest of what its launch does; a digest, since arguments may hold secrets. */
export type LaunchRecord = { readonly [server: string]: string };

/** Marks servers that are announced when their address changes, but not when they are new. */
const addressLead = 'address:';

/** Of what a folder's files declare: what may run a command, read a variable or input, or lead to another address. */
export function launchRecord(servers: readonly McpServer[]): LaunchRecord {
  return Object.fromEntries(
    servers.flatMap(({ definition: { name, launch, enabled, origin } }) =>
      enabled && launch && origin.layer !== 'local' ? [[name, recordOf(launch)]] : [],
    ),
  );
}

/** Names of the servers to tell about: new, or doing something else than before. */
export function compareLaunches(before: LaunchRecord, now: LaunchRecord): readonly string[] {
  return Object.entries(now).flatMap(([name, record]) => {
    const known = Object.hasOwn(before, name) ? before[name] : undefined;
    const isNews = known === undefined ? !record.startsWith(addressLead) : known !== record;
    return isNews ? [name] : [];
  });
}

function recordOf(launch: McpServerLaunch): string {
  return launch.kind === 'stdio' || traitsOf(launch, false).length > 0
    ? digest(stableStringify(launch))
    : addressLead + digest(stableStringify(addressesOf(launch)));
}
