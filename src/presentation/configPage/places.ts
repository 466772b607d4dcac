/** The files that servers can be put into, in the words of their scope. Plain Node; no `vscode`. */
import * as l10n from '@vscode/l10n';
import type { PoolFile } from '../../config/configuration.js';
import type { McpPool, McpService } from '../../mcp/mcpApi.js';

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
