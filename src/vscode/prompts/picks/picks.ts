/** Lists to choose from. They throw a cancellation when the user leaves, which is reported to nobody. */
import * as vscode from 'vscode';
import { CancellationError } from '../../../base/async/cancellation.js';
import { HumanError } from '../../../base/errors.js';
import { labelText } from '../../../base/text/labelText.js';
import type { McpPool, McpService } from '../../../mcp/mcpApi.js';
import { poolLabel } from '../../../presentation/tree/presentation.js';

/** A heading has no value. */
export type PickItem<T> = vscode.QuickPickItem & { readonly value?: T };

export interface Heading {
  readonly label: string;
  readonly kind: vscode.QuickPickItemKind.Separator;
}

/** Without a text: a line. */
export function listHeading(label = ''): Heading {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

export interface PickOptions {
  readonly title: string;
  readonly placeHolder?: string;
  /** Takes the only choice without asking. Default: asks. */
  readonly takesOnly?: boolean;
}

/** @param title of the list that would be empty. */
export function nothingToPick(title: string): HumanError {
  return new HumanError('nothing_to_pick', vscode.l10n.t('{0}: nothing to choose.', title));
}

/** @throws {HumanError} without choices. */
export async function pickOne<T>(items: readonly PickItem<T>[], options: PickOptions): Promise<T> {
  const { title, placeHolder, takesOnly = false } = options;
  const [first, second] = items.filter(({ value }) => value !== undefined);
  if (!first) {
    throw nothingToPick(title);
  }
  const picked =
    takesOnly && !second
      ? first
      : await vscode.window.showQuickPick(items, {
          title,
          placeHolder,
          matchOnDescription: true,
          matchOnDetail: true,
        });
  if (picked?.value === undefined) {
    throw new CancellationError();
  }
  return picked.value;
}

/** What the user ticked, which may be nothing. @throws {HumanError} without choices. */
export async function pickMany<T>(
  items: readonly PickItem<T>[],
  title: string,
): Promise<readonly T[]> {
  if (items.length === 0) {
    throw nothingToPick(title);
  }
  const picked = await vscode.window.showQuickPick(items, {
    title,
    canPickMany: true,
    matchOnDescription: true,
  });
  if (!picked) {
    throw new CancellationError();
  }
  return picked.flatMap(({ value }) => (value === undefined ? [] : [value]));
}

/** As {@link pickMany}; ticking nothing is leaving. */
export async function pickSome<T>(
  items: readonly PickItem<T>[],
  title: string,
): Promise<readonly T[]> {
  const picked = await pickMany(items, title);
  if (picked.length === 0) {
    throw new CancellationError();
  }
  return picked;
}

/** The items of each pool under its name; pools without any are left out. */
export function pickItemsByPool<T extends vscode.QuickPickItem>(
  { pools }: McpService,
  itemsOf: (pool: McpPool) => readonly T[],
): readonly (T | Heading)[] {
  return pools.flatMap((pool) => {
    const items = itemsOf(pool);
    return items.length === 0 ? [] : [listHeading(labelText(poolLabel(pool))), ...items];
  });
}
