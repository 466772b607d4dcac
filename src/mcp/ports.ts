/** What the MCP domain needs from the outside. `src/vscode` and `src/cli.ts` implement these; tests use real ones or fakes. */
import type { Event } from '../base/event.js';
import type { McpServerDefinition, WorkspaceFolder } from './mcpTypes.js';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** Callers mask secrets before they log. Must not throw. */
export interface Logger {
  log(level: LogLevel, message: string): void;
  /** The least severe that is shown; `off`: nothing is. Default: `info`. */
  readonly level?: LogLevel | 'off' | undefined;
  /** Default: the level never changes. */
  readonly onDidChangeLevel?: Event<void>;
}

export const nullLogger: Logger = { log: () => undefined };

/** One log per server, created on first use; `undefined` asks for the extension's own log. */
export interface LoggerProvider {
  forServer(definition: McpServerDefinition): Logger;
  readonly main: Logger;
}

export const nullLoggers: LoggerProvider = { forServer: () => nullLogger, main: nullLogger };

/** Platform-encrypted storage (VS Code SecretStorage). */
export interface SecretStore {
  get(key: string): Promise<string | undefined>;
  store(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
  /** A key was stored or deleted, by us or by another window. Default: nobody says so. */
  readonly onDidChange?: Event<string>;
}

/** The machine: environment, home, platform. Nothing else in the domain reads `process.env`. */
export interface HostEnvironment {
  readonly platform: NodeJS.Platform;
  readonly homeDir: string;
  getVariable(name: string): string | undefined;
  /** Every variable, for `inheritEnv`. */
  allVariables(): Readonly<Record<string, string>>;
  /** PATH as a login shell would set it; falls back to the process's PATH. Asked once, then remembered. */
  loginShellPath(): Promise<string>;
}

/** Workspace facts that gate everything (design §6). */
export interface Workspace {
  readonly folders: readonly WorkspaceFolder[];
  readonly isTrusted: boolean;
  readonly onDidChangeFolders: Event<void>;
  readonly onDidChangeTrust: Event<void>;
}

/** Watches one file that may not exist yet. Survives deletion, re-creation and atomic-rename saves. */
export interface FileWatcher {
  /**
   * Calls back after creation, change or deletion; may report too often, never too seldom.
   * @param within a folder that links on the way to the file are not followed out of; then the link itself is watched.
   */
  watch(path: string, onDidChange: () => void, within?: string): { dispose(): void };
}

/** Answers `${input:id}` (design §5). `undefined`: not stored and the user was not or could not be asked. */
export interface InputResolver {
  /**
   * @param asking the server that needs the value.
   * @param signal nobody wants the value any more: a question is taken back.
   */
  resolve(
    poolId: string,
    inputId: string,
    asking: McpServerDefinition,
    signal?: AbortSignal,
  ): Promise<string | undefined>;
}
