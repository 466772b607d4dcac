import * as vscode from 'vscode';
import type { ConversationLibrary, ListedConversation } from '../../agent/conversations/library.js';
import type { AgentPanelModel } from '../../agent/panel/agentApi.js';
import { HumanError } from '../../base/errors.js';
import { commandIds, viewIds } from '../../contributions.js';
import { folderToReview } from '../../presentation/statusBar/unseenApprovals.js';
import type { TextDocuments } from '../documents/textDocuments.js';
import {
  exportConversation,
  renameConversation,
} from '../prompts/conversations/conversationFlows.js';
import {
  type ConversationPanel,
  showConversations,
} from '../prompts/conversations/conversationPicker.js';
import type { CommandHandlers } from '../registerCommand.js';

export type AgentCommandPanel = ConversationPanel & Pick<AgentPanelModel, 'selectFolder'>;

export function agentCommands(panel: AgentCommandPanel, documents: TextDocuments): CommandHandlers {
  const { library } = panel;
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
    [commandIds.renameConversation]: async () =>
      await renameConversation(library, await shownConversation(library)),
    [commandIds.forkConversation]: async () => {
      await library.fork((await shownConversation(library)).id);
      await focusAgent();
    },
    [commandIds.exportConversation]: async () =>
      await exportConversation(library, await shownConversation(library)),
    [commandIds.openConversationAsText]: async () => {
      const conversation = await shownConversation(library);
      await documents.show(conversation.title, await library.markdown(conversation));
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

/** @throws {HumanError} before the first answer, when nothing is stored yet. */
async function shownConversation(library: ConversationLibrary): Promise<ListedConversation> {
  const shown = (await library.list()).find(({ isShown }) => isShown);
  if (!shown) {
    throw new HumanError(
      'nothing_to_pick',
      vscode.l10n.t('The Pi Agent view shows no conversation with an answer.'),
      { remedy: vscode.l10n.t('Ask something first, or open an earlier conversation.') },
    );
  }
  return shown;
}

async function focusAgent(): Promise<void> {
  await vscode.commands.executeCommand(`${viewIds.agent}.focus`);
}
