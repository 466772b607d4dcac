import * as vscode from 'vscode';
import { labelText } from '../../base/text/labelText.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import type { CompletionReference, McpPromptArgument } from '../../mcp/mcpTypes.js';
import { type ArgumentRow, ArgumentRows } from '../../presentation/questions/argumentRows.js';

export interface ArgumentOptions {
  readonly server: McpServer;
  readonly title: string;
  readonly reference: CompletionReference;
  readonly questions: readonly McpPromptArgument[];
  /** Answers that are known already. */
  readonly given?: Readonly<Record<string, string>>;
}

const completionDelayMs = 150;

/** Asks for one argument after the other, with the values that the server suggests. `undefined`: the user left. */
export async function askForArguments(
  options: ArgumentOptions,
): Promise<Readonly<Record<string, string>> | undefined> {
  const answers: Record<string, string> = Object.assign(Object.create(null), options.given);
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
  readonly row: ArgumentRow;
}

function itemOf(row: ArgumentRow): ArgumentItem {
  switch (row.kind) {
    case 'empty':
      return { label: vscode.l10n.t('Leave Empty'), alwaysShow: true, row };
    case 'hint':
      return { label: vscode.l10n.t('Type a Value'), alwaysShow: true, row };
    default:
      return { label: labelText(row.value), alwaysShow: true, row };
  }
}

/**
 * Shows the rows as they are now.
 * @param isActiveKept the text is still the one for which the user went to a row
 */
function showRows(
  pick: vscode.QuickPick<ArgumentItem>,
  { rows }: ArgumentRows,
  isActiveKept: boolean,
): void {
  const active = pick.activeItems[0]?.row;
  const items = rows.map(itemOf);
  pick.items = items;
  if (isActiveKept && active?.kind === 'suggestion') {
    pick.activeItems = items.filter(
      ({ row }) => row.kind === 'suggestion' && row.value === active.value,
    );
  }
}

function createPick(
  title: string,
  { name, title: label = name, description, required }: McpPromptArgument,
  [step, totalSteps]: readonly [number, number],
): vscode.QuickPick<ArgumentItem> {
  const pick = vscode.window.createQuickPick<ArgumentItem>();
  // VS Code would sort what fits the text, and so move rows; `sortByLabel` is not in its types
  const order = { sortByLabel: false, keepScrollPosition: true };
  Object.assign(pick, { title, step, totalSteps, ignoreFocusOut: true, ...order });
  pick.placeholder = [
    required ? vscode.l10n.t('{0} (required)', label) : label,
    ...(description ? [description] : []),
  ].join(': ');
  return pick;
}

function askForArgument(
  { server, title, reference }: ArgumentOptions,
  question: McpPromptArgument,
  answers: Readonly<Record<string, string>>,
  place: readonly [number, number],
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const pick = createPick(title, question, place);
    const rows = new ArgumentRows(question.required === true);
    const closing = new AbortController();
    let answer: string | undefined;
    const complete = async () => {
      pick.busy = true;
      const argument = { name: question.name, value: pick.value };
      const { signal } = closing;
      const values = await server.complete(reference, argument, answers, { signal });
      const before = rows.rows;
      if (rows.answer(argument.value, values)) {
        pick.busy = false;
        if (rows.rows !== before) {
          showRows(pick, rows, true);
        }
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
    pick.onDidChangeValue((text) => {
      rows.type(text);
      showRows(pick, rows, false);
      completeLater();
    });
    pick.onDidAccept(() => {
      const [item] = pick.selectedItems;
      if (!item || item.row.kind === 'hint') {
        return;
      }
      answer = item.row.kind === 'empty' ? '' : item.row.value;
      pick.hide();
    });
    pick.onDidHide(() => {
      clearTimeout(timer);
      closing.abort();
      pick.dispose();
      resolve(answer);
    });
    showRows(pick, rows, false);
    pick.show();
    completeLater();
  });
}
