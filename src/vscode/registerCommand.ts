import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.js';
import { DisposableStore } from '../base/disposable.js';
import type { CommandId } from '../contributions.js';
import type { ReportError } from './reportError.js';

/**
 * Gets what the caller passed: a tree node, an id, or nothing.
 * @param isFromMenu VS Code's menus pass something, if only nothing; palette and keys do not
 */
type CommandHandler = (argument: unknown, isFromMenu: boolean) => Promise<void> | void;
export type CommandHandlers = { readonly [id in CommandId]?: CommandHandler };

/** Registers each handler; whatever one throws is reported once, here. */
export function registerCommands(handlers: CommandHandlers, reportError: ReportError): Disposable {
  const store = new DisposableStore();
  for (const [id, handler] of Object.entries(handlers)) {
    store.add(
      vscode.commands.registerCommand(id, async (...args: unknown[]) => {
        try {
          await handler(args[0], args.length > 0);
        } catch (error) {
          reportError(error);
        }
      }),
    );
  }
  return store;
}
