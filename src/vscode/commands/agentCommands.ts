import * as vscode from 'vscode';
import type { AgentPanelModel } from '../../agent/panel/agentApi.js';
import { commandIds, viewIds } from '../../contributions.js';
import { folderToReview } from '../../presentation/statusBar/unseenApprovals.js';
import { type ConversationPanel, showConversations } from '../prompts/conversationPicker.js';
import type { CommandHandlers } from '../registerCommand.js';

export type AgentCommandPanel = ConversationPanel & Pick<AgentPanelModel, 'selectFolder'>;

export function agentCommands(panel: AgentCommandPanel): CommandHandlers {
  return {
    [commandIds.focusAgent]: focusAgent,
    [commandIds.newAgentSession]: async () => {
      await focusAgent();
      await panel.newSession();
    },
    [commandIds.showConversations]: async () => {
      await showConversations(panel);
      await focusAgent();
    },
    [commandIds.reviewApprovals]: async () => {
      const folder = folderToReview(panel.snapshot().state);
      if (folder !== undefined) {
        await panel.selectFolder(folder);
      }
      await focusAgent();
    },
  };
}

async function focusAgent(): Promise<void> {
  await vscode.commands.executeCommand(`${viewIds.agent}.focus`);
}
