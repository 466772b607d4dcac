/** Where other programs keep their MCP servers, for the user and for a folder, on each system. */
import { join } from 'node:path';
import type { HostEnvironment } from '../../platform/ports.js';
import type { ImportSource, WorkspaceFolder } from '../definition.js';
import { expandHome } from '../launch/places.js';
import { type ConfigFileLocation, piAgentDir } from '../parse/configLocations.js';
import type { ConfigPath } from '../parse/configTypes.js';

type PlaceEnvironment = Pick<HostEnvironment, 'homeDir' | 'platform' | 'getVariable'>;

/** The user's own files of that program; later ones win. */
export function userImportFiles(
  source: ImportSource,
  environment: PlaceEnvironment,
): readonly ConfigFileLocation[] {
  const { homeDir } = environment;
  const file = (block: ConfigPath, ...path: readonly string[]) =>
    location(source, block, join(...path));
  switch (source) {
    case 'cursor':
      return [file(['mcpServers'], homeDir, '.cursor', 'mcp.json')];
    case 'claude-code':
      return [file(['mcpServers'], homeDir, '.claude.json')];
    case 'claude-desktop':
      return [
        file(['mcpServers'], applicationData(environment), 'Claude', 'claude_desktop_config.json'),
      ];
    case 'codex':
      return [file(['mcp_servers'], codexHome(environment), 'config.toml')];
    case 'windsurf':
      return [file(['mcpServers'], homeDir, '.codeium', 'windsurf', 'mcp_config.json')];
    case 'vscode':
      return [file(['servers'], applicationData(environment), 'Code', 'User', 'mcp.json')];
    case 'opencode': {
      const directory = join(configHome(environment), 'opencode');
      return [
        file(['mcp'], directory, 'opencode.json'),
        file(['mcp'], directory, 'opencode.jsonc'),
      ];
    }
    case 'copilot':
      return [file(['mcpServers'], copilotHome(environment), 'mcp-config.json')];
    case 'cline': {
      const name = 'cline_mcp_settings.json';
      const extension = join(applicationData(environment), 'Code', 'User', 'globalStorage');
      return [
        file(['mcpServers'], homeDir, '.cline', 'data', 'settings', name),
        file(['mcpServers'], extension, 'saoudrizwan.claude-dev', 'settings', name),
      ];
    }
    case 'gemini':
      return [file(['mcpServers'], homeDir, '.gemini', 'settings.json')];
    case 'zed':
      return [file(['context_servers'], zedHome(environment), 'settings.json')];
    case 'pi':
      return ownPiFiles(environment, file);
  }
}

/** Pi's usual place, where ours is another one. */
function ownPiFiles(
  environment: PlaceEnvironment,
  file: (block: ConfigPath, ...path: readonly string[]) => ConfigFileLocation,
): readonly ConfigFileLocation[] {
  const directory = join(environment.homeDir, '.pi', 'agent');
  return piAgentDir(environment) === directory
    ? []
    : [file(['mcpServers'], directory, 'mcp.json'), file(['mcp'], directory, 'settings.json')];
}

/** What that program keeps for the folder: in the folder itself, or under its path in the user's file. */
export function folderImportFiles(
  source: ImportSource,
  folder: WorkspaceFolder,
  environment: PlaceEnvironment,
): readonly ConfigFileLocation[] {
  const { fsPath } = folder;
  if (fsPath === undefined) {
    return [];
  }
  const file = (block: ConfigPath, ...path: readonly string[]) => ({
    ...location(source, block, join(fsPath, ...path)),
    folder: fsPath,
  });
  switch (source) {
    case 'cursor':
      return [file(['mcpServers'], '.cursor', 'mcp.json')];
    case 'claude-code':
      return claudeProjectKeys(fsPath, environment).map((key) =>
        location(
          source,
          ['projects', key, 'mcpServers'],
          join(environment.homeDir, '.claude.json'),
        ),
      );
    case 'codex':
      return [file(['mcp_servers'], '.codex', 'config.toml')];
    case 'vscode':
      return [file(['servers'], '.vscode', 'mcp.json')];
    case 'opencode':
      return [file(['mcp'], 'opencode.json'), file(['mcp'], 'opencode.jsonc')];
    case 'copilot':
      return [file(['mcpServers'], '.github', 'mcp.json')];
    case 'gemini':
      return [file(['mcpServers'], '.gemini', 'settings.json')];
    case 'zed':
      return [file(['context_servers'], '.zed', 'settings.json')];
    case 'pi':
      return [file(['mcp'], '.pi', 'settings.json')];
    case 'claude-desktop':
    case 'cline':
    case 'windsurf':
      return [];
  }
}

function location(source: ImportSource, block: ConfigPath, path: string): ConfigFileLocation {
  return {
    layer: 'import',
    path,
    isForeignFile: true,
    isPrimary: false,
    importSource: source,
    block,
  };
}

/** On Windows Claude Code writes project paths with a large drive letter, older ones with backslashes. Later ones win. */
function claudeProjectKeys(fsPath: string, { platform }: PlaceEnvironment): readonly string[] {
  if (platform !== 'win32') {
    return [fsPath];
  }
  const path = fsPath.replace(/^[a-z]:/, (drive) => drive.toUpperCase());
  return [path.replaceAll('/', '\\'), path.replaceAll('\\', '/')];
}

/** Where desktop programs keep their settings. */
function applicationData(environment: PlaceEnvironment): string {
  const { homeDir, platform, getVariable } = environment;
  switch (platform) {
    case 'darwin':
      return join(homeDir, 'Library', 'Application Support');
    case 'win32':
      return getVariable('APPDATA') ?? join(homeDir, 'AppData', 'Roaming');
    default:
      return configHome(environment);
  }
}

function configHome({ homeDir, getVariable }: PlaceEnvironment): string {
  return getVariable('XDG_CONFIG_HOME') || join(homeDir, '.config');
}

function codexHome({ homeDir, getVariable }: PlaceEnvironment): string {
  const configured = getVariable('CODEX_HOME');
  return configured ? expandHome(configured, homeDir) : join(homeDir, '.codex');
}

function copilotHome({ homeDir, getVariable }: PlaceEnvironment): string {
  const configured = getVariable('COPILOT_HOME');
  return configured ? expandHome(configured, homeDir) : join(homeDir, '.copilot');
}

/** On macOS, too, where other programs of the desktop use another place. */
function zedHome(environment: PlaceEnvironment): string {
  return environment.platform === 'win32'
    ? join(applicationData(environment), 'Zed')
    : join(configHome(environment), 'zed');
}
