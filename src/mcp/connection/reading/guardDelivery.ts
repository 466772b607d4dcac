import * as l10n from '@vscode/l10n';
import { errorMessage } from '../../../base/errors.js';
import type { JsonObject } from '../../../base/json.js';
import type { LogLevel } from '../../../platform/ports.js';

/** The same delivery for whoever must go on with the next message, whatever one does to those who read it. */
export function guardDelivery(
  deliver: (message: JsonObject) => void,
  onNotice: (level: LogLevel, message: string) => void,
): (message: JsonObject) => void {
  return (message) => {
    try {
      deliver(message);
    } catch (error) {
      onNotice(
        'error',
        l10n.t('A message of the server could not be read: {0}', errorMessage(error)),
      );
    }
  };
}
