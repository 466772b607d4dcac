import type { LogLevel } from '../../platform/ports.js';
import type { FailureContext } from './connectionErrors.js';
import type { EngineConnectOptions, McpEngine, McpSession } from './session/engine.js';
import type { StdioTransport } from './stdio/stdioTransport.js';

/** Gets texts in which secrets are masked. */
export type Log = (level: LogLevel, message: string) => void;

/** What the two kinds of launch have in common from here on. */
export interface Opening {
  readonly context: () => FailureContext;
  readonly connect: (engine: McpEngine, options: EngineConnectOptions) => Promise<McpSession>;
  /** The session is initialized. */
  readonly onDidConnect: () => void;
  /** Ends whatever was started; bounded, never rejects. */
  readonly abandon: () => Promise<void>;
  readonly transport: StdioTransport | undefined;
}
