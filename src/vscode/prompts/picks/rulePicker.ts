import * as vscode from 'vscode';
import { isRuleFor, type ListedRule } from '../../../agent/policy/listRules.js';
import { labelText } from '../../../base/text/labelText.js';
import type { McpServer, McpService } from '../../../mcp/mcpApi.js';
import { ruleAge, ruleLabel, rulePlace } from '../../../presentation/consent/ruleText.js';
import { showInformation } from '../../notifications.js';
import { type PickItem, pickMany } from './picks.js';

export interface RulePickerParts {
  readonly service: McpService;
  readonly rules: () => readonly ListedRule[];
  /** Default: the rules of everything. */
  readonly target?: { readonly server: McpServer; readonly tool: string } | undefined;
}

/** Shows what each rule lets run, where, since when and when it did last; takes away those that the user ticks. */
export async function manageRules(parts: RulePickerParts): Promise<void> {
  const title = vscode.l10n.t('Select rules to remove');
  const restores: (() => Promise<void> | void)[] = [];
  for (const rule of await pickMany(ruleItems(parts), title)) {
    const restore = await rule.remove();
    if (restore) {
      restores.push(restore);
    }
  }
  const undo = vscode.l10n.t('Undo');
  const isUndone =
    restores.length > 0 &&
    (await showInformation(
      vscode.l10n.t('Removed approval rules: {0}. Their calls ask again.', restores.length),
      undo,
    )) === undo;
  for (const restore of isUndone ? restores : []) {
    await restore();
  }
}

function ruleItems({ service, rules, target }: RulePickerParts): readonly PickItem<ListedRule>[] {
  const folders = service.pools.flatMap(({ folder }) => folder ?? []);
  const folderName = (uri: string) =>
    service.getPool(uri)?.folder?.name ?? vscode.Uri.parse(uri).fsPath;
  const now = Date.now();
  const wanted = rules().filter(
    (rule) => !target || isRuleFor(rule, target.server.definition, target.tool, folders),
  );
  return wanted.map((rule) => ({
    label: labelText(ruleLabel(rule)),
    description: labelText(rulePlace(rule, folderName)),
    detail: ruleAge(rule, now, vscode.env.language),
    picked: target !== undefined,
    value: rule,
  }));
}
