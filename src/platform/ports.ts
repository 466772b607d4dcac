/** What the domain needs from the machine. `src/vscode` and `src/cli` implement these; tests use real ones or fakes. */
import type { Event } from '../base/event.js';

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

/** One value that outlives the window, out of reach of the files of a folder. */
export interface KeptValue<T = unknown> {
  /** What was remembered last, by any version; `undefined` for nothing. */
  recall(): unknown;
  remember(value: T): Promise<void>;
}

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
  /**
   * PATH as a login shell would set it; falls back to the process's PATH. Asked once, then remembered.
   * @param isMissed something was not found on it: a shell that failed is asked again now, once for each failure.
   */
  loginShellPath(isMissed?: boolean): Promise<string>;
  /** Address of the proxy that the user set for the editor. Default: the environment's, if there is one. */
  proxySetting?(): string | undefined;
  /** Absolute; ripgrep: the editor's own, else that of PATH. */
  searchProgram?(): string | undefined;
}

/** Watches one file that may not exist yet. Survives deletion, re-creation and atomic-rename saves. */
export interface FileWatcher {
  /**
   * Calls back after creation, change or deletion; may report too often, never too seldom.
   * @param within a folder that links on the way to the file are not followed out of; then the link itself is watched.
   */
  watch(path: string, onDidChange: () => void, within?: string): FileWatch;
}

export interface FileWatch {
  /** Every change after that is reported: who reads the file reads it then. Never rejects. Default: at once. */
  readonly begun?: Promise<void>;
  dispose(): void;
}
