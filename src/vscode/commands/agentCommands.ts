import * as vscode from 'vscode';
import type { ConversationLibrary, ListedConversation } from '../../agent/conversations/library.js';
import type { AgentPanelModel } from '../../agent/panel/agentApi.js';
import { HumanError } from '../../base/errors.js';
import { commandIds } from '../../contributions.js';
import { nextWaiting } from '../../presentation/statusBar/unseenApprovals.js';
import type { TextDocuments } from '../documents/textDocuments.js';
import {
  exportConversation,
  exportFormats,
  renameConversation,
} from '../prompts/conversations/conversationFlows.js';
import {
  type ConversationPanel,
  showConversations,
} from '../prompts/conversations/conversationPicker.js';
import type { CommandHandlers } from '../registerCommand.js';
import type { ReportError } from '../reportError.js';

export type AgentCommandPanel = ConversationPanel &
  Pick<AgentPanelModel, 'showConversation' | 'askToFind' | 'shown'>;

export interface AgentCommandParts {
  readonly agent: AgentCommandPanel;
  readonly documents: TextDocuments;
  readonly isAgentVisible: () => boolean;
  readonly reportError: ReportError;
}

export function agentCommands(parts: AgentCommandParts): CommandHandlers {
  const { agent: panel, documents } = parts;
  const { library } = panel;
  return {
    [commandIds.newAgentSession]: async () => {
      await focusAgent();
      await panel.newSession();
    },
    [commandIds.showConversations]: async () => {
      await showConversations(panel, parts.reportError);
      await focusAgent();
    },
    [commandIds.renameConversation]: async () =>
      await renameConversation(library, await shownConversation(library)),
    [commandIds.forkConversation]: async () => {
      await library.fork((await shownConversation(library)).id);
      await focusAgent();
    },
    [commandIds.findInConversation]: async () => {
      await focusAgent();
      panel.askToFind();
    },
    [commandIds.exportConversation]: async (argument) =>
      await exportConversation(library, await shownConversation(library), {
        format: exportFormats.find((one) => one === argument),
        forPi: panel.shown && ((path) => panel.shown?.controls.exportTo(path)),
      }),
    [commandIds.openConversationAsText]: async () => {
      const conversation = await shownConversation(library);
      await documents.show(conversation.title, await library.markdown(conversation));
    },
    [commandIds.goToWaiting]: async () => {
      const next = nextWaiting(panel.snapshot().state, parts.isAgentVisible());
      if (!next) {
        throw new HumanError('nothing_to_pick', vscode.l10n.t('No conversation waits for you.'));
      }
      await focusAgent();
      await panel.showConversation(next.id);
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
  await vscode.commands.executeCommand(commandIds.focusAgent);
}
