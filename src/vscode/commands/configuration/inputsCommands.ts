import * as vscode from 'vscode';
import { labelText } from '../../../base/text/labelText.js';
import type { InputKey, InputStore } from '../../../config/inputs/inputStore.js';
import { commandIds } from '../../../contributions.js';
import type { McpService } from '../../../mcp/mcpApi.js';
import { poolLabel } from '../../../presentation/tree/presentation.js';
import type { CommandHandlers } from '../../commandHandlers.js';
import type { InputPrompter } from '../../prompts/inputPrompter.js';
import { pickOne } from '../../prompts/picks/picks.js';

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
  const forgets = await pickOne<boolean>(
    [
      { label: `$(edit) ${vscode.l10n.t('Set Value…')}`, value: false },
      { label: `$(trash) ${vscode.l10n.t('Remove Stored Value')}`, value: true },
    ],
    { title: key.inputId },
  );
  if (forgets) {
    await inputs.forget(key);
    inputPrompter.askAgain(key.poolId);
  } else {
    await inputPrompter.ask(key);
  }
}

function pickInput(service: McpService, keys: readonly InputKey[]): Promise<InputKey> {
  const items = keys.map((key) => {
    const pool = service.getPool(key.poolId);
    return {
      label: `$(key) ${labelText(key.inputId)}`,
      description: pool ? poolLabel(pool) : vscode.Uri.parse(key.poolId).toString(true),
      value: key,
    };
  });
  return pickOne<InputKey>(items, {
    title: vscode.l10n.t('Stored Inputs'),
  });
}
