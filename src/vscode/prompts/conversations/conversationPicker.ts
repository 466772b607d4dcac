import * as vscode from 'vscode';
import type { ListedConversation } from '../../../agent/conversations/library.js';
import type { AgentPanelModel } from '../../../agent/panel/agentApi.js';
import { DisposableStore } from '../../../base/disposable.js';
import { formatAge } from '../../../presentation/consent/formatAge.js';
import { excerptOf } from '../../../presentation/conversationSearch.js';
import { exportConversation, renameConversation } from './conversationFlows.js';

export type ConversationPanel = Pick<AgentPanelModel, 'library' | 'newSession' | 'snapshot'>;

interface ConversationItem extends vscode.QuickPickItem {
  /** Absent for entries that stand for an action. */
  readonly conversation?: ListedConversation;
  readonly choice?: Choice;
}

type ConversationAction = 'open' | 'rename' | 'fork' | 'export' | 'delete';

type Choice =
  | { readonly kind: 'new' | 'deleteSome' }
  | { readonly kind: 'restore'; readonly conversations: readonly ListedConversation[] }
  | { readonly kind: ConversationAction; readonly conversation: ListedConversation };

/** Lists the stored conversations of the shown folder, to go on with one, to change some or to bring some back. */
export async function showConversations(panel: ConversationPanel): Promise<void> {
  const { library } = panel;
  let deleted: readonly ListedConversation[] = [];
  for (;;) {
    const choice = await choose(panel, deleted);
    switch (choice?.kind) {
      case undefined:
        return;
      case 'new':
        return await panel.newSession();
      case 'open':
        return await library.open(choice.conversation.id);
      case 'fork':
        return await library.fork(choice.conversation.id);
      case 'export':
        return await exportConversation(panel.library, choice.conversation);
      case 'rename':
        await renameConversation(panel.library, choice.conversation);
        break;
      case 'restore':
        await forEach(choice.conversations, ({ id }) => library.restore(id));
        deleted = [];
        break;
      case 'delete':
        deleted = [choice.conversation];
        await library.delete(choice.conversation.id);
        break;
      case 'deleteSome':
        deleted = await pickSome(await library.list());
        await forEach(deleted, ({ id }) => library.delete(id));
    }
  }
}

async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (const item of items) {
    await work(item);
  }
}

async function choose(
  panel: ConversationPanel,
  deleted: readonly ListedConversation[],
): Promise<Choice | undefined> {
  const store = new DisposableStore();
  const list = store.add(vscode.window.createQuickPick<ConversationItem>());
  const conversations = await panel.library.list();
  list.title = titleOf(panel);
  list.placeholder = vscode.l10n.t('Choose a conversation, or search what was said');
  list.matchOnDetail = true;
  list.items = itemsOf(conversations, deleted);
  store.add(new TextSearch(panel, list));
  try {
    return await new Promise<Choice | undefined>((resolve) => {
      store.add(
        list.onDidTriggerItemButton(({ item: { conversation }, button }) =>
          resolve(conversation && { kind: actionOf(button), conversation }),
        ),
      );
      store.add(
        list.onDidAccept(() => {
          const [picked] = list.selectedItems;
          const { conversation, choice } = picked ?? {};
          resolve(conversation ? { kind: 'open', conversation } : choice);
        }),
      );
      store.add(list.onDidHide(() => resolve(undefined)));
      list.show();
    });
  } finally {
    store.dispose();
  }
}

/** Shows under each conversation where it holds what was typed, so that the list finds it. */
class TextSearch implements vscode.Disposable {
  private readonly subscription: vscode.Disposable;
  private texts: Promise<ReadonlyMap<string, string>> | undefined;

  constructor(
    private readonly panel: ConversationPanel,
    private readonly list: vscode.QuickPick<ConversationItem>,
  ) {
    this.subscription = list.onDidChangeValue(() => this.search());
  }

  dispose(): void {
    this.subscription.dispose();
  }

  private async search(): Promise<void> {
    const { list } = this;
    const query = list.value;
    list.busy = true;
    this.texts ??= this.readTexts();
    const texts = await this.texts;
    if (list.value !== query) {
      return;
    }
    list.busy = false;
    const active = list.activeItems[0]?.conversation?.id;
    list.items = list.items.map(({ detail: _, ...item }) => {
      const found = item.conversation && excerptOf(texts.get(item.conversation.id) ?? '', query);
      return found === undefined ? item : { ...item, detail: withoutIcons(found) };
    });
    list.activeItems = list.items.filter(
      ({ conversation }) => conversation && conversation.id === active,
    );
  }

  private async readTexts(): Promise<ReadonlyMap<string, string>> {
    const texts = new Map<string, string>();
    for (const { conversation } of this.list.items) {
      if (conversation) {
        texts.set(conversation.id, await this.panel.library.textOf(conversation));
      }
    }
    return texts;
  }
}

async function pickSome(
  conversations: readonly ListedConversation[],
): Promise<readonly ListedConversation[]> {
  const picked = await vscode.window.showQuickPick(conversations.map(itemOf), {
    title: vscode.l10n.t('Delete Conversations'),
    placeHolder: vscode.l10n.t('Choose what to delete'),
    canPickMany: true,
  });
  return (picked ?? []).flatMap(({ conversation }) => conversation ?? []);
}

function itemsOf(
  conversations: readonly ListedConversation[],
  deleted: readonly ListedConversation[],
): readonly ConversationItem[] {
  const { t } = vscode.l10n;
  const [first] = deleted;
  const restore: ConversationItem = {
    label: `$(discard) ${deleted.length === 1 && first ? t('Bring Back "{0}"', withoutIcons(first.title)) : t('Bring Back {0} Conversations', deleted.length)}`,
    detail: t('What was deleted can be brought back for a day, from here.'),
    alwaysShow: true,
    choice: { kind: 'restore', conversations: deleted },
  };
  return [
    ...(first ? [restore] : []),
    ...conversations.map((conversation) => ({
      ...itemOf(conversation),
      buttons: Object.values(buttons()),
    })),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    { label: `$(add) ${t('New Conversation')}`, choice: { kind: 'new' } },
    ...(conversations.length > 0
      ? [
          {
            label: `$(trash) ${t('Delete Conversations…')}`,
            choice: { kind: 'deleteSome' } as const,
          },
        ]
      : []),
  ];
}

function itemOf(conversation: ListedConversation): ConversationItem {
  const age = formatAge(Date.now() - conversation.modifiedAt, vscode.env.language);
  return {
    label: withoutIcons(conversation.title),
    description: conversation.isShown ? vscode.l10n.t('{0}, shown now', age) : age,
    conversation,
  };
}

/** A request may hold what VS Code would draw as an icon. */
function withoutIcons(text: string): string {
  return text.replaceAll('$(', '$\u200b(');
}

function buttons(): Readonly<Record<Exclude<ConversationAction, 'open'>, vscode.QuickInputButton>> {
  const { t } = vscode.l10n;
  const button = (icon: string, tooltip: string) => ({
    iconPath: new vscode.ThemeIcon(icon),
    tooltip,
  });
  return {
    rename: button('edit', t('Rename Conversation')),
    fork: button('repo-forked', t('Go on with a Copy')),
    export: button('export', t('Export Conversation')),
    delete: button('trash', t('Delete Conversation')),
  };
}

function actionOf({ tooltip }: vscode.QuickInputButton): ConversationAction {
  const found = Object.entries(buttons()).find(([, button]) => button.tooltip === tooltip);
  return (found?.[0] as ConversationAction | undefined) ?? 'open';
}

function titleOf(panel: ConversationPanel): string {
  const { folder } = panel.snapshot().state;
  return folder
    ? vscode.l10n.t('Conversations in {0}', folder.name)
    : vscode.l10n.t('Conversations');
}
