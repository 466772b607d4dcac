import * as vscode from 'vscode';
import type { ListedConversation } from '../../agent/conversations/conversations.js';
import type { AgentPanelModel } from '../../agent/panel/agentApi.js';
import { DisposableStore } from '../../base/disposable.js';
import { formatAge } from '../../presentation/consent/formatAge.js';
import { confirm } from '../notifications.js';

export type ConversationPanel = Pick<
  AgentPanelModel,
  'conversations' | 'deleteConversation' | 'newSession' | 'openConversation' | 'snapshot'
>;

interface ConversationItem extends vscode.QuickPickItem {
  /** Absent for entries that stand for an action. */
  readonly conversation?: ListedConversation;
}

type Choice =
  | { readonly kind: 'new' | 'deleteSome' }
  | { readonly kind: 'open' | 'delete'; readonly conversation: ListedConversation };

/** Lists the stored conversations of the shown folder, to go on with one or to delete some. */
export async function showConversations(panel: ConversationPanel): Promise<void> {
  let choice = await choose(panel);
  while (choice?.kind === 'delete' || choice?.kind === 'deleteSome') {
    const gone =
      choice.kind === 'delete'
        ? await confirmed(choice.conversation)
        : await pickSome(await panel.conversations());
    for (const { id } of gone) {
      await panel.deleteConversation(id);
    }
    choice = await choose(panel);
  }
  if (choice?.kind === 'open') {
    await panel.openConversation(choice.conversation.id);
  } else if (choice?.kind === 'new') {
    await panel.newSession();
  }
}

async function choose(panel: ConversationPanel): Promise<Choice | undefined> {
  const store = new DisposableStore();
  const list = store.add(vscode.window.createQuickPick<ConversationItem>());
  const startNew: ConversationItem = { label: `$(add) ${vscode.l10n.t('New Conversation')}` };
  const deleteSome: ConversationItem = {
    label: `$(trash) ${vscode.l10n.t('Delete Conversations…')}`,
  };
  const conversations = await panel.conversations();
  list.title = titleOf(panel);
  list.placeholder = vscode.l10n.t('Choose a conversation to go on with');
  list.items = [
    ...conversations.map((conversation) => ({
      ...itemOf(conversation),
      buttons: [deleteButton()],
    })),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    startNew,
    ...(conversations.length > 0 ? [deleteSome] : []),
  ];
  try {
    return await new Promise<Choice | undefined>((resolve) => {
      store.add(
        list.onDidTriggerItemButton(({ item: { conversation } }) =>
          resolve(conversation && { kind: 'delete', conversation }),
        ),
      );
      store.add(
        list.onDidAccept(() => {
          const [picked] = list.selectedItems;
          const { conversation } = picked ?? {};
          resolve(
            conversation
              ? { kind: 'open', conversation }
              : picked && { kind: picked === deleteSome ? 'deleteSome' : 'new' },
          );
        }),
      );
      store.add(list.onDidHide(() => resolve(undefined)));
      list.show();
    });
  } finally {
    store.dispose();
  }
}

async function pickSome(
  conversations: readonly ListedConversation[],
): Promise<readonly ListedConversation[]> {
  const picked = await vscode.window.showQuickPick(conversations.map(itemOf), {
    title: vscode.l10n.t('Delete Conversations'),
    placeHolder: vscode.l10n.t('Choose what to delete for good'),
    canPickMany: true,
  });
  return (picked ?? []).flatMap(({ conversation }) => conversation ?? []);
}

async function confirmed(conversation: ListedConversation): Promise<readonly ListedConversation[]> {
  const isWanted = await confirm(
    vscode.l10n.t('Delete the conversation "{0}"?', conversation.title),
    { detail: vscode.l10n.t('It cannot be brought back.'), action: vscode.l10n.t('Delete') },
  );
  return isWanted ? [conversation] : [];
}

function itemOf(conversation: ListedConversation): ConversationItem {
  const age = formatAge(Date.now() - conversation.modifiedAt, vscode.env.language);
  return {
    // a request may hold what VS Code would draw as an icon
    label: conversation.title.replaceAll('$(', '$\u200b('),
    description: conversation.isShown ? vscode.l10n.t('{0}, shown now', age) : age,
    conversation,
  };
}

function deleteButton(): vscode.QuickInputButton {
  return {
    iconPath: new vscode.ThemeIcon('trash'),
    tooltip: vscode.l10n.t('Delete Conversation'),
  };
}

function titleOf(panel: ConversationPanel): string {
  const { folder } = panel.snapshot().state;
  return folder
    ? vscode.l10n.t('Conversations in {0}', folder.name)
    : vscode.l10n.t('Conversations');
}
