import * as l10n from '@vscode/l10n';
import type { ConfigOrigin } from '../../config/definition.js';
import { isFolderLayer } from '../../config/parse/configLocations.js';
import type { McpPool, McpServer } from '../../mcp/mcpApi.js';
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

/** Where the entry of a server stands and counts. @param pools of the window */
export function entryFacts(server: McpServer, pools: readonly McpPool[]): readonly ServerFact[] {
  const { origin, hides, scope } = server.definition;
  return [
    ...fact(l10n.t('saved in'), origin.path),
    ...fact(l10n.t('used in'), scope === 'global' ? foldersText(server, pools) : undefined),
    ...hides.flatMap((hidden) => fact(l10n.t('note'), hidingText(hidden, server))),
  ];
}

/** Of a server of the user; nothing to say where no folder is open. */
function foldersText(server: McpServer, pools: readonly McpPool[]): string | undefined {
  const folders = pools.flatMap(({ folder }) => folder ?? []);
  const using = folders.filter(({ uri }) => !server.isHiddenIn(uri));
  return folders.length === 0
    ? undefined
    : using.map(({ name }) => name).join(', ') || l10n.t('no open folder');
}

/** A server of the user is not hidden by one that may not run. */
function hidingText({ layer, path }: ConfigOrigin, { definition, state }: McpServer): string {
  const isOuter = definition.scope === 'folder' && !isFolderLayer(layer) && layer !== 'import';
  return isOuter && isBlocked(state.value)
    ? l10n.t('Hides the entry in {0} once it may run', path)
    : l10n.t('Hides the entry in {0}', path);
}
