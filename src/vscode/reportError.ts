import * as vscode from 'vscode';
import { isCancellationError } from '../base/async/cancellation.js';
import { isHumanError, messageWithRemedy, stackText } from '../base/errors.js';
import type { Logger } from '../platform/ports.js';
import { showError, showInformation } from './notifications.js';

export type ReportError = (error: unknown) => void;

/**
 * The one place where an error becomes a message. Cancellation is silent, and that there is nothing to do is no
 * failure; a {@link HumanError} shows its sentence and remedy; everything else is logged in full and shown as
 * unexpected.
 */
export function createErrorReporter(log: Logger, showLog: () => void): ReportError {
  return (error) => {
    if (isCancellationError(error)) {
      return;
    }
    if (isHumanError(error) && error.code === 'nothing_to_pick') {
      void showInformation(error.message);
      return;
    }
    const showLogAction = vscode.l10n.t('Show Log');
    const message = describe(error, log);
    void showError(message, showLogAction).then((choice) => {
      if (choice === showLogAction) {
        showLog();
      }
    });
  };
}

function describe(error: unknown, log: Logger): string {
  if (isHumanError(error)) {
    log.log('warn', `${error.code}: ${error.message}`);
    return messageWithRemedy(error);
  }
  log.log('error', stackText(error));
  return vscode.l10n.t('Something unexpected went wrong. The log has the details.');
}
