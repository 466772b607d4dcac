import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable.js';
import { HumanError } from '../../../base/errors.js';
import type { McpService } from '../../../mcp/mcpApi.js';
import type { ReportError } from '../../reportError.js';
import { type Heading, pickOne } from './picks.js';

interface LiveItem<T> extends vscode.QuickPickItem {
  /** Absent for headings. */
  readonly value?: T;
  readonly buttons?: readonly LiveAction<T>[];
}

/** A button of an item. */
export interface LiveAction<T> extends vscode.QuickInputButton {
  readonly tooltip: string;
  readonly run: (value: T) => Promise<unknown>;
}

export interface LivePickerOptions<T> {
  readonly service: McpService;
  readonly title: string;
  readonly placeholder: string;
  /** Sentence for the case that there is nothing to pick. */
  readonly emptyMessage: string;
  /** What changes without an event is read again after so long. */
  readonly refreshMs: number;
  readonly read: () => Promise<readonly (LiveItem<T> | Heading)[]>;
  readonly isSame: (a: T, b: T) => boolean;
  readonly reportError: ReportError;
}

export function liveAction<T>(
  icon: string,
  tooltip: string,
  run: LiveAction<T>['run'],
): LiveAction<T> {
  return { iconPath: new vscode.ThemeIcon(icon), tooltip, run };
}

/**
 * A list that follows what it shows. Each item has actions: its buttons, and the same as a list for the keyboard.
 * @throws {HumanError} without items.
 */
export async function showLivePicker<T>(options: LivePickerOptions<T>): Promise<void> {
  const { service, read, reportError } = options;
  const first: readonly LiveItem<T>[] = await read();
  if (first.length === 0) {
    throw new HumanError('nothing_to_pick', options.emptyMessage);
  }
  const store = new DisposableStore();
  const picker = store.add(vscode.window.createQuickPick<LiveItem<T>>());
  picker.title = options.title;
  picker.placeholder = options.placeholder;
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.keepScrollPosition = true;
  picker.items = first;
  const refresh = async () => {
    const items: readonly LiveItem<T>[] = await read();
    if (!store.isDisposed) {
      const active = picker.activeItems[0]?.value;
      picker.items = items;
      picker.activeItems = items.filter(
        ({ value }) => value !== undefined && active !== undefined && options.isSame(value, active),
      );
    }
  };
  const update = () => void refresh().catch(reportError);
  const timer = setInterval(update, options.refreshMs);
  store.add({ dispose: () => clearInterval(timer) });
  store.add(service.onDidChangeServer(update));
  store.add(
    picker.onDidTriggerItemButton(({ item, button }) => {
      if (item.value !== undefined) {
        void (button as LiveAction<T>).run(item.value).catch(reportError);
      }
    }),
  );
  store.add(
    picker.onDidAccept(() => {
      const [item] = picker.selectedItems;
      picker.hide();
      if (item) {
        void runAction(item).catch(reportError);
      }
    }),
  );
  store.add(picker.onDidHide(() => store.dispose()));
  picker.show();
}

async function runAction<T>({ value, label, buttons = [] }: LiveItem<T>): Promise<void> {
  if (value === undefined) {
    return;
  }
  const items = buttons.map((action) => ({ label: action.tooltip, value: action }));
  // the label begins with an icon, which a title would show as text
  const title = label.replace(/^\$\([^)]*\) /, '');
  const action = await pickOne(items, { title, takesOnly: true });
  await action.run(value);
}
