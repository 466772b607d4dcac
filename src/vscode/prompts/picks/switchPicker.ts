import * as vscode from 'vscode';
import { CancellationError } from '../../../base/async/cancellation.js';
import { DisposableStore } from '../../../base/disposable.js';
import { groupBy } from '../../../base/lists.js';
import { labelText } from '../../../base/text/labelText.js';
import { nameToken } from '../../../base/text/nameToken.js';
import type { McpService } from '../../../mcp/mcpApi.js';
import { stateText } from '../../../mcp/trouble/stateText.js';
import {
  isWantedOn,
  type StagedSwitches,
  stageSelection,
} from '../../../presentation/switching/stagedSwitches.js';
import type { PreviewText } from '../../../presentation/switching/switchPreviewText.js';
import type { SwitchTarget } from '../../../presentation/switching/switchTargets.js';
import { poolLabel } from '../../../presentation/tree/presentation.js';
import type { Heading } from './picks.js';

type SwitchPickItem = vscode.QuickPickItem & { readonly target?: SwitchTarget };

/** Boxes for all servers and tools, those ticked that are wanted. @throws a cancellation when the user leaves. */
export async function pickSwitches(
  { pools }: Pick<McpService, 'pools'>,
  targets: readonly SwitchTarget[],
  staged: StagedSwitches,
): Promise<StagedSwitches> {
  const store = new DisposableStore();
  const picker = store.add(vscode.window.createQuickPick<SwitchPickItem>());
  const byPool = groupBy(targets, ({ server }) => server.definition.poolId);
  const items = pools.flatMap((pool) => itemsOf(poolLabel(pool), byPool.get(pool.id) ?? []));
  const title = vscode.l10n.t('Switch Servers and Tools');
  picker.title = title;
  picker.placeholder = vscode.l10n.t('Select servers and tools to enable');
  picker.canSelectMany = true;
  picker.matchOnDescription = true;
  picker.keepScrollPosition = true;
  picker.ignoreFocusOut = true;
  picker.items = items;
  picker.selectedItems = items.filter(({ target }) => target && isWantedOn(staged, target));
  const wanted = () => {
    const keys = picker.selectedItems.flatMap(({ target }) => target?.key ?? []);
    return stageSelection(targets, new Set(keys));
  };
  const render = () => {
    const { size } = wanted();
    picker.title = size === 0 ? title : vscode.l10n.t('{0} (changes: {1})', title, size);
  };
  render();
  return new Promise((resolve, reject) => {
    store.add(picker.onDidChangeSelection(render));
    store.add(
      picker.onDidAccept(() => {
        resolve(wanted());
        picker.hide();
      }),
    );
    store.add(
      picker.onDidHide(() => {
        reject(new CancellationError());
        store.dispose();
      }),
    );
    picker.show();
  });
}

/** The servers of a pool, and the tools of each of them. */
function itemsOf(label: string, targets: readonly SwitchTarget[]): readonly SwitchPickItem[] {
  const isServer = (target: SwitchTarget) => target.kind === 'server';
  const tools = groupBy(
    targets.filter((target) => !isServer(target)),
    ({ server }) => server.definition.name,
  );
  return [
    ...(targets.length > 0 ? [heading(label), ...targets.filter(isServer).map(itemOf)] : []),
    ...[...tools].flatMap(([name, ofServer]) => [
      heading(vscode.l10n.t('{0}: tools of {1}', label, nameToken(name))),
      ...ofServer.map(itemOf),
    ]),
  ];
}

function itemOf(target: SwitchTarget): SwitchPickItem {
  const { server } = target;
  if (target.kind === 'tool') {
    return {
      label: `$(wrench) ${labelText(target.tool)}`,
      description: labelText(server.definition.name),
      target,
    };
  }
  const { icon, reason } = stateText(server.state.value);
  return { label: `$(${icon}) ${labelText(server.definition.name)}`, description: reason, target };
}

function heading(label: string): Heading {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

/** @throws a cancellation when everything shall stay as it is. */
export async function reviewSwitches(
  { summary, lines }: PreviewText,
  count: number,
): Promise<'apply' | 'back'> {
  const title = vscode.l10n.t('Apply These Changes?');
  const apply = vscode.l10n.t('Apply Changes: {0}', count);
  const actions: readonly (vscode.QuickPickItem & {
    readonly answer?: 'apply' | 'back' | 'leave';
  })[] = [
    { label: `$(check) ${apply}`, detail: summary, answer: 'apply' },
    { label: `$(arrow-left) ${vscode.l10n.t('Back to the Selection')}`, answer: 'back' },
    {
      label: `$(close) ${vscode.l10n.t('Leave Everything as It Is')}`,
      answer: 'leave',
    },
    heading(vscode.l10n.t('What changes')),
    ...lines.map(({ icon, text, detail }) => ({ label: `$(${icon}) ${labelText(text)}`, detail })),
  ];
  for (;;) {
    const picked = await vscode.window.showQuickPick(actions, { title, ignoreFocusOut: true });
    if (!picked || picked.answer === 'leave') {
      throw new CancellationError();
    }
    // a line says what happens and does nothing
    if (picked.answer) {
      return picked.answer;
    }
  }
}
