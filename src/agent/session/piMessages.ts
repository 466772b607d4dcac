/** Messages to Pi that the user did not write. */
import * as l10n from '@vscode/l10n';
import { errorMessage, HumanError } from '../../base/errors.js';
import { isJsonObject } from '../../base/json.js';
import type { PiExtensionApi, PiToolResult } from '../pi/piModule.js';
import { explainFailure, tryAgain } from '../transcript/modelFailure.js';

/** Type of Pi's messages that hold the result of a call in the background. */
const taskResultMessage = 'pi-mcp.taskResult';

/** Gives the model something with its next request, without asking for one. Between runs, it is in the file at once. */
export function deliverData(api: PiExtensionApi, content: PiToolResult['content']): void {
  api.sendMessage(
    { customType: taskResultMessage, content: [...content], display: false },
    { deliverAs: 'steer' },
  );
}

/** Keeps the images and the text of a failed call, which an exception would lose. */
export function keepFailedResults(api: PiExtensionApi): void {
  api.on('tool_result', ({ details }) =>
    isJsonObject(details) && details.isMcp === true && details.isError === true
      ? { isError: true }
      : undefined,
  );
}

export function promptRefused(error: unknown): HumanError {
  return new HumanError(
    'prompt_refused',
    l10n.t('Pi did not accept the message: {0}', explainFailure(errorMessage(error)).text),
    {
      remedy: tryAgain(),
      cause: error,
    },
  );
}

export function sessionClosed(): HumanError {
  return new HumanError('session_closed', l10n.t('This conversation is not there any more.'), {
    remedy: l10n.t('Choose another one.'),
  });
}

export function runUnderWay(): HumanError {
  return new HumanError('run_under_way', l10n.t('Pi is still working.'), {
    remedy: l10n.t('Wait until it has finished, or stop it first.'),
  });
}
