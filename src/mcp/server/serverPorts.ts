import type { McpServerDefinition } from '../../config/definition.js';
import type { LoggerProvider } from '../../config/ports.js';
import type { Clock } from '../../platform/clock.js';
import type { MadeCall } from '../callLog/callRecord.js';
import type { DefinitionPinFiles } from '../catalog/definitions/definitionPinFiles.js';
import type { McpConnection } from '../connection/mcpConnection.js';
import type { LogAudience } from '../connection/session/serverLog.js';
import type { StartSlots } from '../connection/startSlots.js';
import type { McpServer } from '../mcpApi.js';
import type { BlockedState, McpCatalog } from '../mcpTypes.js';
import type { CallMaker } from '../originTypes.js';
import type { ConnectOptions } from './connectionOwner.js';
import type { ReviewSkill } from './loadSkill.js';

/** Opens a connection for a definition; must leave nothing running when it rejects. */
export type Connector = (
  definition: McpServerDefinition,
  options: ConnectOptions & {
    readonly signal: AbortSignal;
    /** Call after the last wait before the side effect. @throws a cancellation when it may not happen any more. */
    readonly assertAllowed: () => void;
    /** The entry's `debug` as it is now. */
    readonly isDebugged: () => boolean;
    readonly logAudience: LogAudience;
    /** The entry's `stopGraceMs` as it is now, or less when the window closes. */
    readonly stopGraceMs: () => number;
  },
) => Promise<McpConnection>;

type LogCall = <T extends object>(
  definition: McpServerDefinition,
  call: Pick<MadeCall, 'tool' | 'args' | 'trace'> & { readonly maker: CallMaker | undefined },
  work: () => Promise<T>,
) => Promise<T>;

/** What all servers of a window have in common. */
export interface SharedServerPorts {
  readonly connector: Connector;
  readonly clock: Clock;
  readonly loggers: LoggerProvider;
  /** What a person agreed to of what servers say. */
  readonly pins: DefinitionPinFiles;
  /** Runs a call; where the user wants that, it is written down how it ended. */
  readonly logCall: LogCall;
  /** Shows a skill to the user. Default: nobody is there, and no new skill is used. */
  readonly reviewSkill?: ReviewSkill | undefined;
}

export interface McpServerOwnerPorts extends SharedServerPorts {
  readonly slots: StartSlots;
  /** The end of an earlier server with this id, which must be gone before this one starts. */
  readonly predecessor?: Promise<void> | undefined;
  /** What keeps the definition from running now. */
  readonly blockedState: (definition: McpServerDefinition) => BlockedState | undefined;
  readonly isHiddenIn: (server: McpServer, folderUri: string) => boolean;
  /** A catalog was read from the server itself. */
  readonly onDidReadCatalog: (definition: McpServerDefinition, catalog: McpCatalog) => void;
}
