/** Why there is no conversation, as sentences. */
import * as l10n from '@vscode/l10n';
import { errorMessage, HumanError, isHumanError } from '../../base/errors.js';
import type { AgentProblem } from '../models/models.js';

export function problemOf(error: unknown): AgentProblem {
  const remedy = l10n.t('Reload the agent; the extension log has the details.');
  return isHumanError(error)
    ? { message: error.message, remedy: error.remedy ?? remedy, actions: ['reload'] }
    : {
        message: l10n.t('The Pi agent could not be started: {0}', errorMessage(error)),
        remedy,
        actions: ['reload', 'showLog'],
      };
}

export function unavailable(problem: AgentProblem | undefined): HumanError {
  const { message, remedy } = problem ?? problemOf(undefined);
  return new HumanError('agent_unavailable', message, { remedy });
}

/** Of the tab of a conversation that was deleted. */
export function conversationGone(): AgentProblem {
  return {
    message: l10n.t('This conversation is not there any more.'),
    remedy: l10n.t('It was deleted, or its folder is not open in this window.'),
    actions: ['newConversation'],
  };
}

/** Pi's oldest Node that was seen to work. */
const oldest = { major: 22, minor: 15 };

/** What to tell the user when this Node is too old for Pi, else `undefined`. */
export function piNeedsNewerNode(version: string): HumanError | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isEnough = major > oldest.major || (major === oldest.major && minor >= oldest.minor);
  return isEnough
    ? undefined
    : new HumanError(
        'node_too_old',
        l10n.t(
          'Pi needs Node.js {0}; this editor runs extensions with Node.js {1}.',
          `${oldest.major}.${oldest.minor}`,
          version,
        ),
        { remedy: l10n.t('Update the editor to a current version.') },
      );
}
