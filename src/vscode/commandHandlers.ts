import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable.js';
import { type CommandId, commandIds } from '../contributions.js';
import type { ReportError } from './reportError.js';

/**
 * Gets what the caller passed: a tree node, an id, or nothing.
 * @param isFromMenu VS Code's menus pass something, if only nothing; palette and keys do not
 * @param others what was passed after it
 */
export type CommandHandler = (
  argument: unknown,
  isFromMenu: boolean,
  others: readonly unknown[],
) => Promise<void> | void;
export type CommandHandlers = { readonly [id in CommandId]?: CommandHandler };

/** Registers every contributed command. */
export function registerCommands(
  run: (id: CommandId, args: readonly unknown[]) => Promise<void>,
): Disposable {
  const store = new DisposableStore();
  for (const id of Object.values(commandIds)) {
    store.add(vscode.commands.registerCommand(id, (...args: unknown[]) => run(id, args)));
  }
  return store;
}

/** Whatever a handler throws is reported once, here. */
export async function runCommand(
  find: () => CommandHandler | undefined,
  args: readonly unknown[],
  reportError: ReportError,
): Promise<void> {
  try {
    await find()?.(args[0], args.length > 0, args.slice(1));
  } catch (error) {
    reportError(error);
  }
}
