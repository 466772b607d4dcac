import type { WorkspaceFolder } from '../../config/definition.js';
import { launchHash } from '../../config/launch/launchHash.js';
import type { ParsedEntry } from '../../config/parse/configTypes.js';
import type { McpServer, McpTrust } from '../../mcp/mcpApi.js';
import { isBlocked } from '../../mcp/stateKinds.js';

/**
 * Whether the values of an entry's variables may be put together for the user: in their own files always, in a folder's
 * file only where its server may run. A file from somewhere must not show the environment around it.
 */
export function mayShowValues(
  server: Pick<McpServer, 'state'> | undefined,
  folder: WorkspaceFolder | undefined,
  trust: Pick<McpTrust, 'isWorkspaceTrusted' | 'folderTrust'>,
): boolean {
  if (!folder) {
    return true;
  }
  if (!trust.isWorkspaceTrusted) {
    return false;
  }
  if (trust.folderTrust(folder.uri).kind === 'folder') {
    return true;
  }
  // a switched-off server says nothing about consent
  return server !== undefined && !isBlocked(server.state.value);
}

/** Whether the user agreed to just this launch: what stands in an editor may be another one than what is saved. */
export function isConsentedEntry(
  { launch }: Pick<ParsedEntry, 'launch'>,
  server: Pick<McpServer, 'state' | 'definition'> | undefined,
  folder: WorkspaceFolder | undefined,
  trust: Pick<McpTrust, 'isWorkspaceTrusted' | 'folderTrust'>,
): boolean {
  if (!mayShowValues(server, folder, trust)) {
    return false;
  }
  if (!folder || trust.folderTrust(folder.uri).kind === 'folder') {
    return true;
  }
  const agreed = server?.definition.launch;
  return agreed !== undefined && launch !== undefined && launchHash(agreed) === launchHash(launch);
}
