import * as vscode from 'vscode';
import { commandIds, contextKeys } from '../../contributions.js';
import type { CommandHandlers } from '../registerCommand.js';

/** What came of showing a question once. */
export type ShowResult<T> =
  | { readonly kind: 'answered'; readonly value: T }
  /** The user left it, or the signal aborted. */
  | { readonly kind: 'left' }
  /** Something else took its place on the screen, so that nothing was decided. */
  | { readonly kind: 'hidden' };

export interface Choice<T> extends vscode.QuickPickItem {
  /** A line without one is only there to be read. */
  readonly value?: T;
}

export interface ChoiceOptions {
  readonly title: string;
  readonly placeholder: string;
  /** Default: the first one that has a value. */
  readonly isActive?: (index: number) => boolean;
}

export interface TextOptions {
  readonly title: string;
  readonly prompt: string;
  readonly placeholder: string;
  readonly value: string;
  /** What is wrong with a text; `undefined` when nothing is. */
  readonly check: (text: string) => string | undefined;
}

/**
 * Quick inputs that tell apart whether the user left or another input took the place. VS Code reports both as hidden,
 * so that Escape, while one is shown, is a command of ours.
 */
export class QuestionScreen {
  private leaveShown: (() => void) | undefined;

  get commands(): CommandHandlers {
    return { [commandIds.leaveQuestion]: () => this.leaveShown?.() };
  }

  choose<T>(
    choices: readonly Choice<T>[],
    options: ChoiceOptions,
    signal: AbortSignal,
  ): Promise<ShowResult<T>> {
    const pick = vscode.window.createQuickPick<Choice<T>>();
    pick.title = options.title;
    pick.placeholder = options.placeholder;
    pick.matchOnDetail = true;
    pick.items = choices;
    const active = choices.find((choice, index) =>
      options.isActive ? options.isActive(index) : choice.value !== undefined,
    );
    pick.activeItems = active ? [active] : [];
    return this.show<T>(pick, signal, (settle) => {
      pick.onDidAccept(() => {
        const value = pick.selectedItems[0]?.value;
        if (value !== undefined) {
          settle(value);
        }
      });
    });
  }

  chooseMany<T>(
    choices: readonly (Choice<T> & { readonly value: T })[],
    options: Omit<ChoiceOptions, 'isActive'>,
    signal: AbortSignal,
  ): Promise<ShowResult<readonly T[]>> {
    const pick = vscode.window.createQuickPick<Choice<T> & { readonly value: T }>();
    pick.title = options.title;
    pick.placeholder = options.placeholder;
    pick.canSelectMany = true;
    pick.items = choices;
    pick.selectedItems = choices.filter(({ picked }) => picked);
    return this.show<readonly T[]>(pick, signal, (settle) => {
      pick.onDidAccept(() => settle(pick.selectedItems.map(({ value }) => value)));
    });
  }

  write(options: TextOptions, signal: AbortSignal): Promise<ShowResult<string>> {
    const { title, prompt, placeholder, value, check } = options;
    const input = vscode.window.createInputBox();
    Object.assign(input, { title, prompt, placeholder, value });
    const validate = () => {
      const problem = check(input.value);
      input.validationMessage = problem;
      return problem === undefined;
    };
    return this.show<string>(input, signal, (settle) => {
      input.onDidChangeValue(validate);
      input.onDidAccept(() => {
        if (validate()) {
          settle(input.value);
        }
      });
    });
  }

  private show<T>(
    input: vscode.QuickInput,
    signal: AbortSignal,
    listen: (settle: (value: T) => void) => void,
  ): Promise<ShowResult<T>> {
    return new Promise((resolve) => {
      if (signal.aborted) {
        input.dispose();
        resolve({ kind: 'left' });
        return;
      }
      let result: ShowResult<T> = { kind: 'hidden' };
      const close = (reason: ShowResult<T>) => {
        result = reason;
        input.hide();
      };
      const leave = () => close({ kind: 'left' });
      this.leaveShown = leave;
      signal.addEventListener('abort', leave, { once: true });
      listen((value) => close({ kind: 'answered', value }));
      input.onDidHide(() => {
        signal.removeEventListener('abort', leave);
        if (this.leaveShown === leave) {
          this.leaveShown = undefined;
          setShown(false);
        }
        input.dispose();
        resolve(result);
      });
      input.ignoreFocusOut = true;
      input.show();
      setShown(true);
    });
  }
}

function setShown(isShown: boolean): void {
  void vscode.commands.executeCommand('setContext', contextKeys.isQuestionShown, isShown);
}
