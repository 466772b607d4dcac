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
