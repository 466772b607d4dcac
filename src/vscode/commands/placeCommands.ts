import * as vscode from 'vscode';
import { commandIds, viewIds } from '../../contributions.js';
import type { CommandHandlers } from '../commandHandlers.js';
import { pickOne } from '../prompts/picks/picks.js';
import type { AgentPlace } from '../webviews/agentPlace.js';
import type { CommandSource } from '../webviews/agentViewProvider.js';

/** Where the user sees the agent. */
export interface AgentPlaces {
  /** Shows the agent where the user was last. */
  show(): Promise<void>;
  /** Gives the conversation of the view a tab. */
  openInEditor(): Promise<void>;
  /** Where a command goes. */
  target(source: CommandSource): AgentPlace;
  /** Closes the tab of a conversation, which the view shows from then on. */
  bringBack(id: string | undefined): Promise<void>;
  /** Shows a live conversation of any folder, where it is. */
  showConversation(id: string): Promise<void>;
  /** Ids of the conversations that the user sees. */
  readonly seen: ReadonlySet<string>;
}

/** @param argument of a command: the menu of a tab passes what the tab shows, that of the view nothing */
export function sourceOf(argument: unknown, isFromMenu: boolean): CommandSource {
  if (argument instanceof vscode.Uri) {
    return 'tab';
  }
  return isFromMenu && argument === undefined ? 'view' : 'elsewhere';
}

export function placeCommands(places: AgentPlaces): CommandHandlers {
  return {
    [commandIds.focusAgent]: () => places.show(),
    [commandIds.openInEditor]: () => places.openInEditor(),
    [commandIds.moveAgent]: async (argument, isFromMenu) => {
      const container = await pickContainer();
      await places.bringBack(places.target(sourceOf(argument, isFromMenu)).conversation);
      // moves the view of this user alone, and shows it
      await vscode.commands.executeCommand('vscode.moveViews', {
        viewIds: [viewIds.agent],
        destinationId: `workbench.view.extension.${container}`,
      });
      await places.show();
    },
  };
}

function pickContainer(): Promise<string> {
  return pickOne(
    [
      { label: vscode.l10n.t('Side Bar, Below the Servers'), value: viewIds.container },
      { label: vscode.l10n.t('Secondary Side Bar'), value: viewIds.agentContainer },
    ],
    { title: vscode.l10n.t('Move') },
  );
}
