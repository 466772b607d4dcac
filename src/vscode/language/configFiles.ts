import type * as vscode from 'vscode';
import {
  type ConfigFilePlace,
  importablePlaces,
  ownFilePlaces,
} from '../../config/discovery/filePlaces.js';
import type { ParsedConfigFile } from '../../config/parse/configTypes.js';
import { type JsonDocument, parseJsonDocument } from '../../config/parse/jsonDocument.js';
import { parseLocation } from '../../config/parse/parseLocation.js';
import type { Workspace } from '../../config/ports.js';
import type { HostEnvironment } from '../../platform/ports.js';

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
    const { workspace, environment } = this;
    return this.findIn(document, () =>
      ownFilePlaces(workspace.folders, environment, this.globalConfigPath()),
    );
  }

  /** A file of another program in a folder, whose servers can be used here. */
  findImportable(document: vscode.TextDocument): ConfigFilePlace | undefined {
    const { workspace, environment } = this;
    return this.findIn(document, () => importablePlaces(workspace.folders, environment));
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

  private findIn(
    { uri }: vscode.TextDocument,
    places: () => readonly ConfigFilePlace[],
  ): ConfigFilePlace | undefined {
    const path = this.comparable(uri.fsPath);
    return uri.scheme === 'file'
      ? places().find(({ location }) => this.comparable(location.path) === path)
      : undefined;
  }

  private comparable(path: string): string {
    const { platform } = this.environment;
    return platform === 'win32' || platform === 'darwin' ? path.toLowerCase() : path;
  }
}
