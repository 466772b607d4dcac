/** Hides rules about configuration files, and brings them back: through the setting of their severities. */
import * as vscode from 'vscode';
import { asObject, isJsonObject } from '../../base/json.js';
import { hiddenRules, hideRule, showRules } from '../../config/lint/severityChoices.js';
import { commandIds, settingIds } from '../../contributions.js';
import type { CommandHandlers } from '../commandHandlers.js';
import { showInformation } from '../notifications.js';
import { type PickItem, pickSome } from '../prompts/picks/picks.js';

/** Whose setting hides a rule. */
export type HiddenRuleScope = 'user' | 'workspace';

export interface HiddenRule {
  readonly rule: string;
  readonly scope: HiddenRuleScope;
}

const scopes: readonly HiddenRuleScope[] = ['user', 'workspace'];

export function ruleCommands(): CommandHandlers {
  return {
    [commandIds.hideRule]: async (argument) => {
      const target = toHiddenRule(argument);
      if (target) {
        await hide(target);
      }
    },
    [commandIds.showHiddenRules]: async () => {
      const items = scopes.flatMap((scope) =>
        hiddenRules(choicesOf(scope)).map(
          (rule): PickItem<HiddenRule> => ({
            label: rule,
            description: scopeText(scope),
            value: { rule, scope },
          }),
        ),
      );
      await show(await pickSome(items, vscode.l10n.t('Show Again')));
    },
  };
}

function toHiddenRule(argument: unknown): HiddenRule | undefined {
  return isJsonObject(argument) &&
    typeof argument.rule === 'string' &&
    scopes.some((scope) => scope === argument.scope)
    ? (argument as unknown as HiddenRule)
    : undefined;
}

async function hide(target: HiddenRule): Promise<void> {
  const { rule, scope } = target;
  await write(scope, hideRule(choicesOf(scope), rule));
  const again = vscode.l10n.t('Show Again');
  const answer = await showInformation(vscode.l10n.t('{0}: {1}', rule, scopeText(scope)), again);
  if (answer === again) {
    await show([target]);
  }
}

async function show(shown: readonly HiddenRule[]): Promise<void> {
  for (const scope of scopes) {
    const rules = shown.filter((rule) => rule.scope === scope).map(({ rule }) => rule);
    if (rules.length > 0) {
      await write(scope, showRules(choicesOf(scope), rules));
    }
  }
}

function scopeText(scope: HiddenRuleScope): string {
  return scope === 'user'
    ? vscode.l10n.t('hidden for you')
    : vscode.l10n.t('hidden in this workspace');
}

/** As written, whatever it is: what is no choice of ours is left where it is. */
function choicesOf(scope: HiddenRuleScope): Readonly<Record<string, unknown>> {
  const setting = vscode.workspace.getConfiguration().inspect(settingIds.validationSeverities);
  const value = scope === 'user' ? setting?.globalValue : setting?.workspaceValue;
  return asObject(value);
}

async function write(
  scope: HiddenRuleScope,
  choices: Readonly<Record<string, unknown>> | undefined,
): Promise<void> {
  const { Global, Workspace } = vscode.ConfigurationTarget;
  const target = scope === 'user' ? Global : Workspace;
  await vscode.workspace
    .getConfiguration()
    .update(settingIds.validationSeverities, choices, target);
}
