import { sep } from 'node:path';
import type { HostEnvironment } from '../../platform/ports.js';
import type { ImportSource, WorkspaceFolder } from '../definition.js';
import { folderImportFiles, userImportFiles } from '../imports/importLocations.js';
import type { PoolPlan } from './discoveredPools.js';

/**
 * The files of other programs that the user's own files ask for, for the user and for every folder. A folder's files
 * can ask for what the folder holds, not for what the user keeps.
 */
export function importsOf(
  plans: readonly PoolPlan[],
  sourcesOf: readonly (readonly ImportSource[])[],
  environment: HostEnvironment,
): readonly PoolPlan[] {
  const userSources = sourcesOf[0] ?? [];
  return plans.map((plan, index) => {
    const { folder } = plan;
    const sources = [...new Set([...userSources, ...(sourcesOf[index] ?? [])])];
    const locations = sources.flatMap((source) =>
      folder
        ? folderImportFiles(source, folder, environment).filter(
            ({ path }) => userSources.includes(source) || isInside(path, folder),
          )
        : userImportFiles(source, environment),
    );
    return { ...plan, locations };
  });
}

function isInside(path: string, folder: WorkspaceFolder): boolean {
  return folder.fsPath !== undefined && path.startsWith(folder.fsPath + sep);
}
