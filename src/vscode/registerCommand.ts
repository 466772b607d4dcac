import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.js';
import { DisposableStore } from '../base/disposable.js';
import type { CommandId } from '../contributions.js';
import type { ReportError } from './reportError.js';

/** Gets what the caller passed: a tree node, an id, or nothing. */
type CommandHandler = (argument: unknown) => Promise<void> | void;
export type CommandHandlers = { readonly [id in CommandId]?: CommandHandler };

/** Registers each handler; whatever one throws is reported once, here. */
export function registerCommands(handlers: CommandHandlers, reportError: ReportError): Disposable {
  const store = new DisposableStore();
  for (const [id, handler] of Object.entries(handlers)) {
    store.add(
      vscode.commands.registerCommand(id, async (argument: unknown) => {
        try {
          await handler(argument);
        } catch (error) {
          reportError(error);
        }
      }),
    );
  }
  return store;
}
