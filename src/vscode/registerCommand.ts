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

const placeholders = new Map<string, Disposable>();

/**
 * Stands for a command until its handler is registered.
 * @param load registers the handler
 */
export function registerPlaceholder(id: CommandId, load: () => Promise<unknown>): Disposable {
  const placeholder = vscode.commands.registerCommand(id, async (...args: unknown[]) => {
    await load();
    return isPlaceholder(id) ? undefined : vscode.commands.executeCommand(id, ...args);
  });
  placeholders.set(id, placeholder);
  return { dispose: () => dropPlaceholder(id) };
}

/** Whether the handler of the command is still to be loaded. */
export function isPlaceholder(id: CommandId): boolean {
  return placeholders.has(id);
}

function dropPlaceholder(id: string): void {
  placeholders.get(id)?.dispose();
  placeholders.delete(id);
}

/** Registers each handler; whatever one throws is reported once, here. */
export function registerCommands(handlers: CommandHandlers, reportError: ReportError): Disposable {
  const store = new DisposableStore();
  for (const [id, handler] of Object.entries(handlers)) {
    dropPlaceholder(id);
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
