import { isJsonObject } from '../../base/json.js';
import type { LogLevel } from '../ports.js';

const maxMessageLength = 4096;

const levels: Readonly<Record<string, LogLevel>> = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warning: 'warn',
  error: 'error',
  critical: 'error',
  alert: 'error',
  emergency: 'error',
};

/** Parameters of `notifications/message`, whatever the server put there. */
export function parseLogNotification(params: unknown): {
  readonly level: LogLevel;
  readonly message: string;
} {
  const { level, logger, data } = isJsonObject(params) ? params : {};
  const text = typeof data === 'string' ? data : (JSON.stringify(data) ?? '');
  const prefix = typeof logger === 'string' && logger !== '' ? `${logger}: ` : '';
  return {
    level: (typeof level === 'string' ? levels[level] : undefined) ?? 'info',
    message: (prefix + text).slice(0, maxMessageLength),
  };
}
