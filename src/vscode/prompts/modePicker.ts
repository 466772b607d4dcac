/** Lets the user choose how much runs without a question. */
import * as vscode from 'vscode';
import type { AgentPanel } from '../../agent/panel/agentPanel.js';
import type { AgentPanelOptions } from '../../agent/panel/options.js';
import { modeViews } from '../../agent/policy/modeWords.js';
import { asList } from '../../base/json.js';
import { quotedName } from '../../base/text/nameToken.js';
import { storageKeys } from '../../contributions.js';
import { confirm } from '../notifications.js';
import { pickOne } from './picks/picks.js';

export async function chooseMode(
  panel: Pick<AgentPanel, 'ensureSession' | 'setMode'>,
): Promise<void> {
  const { state } = await panel.ensureSession();
  const mode = await pickOne(
    modeViews().map(({ mode: value, name, text, icon }) => ({
      label: name,
      description: value === state.mode ? vscode.l10n.t('current') : '',
      detail: text,
      iconPath: new vscode.ThemeIcon(icon),
      value,
    })),
    { title: vscode.l10n.t('Choose the Mode of This Conversation') },
  );
  await panel.setMode(mode);
}

/** Asks once in each folder. */
export function agreeToRunFreely(
  memory: vscode.Memento,
): NonNullable<AgentPanelOptions['agreeToRunFreely']> {
  return async (folder) => {
    const stored = memory.get<unknown>(storageKeys.runFreelyFolders);
    const agreed = asList(stored);
    const uri = folder?.uri ?? '';
    if (agreed.includes(uri)) {
      return true;
    }
    const isWanted = await confirm(
      vscode.l10n.t('Run freely in {0}?', quotedName(folder?.name ?? vscode.l10n.t('this window'))),
      {
        detail: vscode.l10n.t(
          'Pi will run commands and tools without asking. Undo covers file edits, not commands.',
        ),
        action: vscode.l10n.t('Run Freely'),
      },
    );
    if (isWanted) {
      await memory.update(storageKeys.runFreelyFolders, [...agreed, uri]);
    }
    return isWanted;
  };
}
