import type * as vscode from 'vscode';
import type { ConfigProblem } from '../../config/definition.js';
import type { ConfigFilePlace } from '../../config/discovery/filePlaces.js';
import { lintFile } from '../../config/lint/lintFile.js';
import type { OtherClient } from '../../config/lint/lintTypes.js';
import { toSeverityChoices, withSeverities } from '../../config/lint/severityChoices.js';
import type { ParsedEntry } from '../../config/parse/configTypes.js';
import type { Workspace } from '../../config/ports.js';
import type { PatternTarget } from '../../config/toolProfiles.js';
import type { HostEnvironment } from '../../platform/ports.js';
import type { WrittenSeverities } from '../../presentation/language/serverAdvice.js';
import type { ConfigFiles, OpenConfig } from './configFiles.js';

/** Whether the servers of a file of another program are used here. */
export type IsImported = (place: ConfigFilePlace) => boolean;

/** Whether the user agreed to the launch of an entry, as the editor shows it. */
export type IsConsented = (config: OpenConfig, entry: ParsedEntry) => boolean;

export interface KnownToEditor {
  /** Programs that read the same files. */
  clients(): readonly OtherClient[];
  serversFor(folderUri: string | undefined): readonly PatternTarget[];
}

/** Everything that is wrong with an open configuration file, as the user wants to hear it. */
export class ConfigProblems {
  private found = new WeakMap<
    vscode.TextDocument,
    { readonly version: number; readonly problems: Promise<readonly ConfigProblem[]> }
  >();

  constructor(
    private readonly files: ConfigFiles,
    private readonly workspace: Workspace,
    private readonly environment: HostEnvironment,
    private readonly severities: () => WrittenSeverities,
    private readonly isConsented: IsConsented,
    private readonly isImported: IsImported,
    private readonly known: KnownToEditor,
  ) {}

  /** Whether the document is one to look at. */
  concern(document: vscode.TextDocument): boolean {
    return this.files.find(document) !== undefined || this.imported(document) !== undefined;
  }

  /** Looks at each version once, until {@link forget}. */
  of(document: vscode.TextDocument): Promise<readonly ConfigProblem[]> {
    const known = this.found.get(document);
    if (known?.version === document.version) {
      return known.problems;
    }
    const problems = this.find(document);
    this.found.set(document, { version: document.version, problems });
    return problems;
  }

  /** Something beside the text changed: a setting, trust, or the files that entries name. */
  forget(): void {
    this.found = new WeakMap();
  }

  private async find(document: vscode.TextDocument): Promise<readonly ConfigProblem[]> {
    const own = this.files.read(document);
    const config = own ?? this.files.readAt(document, this.imported(document));
    if (!config) {
      return [];
    }
    const findings = await lintFile(config, {
      environment: this.environment,
      isTrusted: this.workspace.isTrusted,
      clients: this.known.clients(),
      servers: this.known.serversFor(config.folder?.uri),
      isConsented: (entry) => this.isConsented(config, entry),
    });
    const { problems, entries } = config.file;
    // what else is wrong with a file of another program is for that program to say
    const ofText = own ? [...problems, ...entries.flatMap((entry) => entry.problems)] : [];
    return this.withSeverities([...ofText, ...findings]);
  }

  private imported(document: vscode.TextDocument): ConfigFilePlace | undefined {
    const place = this.files.findImportable(document);
    return place && this.isImported(place) ? place : undefined;
  }

  private withSeverities(problems: readonly ConfigProblem[]): readonly ConfigProblem[] {
    const { user, project } = this.severities();
    return withSeverities(problems, toSeverityChoices(user), toSeverityChoices(project));
  }
}
