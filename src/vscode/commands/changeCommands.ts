/** What Pi changed in files, and the moments before its runs, from the command palette. */
import * as vscode from 'vscode';
import type { AgentPanel } from '../../agent/panel/agentPanel.js';
import { HumanError } from '../../base/errors.js';
import { labelText } from '../../base/text/labelText.js';
import { commandIds } from '../../contributions.js';
import { formatAge } from '../../presentation/consent/formatAge.js';
import type { ChangeAction } from '../../protocol/fileChanges.js';
import type { CommandHandlers } from '../commandHandlers.js';
import { type PickItem, pickOne } from '../prompts/picks/picks.js';
import { type AgentPlaces, sourceOf } from './placeCommands.js';

export function changeCommands(places: AgentPlaces): CommandHandlers {
  const there = (argument: unknown, isFromMenu: boolean) => {
    const { model, review } = places.target(sourceOf(argument, isFromMenu)).panel;
    return { panel: model, review };
  };
  const act = (action: ChangeAction) => async (argument: unknown, isFromMenu: boolean) => {
    const { panel, review } = there(argument, isFromMenu);
    const { changes } = (await panel.ensureSession()).state;
    const isRedo = action === 'redo';
    const count = changes?.files.length ?? 0;
    const redone = (changes?.undone ?? 0) + (changes?.isConversationLeft ? 1 : 0);
    if ((isRedo ? redone : count) === 0) {
      throw new HumanError(
        'no_changes',
        isRedo
          ? vscode.l10n.t('There is nothing to redo in this conversation.')
          : vscode.l10n.t('There is no change by Pi here.'),
      );
    }
    await review.act(action);
  };
  return {
    [commandIds.reviewChanges]: act('review'),
    [commandIds.keepAllChanges]: act('keep'),
    [commandIds.undoAllChanges]: act('undo'),
    [commandIds.redoChanges]: act('redo'),
    [commandIds.restoreCheckpoint]: async (argument, isFromMenu) => {
      const { panel } = there(argument, isFromMenu);
      await panel.ensureSession();
      const id = await pickOne(panel.restoring.choices.map(itemOf), {
        title: vscode.l10n.t('Restore Checkpoint'),
      });
      await vscode.commands.executeCommand(commandIds.focusAgent);
      await panel.restoring.show(id);
    },
  };
}

function itemOf({
  id,
  kind,
  title,
  time,
  files,
}: AgentPanel['restoring']['choices'][number]): PickItem<string> {
  return {
    label: `$(${kind === 'message' ? 'comment' : 'discard'}) ${labelText(title)}`,
    description: formatAge(Date.now() - time, vscode.env.language),
    detail: vscode.l10n.t('changed files: {0}', files),
    value: id,
  };
}
