/** What the agent's page asks for the tools of its conversation, and for the rules about their calls. */
import * as l10n from '@vscode/l10n';
import type { AgentPanel } from '../agent/panel/agentPanel.js';
import { profilePatterns } from '../agent/tools/choice/profiles.js';
import { HumanError } from '../base/errors.js';
import type { MessageHandlers } from '../protocol/messages.js';
import { type RuleRequests, ruleScopes } from '../protocol/tools/approvalRules.js';
import {
  isToolProfile,
  type ToolChange,
  type ToolChoiceRequests,
} from '../protocol/tools/toolChoice.js';
import { booleanParam, objectParam, oneOfParam, stringParam, stringsParam } from './params.js';

export function toolRequests(
  panel: Pick<AgentPanel, 'shown'>,
  /** Asks for a name; `undefined` when the user leaves. */
  saveProfile: (patterns: readonly string[]) => Promise<string | undefined>,
): MessageHandlers<ToolChoiceRequests & RuleRequests> {
  const shown = () => {
    if (!panel.shown) {
      throw new HumanError('no_conversation', l10n.t('There is no conversation yet.'));
    }
    return panel.shown;
  };
  return {
    readTools: () => shown().choice.view,
    saveProfile: async () => {
      const { choice } = shown();
      const name = await saveProfile(profilePatterns(choice.view));
      return name === undefined
        ? choice.view
        : await choice.changeAndRead({ kind: 'profile', profile: `user:${name}` });
    },
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

function profileParam(params: unknown): string {
  const id = stringParam(params, 'profile');
  return isToolProfile(id) ? id : oneOfParam(params, 'profile', ['all', 'readOnly']);
}

function changeOf(params: unknown): ToolChange {
  const kind = oneOfParam(params, 'kind', ['profile', 'switch', 'reset']);
  switch (kind) {
    case 'profile':
      return { kind, profile: profileParam(params) };
    case 'switch': {
      const isSome = objectParam(params).tools !== undefined;
      return {
        kind,
        server: stringParam(params, 'server'),
        tools: isSome ? stringsParam(params, 'tools') : undefined,
        isOn: booleanParam(params, 'isOn'),
      };
    }
    case 'reset':
      return { kind };
  }
}
