import * as vscode from 'vscode';
import type { ConfigProblem } from '../../config/definition.js';
import { isIgnoredByGit } from '../../config/lint/gitIgnored.js';
import { lintConfig, lintImported, withSeverities } from '../../config/lint/lintConfig.js';
import { machineSurroundings } from '../../config/lint/machineSurroundings.js';
import { clientsOfFolder } from '../../config/lint/otherClients.js';
import { toSeverityChoices } from '../../config/lint/severityChoices.js';
import { isFolderLayer } from '../../config/parse/configLocations.js';
import type { ParsedEntry } from '../../config/parse/configTypes.js';
import type { Workspace } from '../../config/ports.js';
import type { HostEnvironment } from '../../platform/ports.js';
import type { SeveritySources } from '../workspace/severitySetting.js';
import type { ConfigFilePlace, ConfigFiles, OpenConfig } from './configFiles.js';

/** Whether the servers of a file of another program are used here. */
export type IsImported = (place: ConfigFilePlace) => boolean;

/** Whether the user agreed to the launch of an entry, as the editor shows it. */
export type IsConsented = (config: OpenConfig, entry: ParsedEntry) => boolean;

/** Everything that is wrong with an open configuration file, as the user wants to hear it. */
export class ConfigProblems {
  private known = new WeakMap<
    vscode.TextDocument,
    { readonly version: number; readonly problems: Promise<readonly ConfigProblem[]> }
  >();

  constructor(
    private readonly files: ConfigFiles,
    private readonly workspace: Workspace,
    private readonly environment: HostEnvironment,
    private readonly severities: () => SeveritySources,
    private readonly isConsented: IsConsented,
    private readonly isImported: IsImported,
  ) {}

  /** Whether the document is one to look at. */
  concern(document: vscode.TextDocument): boolean {
    return this.files.find(document) !== undefined || this.imported(document) !== undefined;
  }

  /** Looks at each version once, until {@link forget}. */
  of(document: vscode.TextDocument): Promise<readonly ConfigProblem[]> {
    const known = this.known.get(document);
    if (known?.version === document.version) {
      return known.problems;
    }
    const problems = this.find(document);
    this.known.set(document, { version: document.version, problems });
    return problems;
  }

  /** Something beside the text changed: a setting, trust, or the files that entries name. */
  forget(): void {
    this.known = new WeakMap();
  }

  private async find(document: vscode.TextDocument): Promise<readonly ConfigProblem[]> {
    const config = this.files.read(document);
    if (config) {
      return this.withSeverities(await this.findIn(config));
    }
    const imported = this.files.readAt(document, this.imported(document));
    return imported ? this.withSeverities(await this.findInImported(imported)) : [];
  }

  private imported(document: vscode.TextDocument): ConfigFilePlace | undefined {
    const place = this.files.findImportable(document);
    return place && this.isImported(place) ? place : undefined;
  }

  private findInImported({ file, document }: OpenConfig): Promise<readonly ConfigProblem[]> {
    const { homeDir } = this.environment;
    return lintImported(
      { file, document, isCommitted: true },
      {
        isIgnoredByGit: async (path) => this.workspace.isTrusted && isIgnoredByGit(path, homeDir),
      },
    );
  }

  private async findIn(config: OpenConfig): Promise<readonly ConfigProblem[]> {
    const { file, folder, location } = config;
    const clients = await clientsOfFolder(folder?.fsPath);
    const surroundings = machineSurroundings({
      environment: this.environment,
      folder,
      isTrusted: this.workspace.isTrusted,
      clients: usesMcpOfVsCode() ? new Set([...clients, 'vscode']) : clients,
      isConsented: (entry) => this.isConsented(config, entry),
    });
    const isCommitted = isFolderLayer(location.layer);
    const findings = await lintConfig(
      { file, document: config.document, isCommitted },
      surroundings,
    );
    return [...file.problems, ...file.entries.flatMap((entry) => entry.problems), ...findings];
  }

  private withSeverities(problems: readonly ConfigProblem[]): readonly ConfigProblem[] {
    const { user, project } = this.severities();
    return withSeverities(problems, toSeverityChoices(user), toSeverityChoices(project));
  }
}

/** Somebody set up the MCP support of VS Code, and did not switch it off. */
function usesMcpOfVsCode(): boolean {
  const settings = vscode.workspace.getConfiguration('chat.mcp');
  const access = settings.inspect<unknown>('access');
  const discovery = settings.inspect<unknown>('discovery.enabled');
  const isSetUp = [access, discovery].some(
    (setting) => (setting?.globalValue ?? setting?.workspaceValue) !== undefined,
  );
  return isSetUp && settings.get('access') !== 'none';
}
