import { stat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import type { McpServerDefinition, ResolvedLaunch } from '../../config/definition.js';
import type { Workspace } from '../../config/ports.js';
import { realPath } from '../../platform/realPath.js';
import { isWithin } from '../../platform/withinFolder.js';
import type { ClientFeatures } from '../connection/session/clientFeatures.js';

/** The folders that a server may work in: its own, or all of them for a server of the user. */
export function folderRoots(
  { folder: own }: McpServerDefinition,
  workspace: Workspace,
): NonNullable<ClientFeatures['roots']> {
  return {
    list: () =>
      (own ? [own] : workspace.folders)
        .filter(({ fsPath }) => fsPath !== undefined)
        .map(({ uri, name }) => ({ uri, name })),
    // the folder of a folder's server cannot change: without it the server is gone
    onDidChange: own ? () => ({ dispose: () => undefined }) : workspace.onDidChangeFolders,
  };
}

/** Options of what runs servers that name where the program itself is. */
const placeOptions = ['--directory', '--project', '--prefix', '--cwd', '-C'];

/**
 * The arguments already say where the server may work: they name a folder that is outside of those of the workspace, and
 * roots would take its place. Consent must have been checked.
 */
export async function worksElsewhere(
  launch: ResolvedLaunch,
  { folder: own }: Pick<McpServerDefinition, 'folder'>,
  workspace: Workspace,
): Promise<boolean> {
  if (launch.kind !== 'stdio') {
    return false;
  }
  const folders = (own ? [own] : workspace.folders).flatMap(({ fsPath }) => fsPath ?? []);
  const real = await Promise.all(folders.map((folder) => realPath(folder)));
  const isInside = (path: string) => [...folders, ...real].some((folder) => isWithin(folder, path));
  const named = launch.args
    .filter((_arg, index) => !placeOptions.includes(launch.args[index - 1] ?? ''))
    .map((arg) => (arg.startsWith('-') ? arg.slice(arg.indexOf('=') + 1) : arg))
    // a bare word is a name
    .filter((arg) => isAbsolute(arg) || /^\.{1,2}(?:[/\\]|$)/.test(arg))
    .map((arg) => resolve(launch.cwd, arg));
  for (const path of named) {
    if ((await isFolder(path)) && !isInside(path) && !isInside(await realPath(path))) {
      return true;
    }
  }
  return false;
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    // nothing there, or nothing for us
    () => false,
  );
}
