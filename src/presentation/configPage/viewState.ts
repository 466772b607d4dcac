/** What the configuration editor shows of the domain's state. Plain Node; no `vscode`. */
import * as l10n from '@vscode/l10n';
import type { PoolFile } from '../../config/configuration.js';
import type { McpPool, McpServer, McpService } from '../../mcp/mcpApi.js';
import { isTrouble, launchKind } from '../../mcp/stateKinds.js';
import { stateText } from '../../mcp/trouble/stateText.js';
import type {
  ConfigPoolView,
  ConfigServerView,
  ConfigViewState,
} from '../../protocol/configProtocol.js';
import { profileText } from '../switching/profileText.js';
import { itemPicture } from '../tree/below/itemPicture.js';
import { fileFaults } from '../tree/poolPresentation.js';
import { type PresentationContext, toolCount } from '../tree/presentation.js';

type Use = Pick<PresentationContext, 'isLent' | 'profileOf'>;

export function configViewState(service: McpService, use: Use = {}): ConfigViewState {
  return {
    pools: service.pools.map((pool) => poolView(pool, service, use)),
    isWorkspaceTrusted: service.trust.isWorkspaceTrusted,
  };
}

function poolView(pool: McpPool, service: McpService, use: Use): ConfigPoolView {
  const { trust } = service;
  const profile = pool.folder && use.profileOf?.(pool.folder.uri);
  return {
    id: pool.id,
    label: pool.folder?.name ?? l10n.t('User'),
    isGlobal: pool.folder === undefined,
    file: pool.primaryFile,
    places: serverPlaces(pool, service),
    hasFile: pool.files.includes(pool.primaryFile),
    isMasterDisabled: pool.isMasterDisabled,
    fileProblems: fileFaults(pool).map(({ path, problem }) => ({
      path,
      isError: problem.severity === 'error',
      message: problem.message,
      remedy: problem.remedy,
    })),
    trust: pool.folder && {
      kind: trust.folderTrust(pool.folder.uri).kind,
      pendingCount: pool.servers.filter(({ state }) => state.value.kind === 'trust_required')
        .length,
    },
    use: pool.folder && {
      isLent: use.isLent?.(pool.folder.uri) === true,
      profile: profile ? profileText(profile) : '',
    },
    servers: pool.servers.map(serverView),
  };
}

function serverView({ id, definition, state, catalog }: McpServer): ConfigServerView {
  const current = state.value;
  const { icon, reason, fix } = stateText(current);
  const { tools } = catalog.value;
  return {
    id,
    name: definition.name,
    kind: launchKind(definition),
    state: current.kind,
    reason,
    icon,
    fix: isTrouble(current) ? fix?.title : undefined,
    tools: tools.length > 0 ? toolCount(tools.length) : '',
    enabled: definition.enabled,
    ...itemPicture(catalog.value.serverInfo),
  };
}

/** A file that servers can be put into, in the words of its scope. */
export interface ServerPlace {
  readonly poolId: string;
  readonly file: PoolFile;
  readonly label: string;
  /** Absolute. */
  readonly path: string;
}

/** What everybody with the folder has comes first; none for a virtual folder. */
export function serverPlaces(
  { id, folder, primaryFile }: McpPool,
  { configuration }: Pick<McpService, 'configuration'>,
): readonly ServerPlace[] {
  if (primaryFile === '') {
    return [];
  }
  const place = (file: PoolFile, label: string): ServerPlace => {
    return { poolId: id, file, label, path: configuration.location(id, file).path };
  };
  return folder
    ? [
        place('primary', l10n.t('Folder {0}: for Everybody', folder.name)),
        place('local', l10n.t('Folder {0}: Only You', folder.name)),
      ]
    : [place('primary', l10n.t('User: Every Folder'))];
}
