import type * as vscode from 'vscode';
import {
  globalPoolId,
  importSources,
  type McpPoolId,
  type WorkspaceFolder,
} from '../../config/definition.js';
import { folderImportFiles } from '../../config/imports/importLocations.js';
import {
  type ConfigFileLocation,
  folderConfigFiles,
  globalConfigFiles,
} from '../../config/parse/configLocations.js';
import type { ParsedConfigFile } from '../../config/parse/configTypes.js';
import { type JsonDocument, parseJsonDocument } from '../../config/parse/jsonDocument.js';
import { parseLocation } from '../../config/parse/parseLocation.js';
import type { Workspace } from '../../config/ports.js';
import type { HostEnvironment } from '../../platform/ports.js';

export interface ConfigFilePlace {
  readonly poolId: McpPoolId;
  /** `undefined` for a file of the user. */
  readonly folder: WorkspaceFolder | undefined;
  readonly location: ConfigFileLocation;
}

/** A configuration file as its editor shows it, saved or not. */
export interface OpenConfig extends ConfigFilePlace {
  readonly document: JsonDocument;
  readonly file: ParsedConfigFile;
}

/** Tells which documents are MCP configuration files, and of which pool. */
export class ConfigFiles {
  private readonly known = new WeakMap<
    vscode.TextDocument,
    { readonly version: number; readonly config: OpenConfig }
  >();

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

  /** A file of another program in a folder, whose servers can be used here. */
  findImportable(document: vscode.TextDocument): ConfigFilePlace | undefined {
    if (document.uri.scheme !== 'file') {
      return undefined;
    }
    const path = this.comparable(document.uri.fsPath);
    return this.importable().find(({ location }) => this.comparable(location.path) === path);
  }

  /** Parses each version once. `undefined` when the document is none of ours. */
  read(document: vscode.TextDocument): OpenConfig | undefined {
    return this.readAt(document, this.find(document));
  }

  /** @param place where the document stands; `undefined`: nowhere. */
  readAt(
    document: vscode.TextDocument,
    place: ConfigFilePlace | undefined,
  ): OpenConfig | undefined {
    if (!place) {
      return undefined;
    }
    const known = this.known.get(document);
    if (known?.version === document.version && known.config.poolId === place.poolId) {
      return known.config;
    }
    const text = document.getText();
    const config = {
      ...place,
      document: parseJsonDocument(text),
      file: parseLocation(text, place.location),
    };
    this.known.set(document, { version: document.version, config });
    return config;
  }

  private places(): readonly ConfigFilePlace[] {
    const global = globalConfigFiles(this.environment, this.globalConfigPath());
    return [
      ...this.workspace.folders.flatMap((folder) =>
        folderConfigFiles(folder, this.environment).map((location) => ({
          poolId: folder.uri,
          folder,
          location,
        })),
      ),
      ...global.map((location) => ({ poolId: globalPoolId, folder: undefined, location })),
    ];
  }

  private importable(): readonly ConfigFilePlace[] {
    return this.workspace.folders.flatMap((folder) =>
      importSources
        .flatMap((source) => folderImportFiles(source, folder, this.environment))
        // the user's own files are shared with nobody
        .filter((location) => location.folder !== undefined)
        .map((location) => ({ poolId: folder.uri, folder, location })),
    );
  }

  private comparable(path: string): string {
    return this.environment.platform === 'win32' ? path.toLowerCase() : path;
  }
}
