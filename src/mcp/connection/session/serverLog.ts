import * as l10n from '@vscode/l10n';
import { isDeeperThan, isJsonObject } from '../../../base/json.js';
import type { LogLevel } from '../../../platform/ports.js';
import { cutText, maxDepth } from '../reading/serverBounds.js';

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

/** The least severe messages that a server should send for a log of this level; undefined: one without a level. */
export function protocolLogLevel(level: LogLevel | 'off' | undefined): string {
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

/** Parameters of `notifications/message`, whatever the server put there. */
export function parseLogNotification(params: unknown): {
  readonly level: LogLevel;
  readonly message: string;
} {
  const { level, logger, data } = isJsonObject(params) ? params : {};
  const prefix = typeof logger === 'string' && logger !== '' ? `${logger}: ` : '';
  return {
    level: (typeof level === 'string' ? levels[level] : undefined) ?? 'info',
    message: cutText(prefix + textOf(data), maxMessageLength),
  };
}

function textOf(data: unknown): string {
  if (typeof data === 'string') {
    return data;
  }
  return isDeeperThan(data, maxDepth)
    ? l10n.t('(data that is nested too deeply)')
    : (JSON.stringify(data) ?? '');
}
