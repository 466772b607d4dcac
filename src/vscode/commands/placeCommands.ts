import * as vscode from 'vscode';
import { commandIds, viewIds } from '../../contributions.js';
import type { CommandHandlers } from '../registerCommand.js';

/** Where the user sees the agent. */
export interface AgentPlaces {
  /** Shows the conversation where it is. */
  show(): Promise<void>;
  openTab(): void;
  closeTab(): void;
}

export function placeCommands(places: AgentPlaces): CommandHandlers {
  const moveTo = async (container: string) => {
    places.closeTab();
    // moves the view of this user alone, and shows it
    await vscode.commands.executeCommand('vscode.moveViews', {
      viewIds: [viewIds.agent],
      destinationId: `workbench.view.extension.${container}`,
    });
    await places.show();
  };
  return {
    [commandIds.focusAgent]: () => places.show(),
    [commandIds.openInEditor]: () => places.openTab(),
    [commandIds.moveToSideBar]: () => moveTo(viewIds.container),
    [commandIds.moveToSecondarySideBar]: () => moveTo(viewIds.agentContainer),
  };
}
