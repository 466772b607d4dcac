import type { HostEnvironment } from '../../platform/ports.js';
import {
  globalPoolId,
  importSources,
  type McpPoolId,
  type WorkspaceFolder,
} from '../definition.js';
import { folderImportFiles } from '../imports/importLocations.js';
import {
  type ConfigFileLocation,
  folderConfigFiles,
  globalConfigFiles,
} from '../parse/configLocations.js';

/** Where a configuration file may stand, and whose servers it declares. */
export interface ConfigFilePlace {
  readonly poolId: McpPoolId;
  /** `undefined` for a file of the user. */
  readonly folder: WorkspaceFolder | undefined;
  readonly location: ConfigFileLocation;
}

/** Files of our own, there or not. */
export function ownFilePlaces(
  folders: readonly WorkspaceFolder[],
  environment: HostEnvironment,
  globalConfigPath: string,
): readonly ConfigFilePlace[] {
  return [
    ...folders.flatMap((folder) =>
      folderConfigFiles(folder, environment).map((location) => ({
        poolId: folder.uri,
        folder,
        location,
      })),
    ),
    ...globalConfigFiles(environment, globalConfigPath).map((location) => ({
      poolId: globalPoolId,
      folder: undefined,
      location,
    })),
  ];
}

/** Files of other programs in folders, whose servers can be used here. The user's own are shared with nobody. */
export function importablePlaces(
  folders: readonly WorkspaceFolder[],
  environment: HostEnvironment,
): readonly ConfigFilePlace[] {
  return folders.flatMap((folder) =>
    importSources
      .flatMap((source) => folderImportFiles(source, folder, environment))
      .filter((location) => location.folder !== undefined)
      .map((location) => ({ poolId: folder.uri, folder, location })),
  );
}
