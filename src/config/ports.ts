/** What the domain needs from the outside about folders and servers. `src/vscode` and `src/cli` implement these. */
import type { Event } from '../base/event.js';
import type { FileWatcher, HostEnvironment, Logger } from '../platform/ports.js';
import { nullLogger } from '../platform/ports.js';
import type { McpServerDefinition, WorkspaceFolder } from './definition.js';

/** One log per server, created on first use; `undefined` asks for the extension's own log. */
export interface LoggerProvider {
  forServer(definition: McpServerDefinition): Logger;
  readonly main: Logger;
}

export const nullLoggers: LoggerProvider = { forServer: () => nullLogger, main: nullLogger };

/** Workspace facts that gate everything. */
export interface Workspace {
  readonly folders: readonly WorkspaceFolder[];
  readonly isTrusted: boolean;
  readonly onDidChangeFolders: Event<void>;
  readonly onDidChangeTrust: Event<void>;
}

/** The machine, and the window or the command on it: one for everybody. */
export interface Machine {
  readonly environment: HostEnvironment;
  readonly workspace: Workspace;
  readonly watcher: FileWatcher;
  readonly loggers: LoggerProvider;
}

/** Answers `${input:id}`. `undefined`: not stored and the user was not or could not be asked. */
export interface InputResolver {
  /** How a value is given, as a full sentence. Default: in the editor. */
  readonly remedy?: string;
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
