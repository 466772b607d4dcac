/** Where the configuration files of a pool are looked for. */
import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import type { HostEnvironment } from '../../platform/ports.js';
import type { ConfigLayer, ImportSource, WorkspaceFolder } from '../definition.js';
import { expandHome } from '../launch/places.js';
import type { ConfigPath } from './configTypes.js';

export interface ConfigFileLocation {
  readonly layer: ConfigLayer;
  /** Absolute. */
  readonly path: string;
  /** For a file of a workspace folder: that folder on the disk, which links on the way to the file must not leave. */
  readonly folder?: string;
  /** The file belongs to another program: only its servers count, not its top level. */
  readonly isForeignFile: boolean;
  /** New servers of the pool are written here. */
  readonly isPrimary: boolean;
  /** Set for the file of another program whose servers are taken over. */
  readonly importSource?: ImportSource;
  /** Where its servers stand, for the files of other programs. Default: `mcp`. */
  readonly block?: ConfigPath;
}

type PathEnvironment = Pick<HostEnvironment, 'homeDir' | 'getVariable'>;

/** Lowest precedence first. @param globalConfigPath the user's setting; default: Pi's own place. */
export function globalConfigFiles(
  environment: PathEnvironment,
  globalConfigPath?: string,
): readonly ConfigFileLocation[] {
  const agentDir = piAgentDir(environment);
  const userFile = globalConfigPath?.trim()
    ? expandHome(globalConfigPath.trim(), environment.homeDir)
    : join(agentDir, 'mcp.json');
  return withoutRepeats([
    location('shared', join(environment.homeDir, '.config', 'mcp', 'mcp.json')),
    ...inNamedDirectory('forge', 'FORGE_DATA_DIR', environment),
    ...inNamedDirectory('pilot', 'PILOT_DIR', environment),
    { ...location('pi-settings', join(agentDir, 'settings.json')), isForeignFile: true },
    { ...location('user', userFile), isPrimary: true },
  ]);
}

/** Another program's directory, where its variable is set. */
function inNamedDirectory(
  layer: ConfigLayer,
  variable: string,
  { homeDir, getVariable }: PathEnvironment,
): readonly ConfigFileLocation[] {
  const directory = getVariable(variable);
  return directory ? [location(layer, join(expandHome(directory, homeDir), 'mcp.json'))] : [];
}

const folderLayers = {
  project: '.mcp.json',
  'pi-project': '.pi/mcp.json',
  'pilot-project': '.pilot/mcp.json',
} as const;

/** Names of the files in a workspace folder that declare servers, with `/`; lowest precedence first. */
export const folderConfigNames: readonly string[] = Object.values(folderLayers);

/** Lowest precedence first; empty for a virtual folder. */
export function folderConfigFiles(
  { fsPath }: Pick<WorkspaceFolder, 'fsPath'>,
  environment: PathEnvironment,
): readonly ConfigFileLocation[] {
  const layers = Object.entries(folderLayers) as [keyof typeof folderLayers, string][];
  return fsPath === undefined
    ? []
    : [
        ...layers.map(([layer, name]) => ({
          ...location(layer, join(fsPath, name)),
          folder: fsPath,
          isPrimary: layer === 'project',
        })),
        localConfigFile(fsPath, environment),
      ];
}

/** What the user keeps for one folder alone, beside the user's own file and out of the folder's reach. */
export function localConfigFile(fsPath: string, environment: PathEnvironment): ConfigFileLocation {
  const directory = join(piAgentDir(environment), 'pi-mcp', 'folders', folderKey(fsPath));
  return location('local', join(directory, 'mcp.json'));
}

/** The name of a directory for what is kept of a folder; of no other one. */
export function folderKey(fsPath: string): string {
  const readable = basename(fsPath)
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .slice(0, 40);
  return `${readable}-${createHash('sha256').update(fsPath).digest('hex').slice(0, 16)}`;
}

/** Directory of the user's Pi. */
export function piAgentDir(environment: PathEnvironment): string {
  const configured = environment.getVariable('PI_CODING_AGENT_DIR');
  return configured
    ? expandHome(configured, environment.homeDir)
    : join(environment.homeDir, '.pi', 'agent');
}

function location(layer: ConfigLayer, path: string): ConfigFileLocation {
  return { layer, path, isForeignFile: false, isPrimary: false };
}

/** Settings may point two layers at one file; the higher one keeps it. */
function withoutRepeats(locations: readonly ConfigFileLocation[]): readonly ConfigFileLocation[] {
  return locations.filter(
    (item, index) => !locations.slice(index + 1).some((later) => later.path === item.path),
  );
}

/** Whether files of the layer belong to a workspace folder and are shared with everyone who has it. */
export function isFolderLayer(layer: ConfigLayer): boolean {
  return Object.hasOwn(folderLayers, layer);
}
