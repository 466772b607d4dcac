import * as vscode from 'vscode';

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

/** Stays open until the user picks a line with a value or leaves. `undefined`: left, or the signal aborted. */
export function showChoices<T>(
  choices: readonly Choice<T>[],
  options: ChoiceOptions,
  signal: AbortSignal,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve(undefined);
      return;
    }
    const pick = vscode.window.createQuickPick<Choice<T>>();
    const hide = () => pick.hide();
    pick.title = options.title;
    pick.placeholder = options.placeholder;
    pick.ignoreFocusOut = true;
    pick.matchOnDetail = true;
    pick.items = choices;
    const active = choices.find((choice, index) =>
      options.isActive ? options.isActive(index) : choice.value !== undefined,
    );
    pick.activeItems = active ? [active] : [];
    signal.addEventListener('abort', hide, { once: true });
    let answer: T | undefined;
    pick.onDidAccept(() => {
      answer = pick.selectedItems[0]?.value;
      if (answer !== undefined) {
        pick.hide();
      }
    });
    pick.onDidHide(() => {
      signal.removeEventListener('abort', hide);
      pick.dispose();
      resolve(answer);
    });
    pick.show();
  });
}

/** Runs the work with a token that is cancelled when the signal aborts. */
export async function withToken<T>(
  signal: AbortSignal,
  work: (token: vscode.CancellationToken) => Thenable<T>,
): Promise<T> {
  const source = new vscode.CancellationTokenSource();
  const cancel = () => source.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await work(source.token);
  } finally {
    signal.removeEventListener('abort', cancel);
    source.dispose();
  }
}
