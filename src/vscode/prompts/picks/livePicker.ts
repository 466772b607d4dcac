import * as vscode from 'vscode';
import { CancellationError } from '../../../base/async/cancellation.js';
import { DisposableStore } from '../../../base/disposable.js';
import type { McpService } from '../../../mcp/mcpApi.js';
import type { ReportError } from '../../reportError.js';
import { type Heading, nothingToPick, pickOne } from './picks.js';

export interface LiveItem<T> extends vscode.QuickPickItem {
  /** Absent for headings. */
  readonly value?: T;
  readonly buttons?: readonly LiveAction<T>[];
}

/** A button of an item. */
export interface LiveAction<T> extends vscode.QuickInputButton {
  readonly tooltip: string;
  readonly run: (value: T) => Promise<unknown>;
}

interface LiveListOptions<T> {
  /** Whose servers the list is about. Default: it follows none. */
  readonly service?: McpService;
  readonly title: string;
  readonly placeholder?: string;
  /** What changes without an event is read again after so long. Default: only on events. */
  readonly refreshMs?: number;
  readonly read: () => Promise<readonly (LiveItem<T> | Heading)[]>;
  readonly isSame: (a: T, b: T) => boolean;
  /** More items may come, which the list shows. Default: no. */
  readonly isWaiting?: () => boolean;
}

export interface LivePickerOptions<T> extends LiveListOptions<T> {
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
  const { reportError } = options;
  await showList<T>(options, {
    onError: reportError,
    onPick: (item) => void runAction(item).catch(reportError),
  });
}

/**
 * What the user picks from a list that follows what it shows.
 * @throws {HumanError} without items; a cancellation when the user leaves.
 */
export async function pickLive<T>(options: LiveListOptions<T>): Promise<T> {
  return await new Promise<T>((resolve, reject) => {
    showList<T>(options, {
      onError: reject,
      onPick: ({ value }) => value !== undefined && resolve(value),
      onLeave: () => reject(new CancellationError()),
    }).catch(reject);
  });
}

interface ListHandlers<T> {
  readonly onError: (error: unknown) => void;
  readonly onPick: (item: LiveItem<T>) => void;
  /** Without a pick. */
  readonly onLeave?: () => void;
}

async function showList<T>(options: LiveListOptions<T>, handlers: ListHandlers<T>): Promise<void> {
  const { service, read, isWaiting = () => false } = options;
  const first: readonly LiveItem<T>[] = await read();
  if (first.length === 0 && !isWaiting()) {
    throw nothingToPick(options.title);
  }
  const store = new DisposableStore();
  const picker = store.add(vscode.window.createQuickPick<LiveItem<T>>());
  picker.title = options.title;
  picker.placeholder = options.placeholder;
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.keepScrollPosition = true;
  let shown = '';
  let isPicked = false;
  const show = (items: readonly LiveItem<T>[]) => {
    picker.busy = isWaiting();
    const text = JSON.stringify(
      items.map(({ label, description, detail, buttons }) => [label, description, detail, buttons]),
    );
    // new items take away the one that the user is about to click
    if (text !== shown) {
      shown = text;
      const active = picker.activeItems[0]?.value;
      picker.items = items;
      picker.activeItems = items.filter(
        ({ value }) => value !== undefined && active !== undefined && options.isSame(value, active),
      );
    }
  };
  show(first);
  const refresh = async () => {
    const items = await read();
    if (!store.isDisposed) {
      show(items);
    }
  };
  const update = () => void refresh().catch(handlers.onError);
  if (options.refreshMs !== undefined) {
    const timer = setInterval(update, options.refreshMs);
    store.add({ dispose: () => clearInterval(timer) });
  }
  if (service) {
    store.add(service.onDidChangeServer(update));
  }
  store.add(
    picker.onDidTriggerItemButton(({ item, button }) => {
      if (item.value !== undefined) {
        (button as LiveAction<T>).run(item.value).then(update, handlers.onError);
      }
    }),
  );
  store.add(
    picker.onDidAccept(() => {
      const [item] = picker.selectedItems;
      isPicked = item !== undefined;
      picker.hide();
      if (item) {
        handlers.onPick(item);
      }
    }),
  );
  store.add(
    picker.onDidHide(() => {
      store.dispose();
      if (!isPicked) {
        handlers.onLeave?.();
      }
    }),
  );
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
