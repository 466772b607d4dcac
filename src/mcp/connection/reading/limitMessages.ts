import * as l10n from '@vscode/l10n';
import { errorMessage } from '../../../base/errors.js';
import type { JsonObject } from '../../../base/json.js';
import type { LogLevel } from '../../../platform/ports.js';
import { NotificationGate } from './notificationGate.js';

/** Delivers at a rate that readers can follow; a message that makes them throw does not stop the next one. */
export function limitMessages(
  deliver: (message: JsonObject, text?: string) => void,
  onNotice: (level: LogLevel, message: string) => void,
): NotificationGate {
  const deliverSafely = (message: JsonObject, text?: string) => {
    try {
      deliver(message, text);
    } catch (error) {
      onNotice(
        'error',
        l10n.t('A message of the server could not be read: {0}', errorMessage(error)),
      );
    }
  };
  return new NotificationGate(deliverSafely, (method, count) =>
    onNotice('warn', l10n.t('The server sent too many {0}; {1} were skipped.', method, count)),
  );
}
