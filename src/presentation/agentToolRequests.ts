/** What the agent's page asks for the tools of its conversation, and for the rules about their calls. */
import * as l10n from '@vscode/l10n';
import type { AgentPanelModel, ShownConversation } from '../agent/panel/agentApi.js';
import { HumanError } from '../base/errors.js';
import type { MessageHandlers } from '../protocol/messages.js';
import { type RuleRequests, ruleScopes } from '../protocol/tools/approvalRules.js';
import {
  type ToolChange,
  type ToolChoiceRequests,
  toolProfiles,
} from '../protocol/tools/toolChoice.js';
import { booleanParam, objectParam, oneOfParam, stringParam, stringsParam } from './params.js';

export function toolRequests(
  panel: Pick<AgentPanelModel, 'shown'>,
): MessageHandlers<ToolChoiceRequests & RuleRequests> {
  const shown = (): ShownConversation => {
    if (!panel.shown) {
      throw new HumanError('no_conversation', l10n.t('There is no conversation yet.'));
    }
    return panel.shown;
  };
  return {
    readTools: () => shown().choice.view,
    changeTools: (params) => shown().choice.changeAndRead(changeOf(params)),
    readScopes: async (params) => ({
      scopes: await shown().rules.scopesOf(stringParam(params, 'entryId')),
    }),
    allowLike: (params) =>
      shown().rules.allowLike(
        stringParam(params, 'entryId'),
        oneOfParam(params, 'scope', ruleScopes),
      ),
    removeRule: (params) => shown().rules.removeRule(stringParam(params, 'entryId')),
    undoRuleChange: (params) => shown().rules.undo(stringParam(params, 'undo')),
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
