/** Advice about a configuration that is valid: rules that look at one file in its surroundings. */
import type { ConfigProblem, ConfigProblemSeverity } from '../definition.js';
import type { ConfigPath, ParsedConfigFile, ParsedEntry } from '../parse/configTypes.js';
import type { JsonDocument } from '../parse/jsonDocument.js';
import type { RootFolder } from '../roots/rootFolders.js';
import type { PatternTarget } from '../toolProfiles.js';

/** Every rule and its severity unless the user's setting says otherwise. */
export const lintRules = {
  'asks-for-consent': 'hint',
  'claude-code-name': 'hint',
  'claude-code-needs-type': 'hint',
  'claude-code-shape': 'hint',
  'cwd-missing': 'warning',
  'executable-not-found': 'warning',
  'literal-secret': 'warning',
  'may-run-other-code': 'hint',
  'profile-shape': 'warning',
  'root-not-given': 'warning',
  'shell-variable': 'warning',
  'strict-json': 'hint',
  'unknown-profile-pattern': 'warning',
  'unknown-variable': 'warning',
  'unpinned-package': 'hint',
  'vscode-ignores-field': 'hint',
  'vscode-no-variables': 'hint',
} as const satisfies Record<string, ConfigProblemSeverity>;
export type LintRule = keyof typeof lintRules;

/** Programs that read the same files. */
export type OtherClient = 'claude-code' | 'vscode';

/** What a quick fix needs to know beside the range. */
export type LintDetail =
  | { readonly kind: 'secret'; readonly valuePath: ConfigPath; readonly suggestedId: string }
  | {
      readonly kind: 'package';
      readonly valuePath: ConfigPath;
      readonly packageName: string;
      /** The package with its version, as it stands in the value. */
      readonly written: string;
    }
  | {
      readonly kind: 'executable';
      readonly valuePath: ConfigPath;
      readonly foundAt: string | undefined;
    }
  | {
      readonly kind: 'variable';
      readonly valuePath: ConfigPath;
      readonly written: string;
      readonly better: string;
    }
  | { readonly kind: 'type'; readonly entryPath: ConfigPath }
  | { readonly kind: 'root'; readonly valuePath: ConfigPath };

export interface LintFinding extends ConfigProblem {
  readonly code: LintRule;
  readonly detail?: LintDetail;
}

/** The file under the rules. */
export interface LintSubject {
  readonly file: ParsedConfigFile;
  readonly document: JsonDocument;
  /** The file is of a kind that is shared through a repository: a secret in it is a leak, unless git ignores it. */
  readonly isCommitted: boolean;
}

/** The machine, as far as rules may look at it. Nothing here runs anything. What may not be looked at counts as there. */
export interface LintSurroundings {
  /** For places that the entry names. Default: the same for every entry. */
  readonly forEntry?: (entry: ParsedEntry) => LintSurroundings;
  readonly isVariableSet: (name: string) => boolean;
  /** Those that are configured where the file counts. Default: those of the file. */
  readonly servers?: readonly PatternTarget[];
  /** Where the command would be found: on the PATH that will be used, or only on another one. */
  readonly findCommand: (command: string, cwd: string) => Promise<CommandSearch>;
  readonly isDirectory: (path: string) => Promise<boolean>;
  /** What a folder of `roots` stands for; `undefined` while that is not known. */
  readonly findRoot: (written: string, isCommitted: boolean) => Promise<RootFolder | undefined>;
  /** Somebody uses that program here, so that what it makes of the file matters. */
  readonly usesClient: (client: OtherClient) => boolean;
  /** Git would not add the file: what is in it stays on this machine. */
  readonly isIgnoredByGit: (path: string) => Promise<boolean>;
  /** Absolute working directory of the entry, or undefined while it depends on something unknown. */
  readonly cwdOf: (entry: ParsedEntry) => string | undefined;
}

export interface CommandSearch {
  readonly isFound: boolean;
  /** Absolute path outside of the searched directories. */
  readonly elsewhere?: string;
  readonly searchedCount: number;
}
