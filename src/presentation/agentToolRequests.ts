/** What the agent's page asks for the tools of its conversation. */
import * as l10n from '@vscode/l10n';
import type { AgentPanelModel } from '../agent/panel/agentApi.js';
import type { ConversationTools } from '../agent/tools/choice/conversationTools.js';
import { HumanError } from '../base/errors.js';
import type { MessageHandlers } from '../protocol/messages.js';
import {
  type ToolChange,
  type ToolChoiceRequests,
  toolProfiles,
} from '../protocol/tools/toolChoice.js';
import { booleanParam, objectParam, oneOfParam, stringParam, stringsParam } from './params.js';

export function toolRequests(
  panel: Pick<AgentPanelModel, 'shown'>,
): MessageHandlers<ToolChoiceRequests> {
  const choice = (): ConversationTools => {
    if (!panel.shown) {
      throw new HumanError('no_conversation', l10n.t('There is no conversation yet.'));
    }
    return panel.shown.choice;
  };
  return {
    readTools: () => choice().view,
    changeTools: (params) => choice().changeAndRead(changeOf(params)),
  };
}

function changeOf(params: unknown): ToolChange {
  const kind = oneOfParam(params, 'kind', ['profile', 'switch', 'reset']);
  switch (kind) {
    case 'profile':
      return { kind, profile: oneOfParam(params, 'profile', toolProfiles) };
    case 'switch': {
      const isSome = objectParam(params).tools !== undefined;
      return {
        kind,
        server: stringParam(params, 'server'),
        ...(isSome && { tools: stringsParam(params, 'tools') }),
        isOn: booleanParam(params, 'isOn'),
      };
    }
    case 'reset':
      return { kind };
  }
}
