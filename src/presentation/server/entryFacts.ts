import * as l10n from '@vscode/l10n';
import { type ConfigOrigin, serverId } from '../../config/definition.js';
import { isFolderLayer } from '../../config/parse/configLocations.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import { isBlocked } from '../../mcp/stateKinds.js';
import type { ServerFact } from '../../protocol/server/serverProtocol.js';

/** None where there is nothing to say. */
export function fact(
  label: string,
  text: string | undefined,
  isCode?: boolean,
): readonly ServerFact[] {
  return text === undefined ? [] : [{ label, text, isCode }];
}

/** Where the entry of a server stands and counts. */
export function entryFacts(
  server: McpServer,
  service: Pick<McpService, 'getServer' | 'pools'>,
): readonly ServerFact[] {
  const { origin, hides } = server.definition;
  return [
    ...fact(l10n.t('saved in'), origin.path),
    ...fact(l10n.t('used in'), foldersText(server, service)),
    ...hides.flatMap((hidden) => fact(l10n.t('note'), hidingText(hidden, server))),
  ];
}

/** Of a server of the user, which is not used where it is off, or where the folder has one of its name. */
function foldersText(
  server: McpServer,
  service: Pick<McpService, 'getServer' | 'pools'>,
): string | undefined {
  const { scope, name } = server.definition;
  const folders = service.pools.flatMap(({ folder }) => folder ?? []);
  if (scope !== 'global' || folders.length === 0) {
    return undefined;
  }
  const using = folders.filter(
    ({ uri }) => !server.isHiddenIn(uri) && !service.getServer(serverId(uri, name)),
  );
  return using.map((folder) => folder.name).join(', ') || l10n.t('no open folder');
}

/** A server of the user is not hidden by one that may not run. */
function hidingText({ layer, path }: ConfigOrigin, { definition, state }: McpServer): string {
  const isOuter = definition.scope === 'folder' && !isFolderLayer(layer) && layer !== 'import';
  return isOuter && isBlocked(state.value)
    ? l10n.t('Hides the entry in {0} once it may run', path)
    : l10n.t('Hides the entry in {0}', path);
}
