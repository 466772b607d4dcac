import * as vscode from 'vscode';
import { commandIds, viewIds } from '../../contributions.js';
import type { CommandHandlers } from './registerCommand.js';

export function agentCommands(newSession: () => Promise<void>): CommandHandlers {
  return {
    [commandIds.focusAgent]: focusAgent,
    [commandIds.newAgentSession]: async () => {
      await focusAgent();
      await newSession();
    },
  };
}

async function focusAgent(): Promise<void> {
  await vscode.commands.executeCommand(`${viewIds.agent}.focus`);
}
