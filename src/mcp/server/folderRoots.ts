import { basename, isAbsolute, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { withRemedy } from '../../base/errors.js';
import { stableStringify } from '../../base/json.js';
import type {
  McpServerDefinition,
  ResolvedLaunch,
  WorkspaceFolder,
} from '../../config/definition.js';
import { variablesIn } from '../../config/launch/variables.js';
import type { Workspace } from '../../config/ports.js';
import {
  projectRoot,
  type RootFolder,
  rootRefusal,
  userRoot,
} from '../../config/roots/rootFolders.js';
import { isFolder } from '../../platform/folderPath.js';
import { realPath } from '../../platform/realPath.js';
import { isWithin } from '../../platform/withinFolder.js';
import type { ClientFeatures, McpRoot } from '../connection/session/clientFeatures.js';

type Roots = NonNullable<ClientFeatures['roots']>;

export interface RootsPorts {
  readonly workspace: Workspace;
  readonly homeDir: string;
  /** Fills in the variables of what a file of the user names. */
  readonly resolve: (
    definition: McpServerDefinition,
    written: readonly string[],
  ) => Promise<readonly string[]>;
  /** Gets why the server is not told of a folder, as sentences. */
  readonly onRefused: (sentences: string) => void;
}

/**
 * What a server is told of where it may work, settled before it connects. Consent must have been checked.
 * @returns undefined for a server that is told of nothing, and not that it could ask.
 */
export async function settleRoots(
  definition: McpServerDefinition,
  launch: ResolvedLaunch,
  ports: RootsPorts,
): Promise<Roots | undefined> {
  const { workspace } = ports;
  const { roots } = definition.options;
  switch (roots) {
    case 'none':
      return undefined;
    case 'folder':
      return folderRoots(definition, workspace);
    case undefined:
      return (await worksElsewhere(launch, definition, workspace))
        ? undefined
        : folderRoots(definition, workspace);
    default:
      return listedRoots(definition, roots, ports);
  }
}

/** Whether two definitions of a server tell it of the same. */
export function hasSameRoots(a: McpServerDefinition, b: McpServerDefinition): boolean {
  const said = ({ options, hasRootsOfUser = false }: McpServerDefinition) =>
    stableStringify([options.roots ?? null, hasRootsOfUser]);
  return said(a) === said(b);
}

const never: Roots['onDidChange'] = () => ({ dispose: () => undefined });

/** The folders that a server may work in: its own, or all of them for a server of the user. */
export function folderRoots({ folder: own }: McpServerDefinition, workspace: Workspace): Roots {
  return {
    list: () =>
      (own ? [own] : workspace.folders).filter(({ fsPath }) => fsPath !== undefined).map(toRoot),
    // the folder of a folder's server cannot change: without it the server is gone
    onDidChange: own ? never : workspace.onDidChangeFolders,
  };
}

function toRoot({ uri, name }: WorkspaceFolder): McpRoot {
  return { uri, name };
}

async function listedRoots(
  definition: McpServerDefinition,
  written: readonly string[],
  ports: RootsPorts,
): Promise<Roots> {
  const find = () => findRoots(definition, written, ports);
  let found = await find();
  const { workspace } = ports;
  const follows = !definition.folder && written.some(namesFolder);
  return {
    list: () => found,
    onDidChange: follows
      ? (listener) =>
          workspace.onDidChangeFolders(() => {
            void find().then(
              (changed) => {
                found = changed;
                listener();
              },
              // a variable is gone: what the server was told stays
              () => undefined,
            );
          })
      : never,
  };
}

async function findRoots(
  definition: McpServerDefinition,
  written: readonly string[],
  ports: RootsPorts,
): Promise<readonly McpRoot[]> {
  const found: McpRoot[] = [];
  for (const text of written) {
    for (const folder of foldersFor(definition, text, ports.workspace)) {
      const root = await findRoot(definition, text, folder, ports);
      const refusal = rootRefusal(root, text);
      if (refusal) {
        ports.onRefused(withRemedy(refusal.message, refusal.remedy));
      }
      if (root.kind === 'given') {
        found.push(rootAt(root.path, ports.workspace));
      }
    }
  }
  return [...new Map(found.map((root) => [root.uri, root])).values()];
}

/** What a server of the user says of the workspace folder, it says of each. */
function foldersFor(
  { folder: own }: McpServerDefinition,
  text: string,
  { folders }: Workspace,
): readonly (WorkspaceFolder | undefined)[] {
  return own || !namesFolder(text) ? [own] : folders.filter(({ fsPath }) => fsPath !== undefined);
}

async function findRoot(
  definition: McpServerDefinition,
  text: string,
  folder: WorkspaceFolder | undefined,
  { homeDir, resolve: fillIn }: RootsPorts,
): Promise<RootFolder> {
  if (definition.scope === 'folder' && !definition.hasRootsOfUser) {
    return projectRoot(text, { folder: folder?.fsPath, homeDir });
  }
  const [path = text] = await fillIn({ ...definition, folder: folder ?? definition.folder }, [
    text,
  ]);
  return userRoot(path, folder?.fsPath ?? homeDir, homeDir);
}

/** A folder of the workspace keeps its name. */
function rootAt(path: string, { folders }: Workspace): McpRoot {
  const known = folders.find(({ fsPath }) => fsPath === path);
  return known ? toRoot(known) : { uri: pathToFileURL(path).toString(), name: basename(path) };
}

function namesFolder(text: string): boolean {
  return variablesIn(text).some(
    ({ variable: { kind, name } }) => kind === 'place' && name.startsWith('workspaceFolder'),
  );
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
