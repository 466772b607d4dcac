import * as vscode from 'vscode';
import { labelText } from '../../base/text/labelText.js';
import { durationPercentile, errorCount } from '../../mcp/catalog/records/statisticFigures.js';
import type { ToolStatistic, ToolStatistics } from '../../mcp/catalog/records/toolStatistics.js';
import { statisticText } from '../../presentation/tree/below/toolPresentation.js';

interface Order extends vscode.QuickInputButton {
  readonly label: string;
  readonly rank: (statistic: ToolStatistic) => number;
}

/** A list of tools that its buttons sort, highest first. */
export function pickStatistics(statistics: ToolStatistics): void {
  const picker = vscode.window.createQuickPick();
  const orders = createOrders();
  let current = orders[0];
  const render = () => {
    const rank = current?.rank ?? (() => 0);
    const sorted = [...statistics.all].sort((a, b) => rank(b) - rank(a));
    picker.title = vscode.l10n.t('Tool statistics, by {0}', current?.label ?? '');
    picker.items = sorted.map((statistic) => ({
      label: labelText(`${statistic.server}/${statistic.tool}`),
      detail: labelText([statisticText(statistic), ...failures(statistic)].join(' · ')),
    }));
  };
  picker.matchOnDetail = true;
  picker.placeholder = statistics.all.length > 0 ? '' : vscode.l10n.t('No tool was called yet');
  picker.buttons = orders;
  const subscriptions = [
    picker.onDidTriggerButton((button) => {
      current = orders.find((order) => order === button) ?? current;
      render();
    }),
    statistics.onDidChange(render),
    picker.onDidAccept(() => picker.hide()),
    picker.onDidHide(() => {
      for (const subscription of [...subscriptions, picker]) {
        subscription.dispose();
      }
    }),
  ];
  render();
  picker.show();
}

function createOrders(): readonly Order[] {
  const order = (icon: string, label: string, rank: Order['rank']): Order => ({
    iconPath: new vscode.ThemeIcon(icon),
    tooltip: vscode.l10n.t('Sort by {0}', label),
    label,
    rank,
  });
  return [
    order('call-outgoing', vscode.l10n.t('calls'), ({ calls }) => calls),
    order('error', vscode.l10n.t('failed calls'), errorCount),
    order('watch', vscode.l10n.t('median time'), (one) => durationPercentile(one, 50) ?? 0),
    order('dashboard', vscode.l10n.t('95 % time'), (one) => durationPercentile(one, 95) ?? 0),
    order('symbol-string', vscode.l10n.t('tokens'), ({ tokens }) => tokens),
  ];
}

function failures({ errors }: ToolStatistic): readonly string[] {
  return Object.entries(errors).map(([code, count]) => `${code}: ${count}`);
}
