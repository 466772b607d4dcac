import * as vscode from 'vscode';
import { CancellationError } from '../../../base/async/cancellation.js';
import { HumanError } from '../../../base/errors.js';
import type { InputKey, InputStore } from '../../../config/inputs/inputStore.js';
import { commandIds } from '../../../contributions.js';
import type { McpService } from '../../../mcp/mcpApi.js';
import { poolLabel } from '../../../presentation/tree/presentation.js';
import { showInformation } from '../../notifications.js';
import type { InputPrompter } from '../../prompts/inputPrompter.js';
import type { CommandHandlers } from '../../registerCommand.js';

export interface InputsParts {
  readonly service: McpService;
  readonly inputs: InputStore;
  readonly inputPrompter: InputPrompter;
}

export function inputsCommands(parts: InputsParts): CommandHandlers {
  return { [commandIds.manageInputs]: () => manageInputs(parts) };
}

/** Lists names only: a stored value can be replaced or forgotten, never read. */
async function manageInputs({ service, inputs, inputPrompter }: InputsParts): Promise<void> {
  const key = await pickInput(service, await inputs.list());
  const change = vscode.l10n.t('Enter a New Value');
  const forget = vscode.l10n.t('Forget');
  const picked = await vscode.window.showQuickPick(
    [{ label: `$(edit) ${change}` }, { label: `$(trash) ${forget}` }],
    { title: key.inputId },
  );
  if (picked?.label.endsWith(forget)) {
    await inputs.forget(key);
    inputPrompter.askAgain(key.poolId);
    void showInformation(
      vscode.l10n.t(
        'The value of "{0}" is forgotten. A server that needs it asks for it again.',
        key.inputId,
      ),
    );
  } else if (picked) {
    await inputPrompter.ask(key);
  }
}

async function pickInput(service: McpService, keys: readonly InputKey[]): Promise<InputKey> {
  if (keys.length === 0) {
    throw new HumanError('no_inputs', vscode.l10n.t('No input value is stored.'));
  }
  const items = keys.map((key) => {
    const pool = service.pools.find(({ id }) => id === key.poolId);
    return {
      label: `$(key) ${key.inputId}`,
      description: pool ? poolLabel(pool) : vscode.Uri.parse(key.poolId).toString(true),
      key,
    };
  });
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Stored Inputs'),
    matchOnDescription: true,
  });
  if (!picked) {
    throw new CancellationError();
  }
  return picked.key;
}
