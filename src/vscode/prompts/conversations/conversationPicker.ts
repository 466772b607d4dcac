import * as vscode from 'vscode';
import type { AgentPanel } from '../../../agent/panel/agentPanel.js';
import type { ListedConversation } from '../../../agent/panel/library.js';
import { DisposableStore } from '../../../base/disposable.js';
import { withoutIcons } from '../../../base/text/labelText.js';
import type { ReportError } from '../../reportError.js';
import { listHeading } from '../picks/picks.js';
import { exportConversation, renameConversation } from './conversationFlows.js';
import { type ConversationItem, ConversationList, conversationItem } from './conversationList.js';

export type ConversationPanel = Pick<AgentPanel, 'library' | 'newSession' | 'snapshot'>;

interface ConversationEntry extends ConversationItem {
  readonly choice?: Choice;
}

interface PickerParts {
  readonly panel: ConversationPanel;
  readonly reportError: ReportError;
}

type ConversationAction = 'open' | 'rename' | 'fork' | 'export' | 'delete';

type Choice =
  | { readonly kind: 'new' | 'deleteSome' }
  | { readonly kind: 'restore'; readonly conversations: readonly ListedConversation[] }
  | { readonly kind: ConversationAction; readonly conversation: ListedConversation };

/** Lists the stored conversations of the shown folder, to go on with one, to change some or to bring some back. */
export async function showConversations(
  panel: ConversationPanel,
  reportError: ReportError,
): Promise<void> {
  const { library } = panel;
  let deleted: readonly ListedConversation[] = [];
  for (;;) {
    const choice = await choose({ panel, reportError }, deleted);
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
  { panel, reportError }: PickerParts,
  deleted: readonly ListedConversation[],
): Promise<Choice | undefined> {
  const store = new DisposableStore();
  const list = store.add(vscode.window.createQuickPick<ConversationEntry>());
  list.title = titleOf(panel);
  list.placeholder = vscode.l10n.t('Choose a conversation, or search what was said');
  list.matchOnDescription = true;
  list.matchOnDetail = true;
  list.keepScrollPosition = true;
  const { library } = panel;
  const entries = (items: readonly ConversationItem[]) => entriesOf(items, deleted);
  store.add(new ConversationList({ library, list, entries, reportError }));
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

async function pickSome(
  conversations: readonly ListedConversation[],
): Promise<readonly ListedConversation[]> {
  const picked = await vscode.window.showQuickPick(
    conversations.map((one) => conversationItem(one)),
    { title: vscode.l10n.t('Delete Conversations'), canPickMany: true },
  );
  return (picked ?? []).flatMap(({ conversation }) => conversation ?? []);
}

function entriesOf(
  items: readonly ConversationItem[],
  deleted: readonly ListedConversation[],
): readonly ConversationEntry[] {
  const [first] = deleted;
  const restore: ConversationEntry = {
    label: `$(discard) ${vscode.l10n.t('Bring Back: {0}', deleted.map(({ title }) => withoutIcons(title)).join(', '))}`,
    detail: vscode.l10n.t('What was deleted can be brought back for a day, from here.'),
    alwaysShow: true,
    choice: { kind: 'restore', conversations: deleted },
  };
  const buttonsOfEach = Object.values(buttons());
  return [
    ...(first ? [restore] : []),
    ...items.map((item) => (item.conversation ? { ...item, buttons: buttonsOfEach } : item)),
    listHeading(),
    { label: `$(add) ${vscode.l10n.t('New Conversation')}`, choice: { kind: 'new' } },
    ...(items.length > 0
      ? [
          {
            label: `$(trash) ${vscode.l10n.t('Delete Conversations')}`,
            choice: { kind: 'deleteSome' } as const,
          },
        ]
      : []),
  ];
}

function buttons(): Readonly<Record<Exclude<ConversationAction, 'open'>, vscode.QuickInputButton>> {
  const button = (icon: string, tooltip: string) => ({
    iconPath: new vscode.ThemeIcon(icon),
    tooltip,
  });
  return {
    rename: button('edit', vscode.l10n.t('Rename Conversation')),
    fork: button('repo-forked', vscode.l10n.t('Go on with a Copy')),
    export: button('export', vscode.l10n.t('Export Conversation')),
    delete: button('trash', vscode.l10n.t('Delete Conversation')),
  };
}

function actionOf({ tooltip }: vscode.QuickInputButton): ConversationAction {
  const found = Object.entries(buttons()).find(([, button]) => button.tooltip === tooltip);
  return (found?.[0] as ConversationAction | undefined) ?? 'open';
}

function titleOf(panel: ConversationPanel): string {
  const { folder } = panel.snapshot().state;
  const title = vscode.l10n.t('Conversations');
  return folder ? vscode.l10n.t('{0}: {1}', title, folder.name) : title;
}
