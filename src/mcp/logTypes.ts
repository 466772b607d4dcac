/** Levels of the protocol, the least severe first. */
export const serverLogLevels = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;

export type ServerLogLevel = (typeof serverLogLevels)[number];

/** What a server logs, as it says it. */
export interface ServerLogMessage {
  readonly level: ServerLogLevel;
  readonly logger?: string;
  readonly data: unknown;
}
