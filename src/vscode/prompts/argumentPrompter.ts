import * as vscode from 'vscode';
import { labelText } from '../../base/text/labelText.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import type { CompletionReference } from '../../mcp/mcpTypes.js';

interface ArgumentQuestion {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly required?: boolean;
}

export interface ArgumentOptions {
  readonly server: McpServer;
  readonly title: string;
  readonly reference: CompletionReference;
  readonly questions: readonly ArgumentQuestion[];
  /** Answers that are known already. */
  readonly given?: Readonly<Record<string, string>>;
}

const completionDelayMs = 150;

/** Asks for one argument after the other, with the values that the server suggests. `undefined`: the user left. */
export async function askForArguments(
  options: ArgumentOptions,
): Promise<Readonly<Record<string, string>> | undefined> {
  const answers: Record<string, string> = { ...options.given };
  const open = options.questions.filter(({ name }) => answers[name] === undefined);
  for (const [index, question] of open.entries()) {
    const answer = await askForArgument(options, question, answers, [index + 1, open.length]);
    if (answer === undefined) {
      return undefined;
    }
    if (answer !== '') {
      answers[question.name] = answer;
    }
  }
  return answers;
}

interface ArgumentItem extends vscode.QuickPickItem {
  /** Absent for an empty answer. */
  readonly value?: string;
}

function itemOf(value: string): ArgumentItem {
  return { label: labelText(value), value, alwaysShow: true };
}

function askForArgument(
  { server, title, reference }: ArgumentOptions,
  question: ArgumentQuestion,
  answers: Readonly<Record<string, string>>,
  [step, totalSteps]: readonly [number, number],
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const pick = vscode.window.createQuickPick<ArgumentItem>();
    const { name, title: label = name, description, required } = question;
    Object.assign(pick, { title, step, totalSteps, ignoreFocusOut: true });
    pick.placeholder = [
      required
        ? vscode.l10n.t('{0} (required)', label)
        : vscode.l10n.t('{0} (may be empty)', label),
      ...(description ? [description] : []),
    ].join(': ');
    const closing = new AbortController();
    let answer: string | undefined;
    let suggestions: readonly string[] = [];
    const show = () => {
      const typed = pick.value;
      const own = typed !== '' && !suggestions.includes(typed) ? [typed] : [];
      const none = typed === '' && !required ? [{ label: vscode.l10n.t('Leave Empty') }] : [];
      const items = [...own, ...suggestions].map(itemOf);
      pick.items = [...none, ...items];
    };
    const complete = async () => {
      pick.busy = true;
      const argument = { name, value: pick.value };
      const { signal } = closing;
      const values = await server.complete(reference, argument, answers, { signal });
      if (argument.value === pick.value) {
        suggestions = values;
        pick.busy = false;
        show();
      }
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const completeLater = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        complete().catch(() => {
          // without suggestions the user types the value
          pick.busy = false;
        });
      }, completionDelayMs);
    };
    pick.onDidChangeValue(() => {
      show();
      completeLater();
    });
    pick.onDidAccept(() => {
      const [item] = pick.selectedItems;
      if (!item && required) {
        return;
      }
      answer = item?.value ?? '';
      pick.hide();
    });
    pick.onDidHide(() => {
      clearTimeout(timer);
      closing.abort();
      pick.dispose();
      resolve(answer);
    });
    show();
    pick.show();
    completeLater();
  });
}
