import * as l10n from '@vscode/l10n';
import { asObject, isDeeperThan } from '../../../base/json.js';
import type { LogLevel } from '../../../platform/ports.js';
import { type ServerLogLevel, type ServerLogMessage, serverLogLevels } from '../../logTypes.js';
import type { Cause } from '../../originTypes.js';
import { cutText, maxDepth } from '../reading/serverBounds.js';

const maxMessageLength = 4096;
const maxLoggerLength = 256;

const ownLevels: Readonly<Record<ServerLogLevel, LogLevel>> = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warning: 'warn',
  error: 'error',
  critical: 'error',
  alert: 'error',
  emergency: 'error',
};

/** Those who hear what a server logs beside its own log. */
export interface LogAudience {
  /** The least severe messages that one of them wants; `undefined`: nobody listens. */
  readonly level: ServerLogLevel | undefined;
  /** Each gets what it wants of it. */
  tell(message: ServerLogMessage, cause: Cause): void;
}

export function isServerLogLevel(value: unknown): value is ServerLogLevel {
  return serverLogLevels.some((level) => level === value);
}

export function isSevereEnough(level: ServerLogLevel, least: ServerLogLevel): boolean {
  return serverLogLevels.indexOf(level) >= serverLogLevels.indexOf(least);
}

/** The least severe of them; `undefined` of none. */
export function leastSevere(levels: Iterable<ServerLogLevel>): ServerLogLevel | undefined {
  const wanted = new Set(levels);
  return serverLogLevels.find((level) => wanted.has(level));
}

/** The least severe messages that a server should send for a log of this level; undefined: one without a level. */
export function protocolLogLevel(level: LogLevel | 'off' | undefined): ServerLogLevel {
  switch (level) {
    case 'trace':
    case 'debug':
      return 'debug';
    case undefined:
    case 'info':
      return 'info';
    case 'warn':
      return 'warning';
    case 'error':
      return 'error';
    case 'off':
      return 'emergency';
  }
}

/** One message of a server's log. */
export interface HeardLogLine {
  readonly level: LogLevel;
  readonly message: string;
  readonly sent: ServerLogMessage;
  readonly cause: Cause;
}

/** Parameters of `notifications/message`, whatever the server put there. */
export function parseLogNotification(params: unknown, cause: Cause): HeardLogLine {
  const { level: named, logger, data } = asObject(params);
  const level = isServerLogLevel(named) ? named : 'info';
  const hasLogger = typeof logger === 'string' && logger !== '';
  return {
    level: ownLevels[level],
    message: cutText((hasLogger ? `${logger}: ` : '') + textOf(data), maxMessageLength),
    sent: {
      level,
      logger: hasLogger ? cutText(logger, maxLoggerLength) : undefined,
      data: isDeeperThan(data, maxDepth) ? textOf(data) : (data ?? ''),
    },
    cause,
  };
}

function textOf(data: unknown): string {
  if (typeof data === 'string') {
    return data;
  }
  return isDeeperThan(data, maxDepth)
    ? `(${l10n.t('nested too deeply')})`
    : (JSON.stringify(data) ?? '');
}
