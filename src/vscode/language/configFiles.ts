import type * as vscode from 'vscode';
import {
  type ConfigFileLocation,
  folderConfigFiles,
  globalConfigFiles,
} from '../../mcp/config/configLocations.js';
import type { ParsedConfigFile } from '../../mcp/config/configTypes.js';
import { parseLocation } from '../../mcp/config/parseLocation.js';
import { globalPoolId, type McpPoolId } from '../../mcp/mcpTypes.js';
import type { HostEnvironment, Workspace } from '../../mcp/ports.js';

export interface ConfigFilePlace {
  readonly poolId: McpPoolId;
  readonly location: ConfigFileLocation;
}

/** Tells which documents are MCP configuration files, and of which pool. */
export class ConfigFiles {
  constructor(
    private readonly workspace: Workspace,
    private readonly environment: HostEnvironment,
    private readonly globalConfigPath: () => string,
  ) {}

  find(document: vscode.TextDocument): ConfigFilePlace | undefined {
    if (document.uri.scheme !== 'file') {
      return undefined;
    }
    const path = this.comparable(document.uri.fsPath);
    return this.places().find(({ location }) => this.comparable(location.path) === path);
  }

  /** `undefined` when the document is none of ours. */
  parse(document: vscode.TextDocument): ParsedConfigFile | undefined {
    const place = this.find(document);
    return place && parseLocation(document.getText(), place.location);
  }

  private places(): readonly ConfigFilePlace[] {
    const global = globalConfigFiles(this.environment, this.globalConfigPath());
    return [
      ...this.workspace.folders.flatMap((folder) =>
        folderConfigFiles(folder).map((location) => ({ poolId: folder.uri, location })),
      ),
      ...global.map((location) => ({ poolId: globalPoolId, location })),
    ];
  }

  private comparable(path: string): string {
    return this.environment.platform === 'win32' ? path.toLowerCase() : path;
  }
}
