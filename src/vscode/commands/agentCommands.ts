import * as vscode from 'vscode';
import type { AgentPanel } from '../../agent/panel/agentPanel.js';
import type { ConversationLibrary, ListedConversation } from '../../agent/panel/library.js';
import { HumanError } from '../../base/errors.js';
import { commandIds } from '../../contributions.js';
import { nextWaiting } from '../../presentation/statusBar/unseenApprovals.js';
import type { CommandHandlers } from '../commandHandlers.js';
import type { TextDocuments } from '../documents/textDocuments.js';
import {
  exportConversation,
  exportFormats,
  renameConversation,
  shareConversation,
} from '../prompts/conversations/conversationFlows.js';
import {
  type ConversationPanel,
  showConversations,
} from '../prompts/conversations/conversationPicker.js';
import { chooseMode } from '../prompts/modePicker.js';
import type { ReportError } from '../reportError.js';
import { type AgentPlaces, sourceOf } from './placeCommands.js';

export interface AgentCommandParts {
  readonly agent: ConversationPanel;
  readonly agentView: AgentPlaces;
  readonly documents: TextDocuments;
  readonly reportError: ReportError;
}

export function agentCommands(parts: AgentCommandParts): CommandHandlers {
  const { agentView: places, documents } = parts;
  /** What a command does where the user called it. */
  const there =
    (work: (panel: AgentPanel) => Promise<void>) =>
    async (argument: unknown, isFromMenu: boolean) =>
      await work(places.target(sourceOf(argument, isFromMenu)).panel.model);
  return {
    [commandIds.newAgentSession]: there(async (panel) => {
      await places.show();
      await panel.newSession();
    }),
    [commandIds.chooseMode]: there(chooseMode),
    [commandIds.showConversations]: there(async (panel) => {
      await showConversations(panel, parts.reportError);
      await places.show();
    }),
    [commandIds.renameConversation]: there(
      async ({ library }) => await renameConversation(library, await shownConversation(library)),
    ),
    [commandIds.forkConversation]: there(async ({ library }) => {
      await library.fork((await shownConversation(library)).id);
      await places.show();
    }),
    [commandIds.findInConversation]: there(async (panel) => {
      await places.show();
      panel.askToFind();
    }),
    [commandIds.exportConversation]: async (argument, isFromMenu) => {
      const panel = places.target(sourceOf(argument, isFromMenu)).panel.model;
      const { library } = panel;
      const conversation = await shownConversation(library);
      const forPi = panel.shown && ((path: string) => panel.shown?.controls.exportTo(path));
      const format = exportFormats.find((one) => one === argument);
      await (format
        ? exportConversation(library, conversation, { format, forPi })
        : shareConversation(library, documents, conversation, { forPi }));
    },
    [commandIds.goToWaiting]: async () => {
      const next = nextWaiting(parts.agent.snapshot().state, places.seen);
      if (!next) {
        throw new HumanError('nothing_to_pick', vscode.l10n.t('No conversation waits for you.'));
      }
      await places.showConversation(next.id);
    },
  };
}

/** @throws {HumanError} before the first answer, when nothing is stored yet. */
async function shownConversation(library: ConversationLibrary): Promise<ListedConversation> {
  const shown = (await library.list()).find(({ isShown }) => isShown);
  if (!shown) {
    throw new HumanError('nothing_to_pick', vscode.l10n.t('There is no conversation yet.'), {
      remedy: vscode.l10n.t('Ask something first, or open an earlier conversation.'),
    });
  }
  return shown;
}
