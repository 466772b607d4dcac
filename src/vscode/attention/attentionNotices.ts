/** Tells the user, who looks elsewhere, that Pi has answered or waits. */
import * as vscode from 'vscode';
import type { ConversationNews } from '../../agent/live/conversationNews.js';
import { DisposableOwner } from '../../base/disposable.js';
import type { Event } from '../../base/event.js';
import { settingIds } from '../../contributions.js';
import { newsText, notifyMode, wantsNotice } from '../../presentation/notices/attention.js';
import type { NewsKind } from '../../protocol/waitingConversation.js';
import { showInformation } from '../notifications.js';
import { ConfigValue } from '../workspace/configValue.js';

export interface AttentionParts {
  readonly onDidGetNews: Event<ConversationNews>;
  /** Ids of the conversations that the user sees in the window. */
  readonly seen: () => ReadonlySet<string>;
  /** No effect for one that is not live any more. */
  readonly show: (id: string) => Promise<void>;
  /** No effect while no page of ours is visible. */
  readonly ring: (kind: NewsKind) => void;
  readonly onError: (error: unknown) => void;
}

export class AttentionNotices extends DisposableOwner {
  private readonly mode = this.store.add(new ConfigValue(settingIds.agentNotify));
  private readonly hasSound = this.store.add(new ConfigValue(settingIds.agentSound));
  /** Conversations whose notice is still there. */
  private readonly told = new Set<string>();
  /** When the user went to another program last, on the measuring clock. */
  private leftAt = Number.NEGATIVE_INFINITY;
  private hasFocus = vscode.window.state.focused;

  constructor(private readonly parts: AttentionParts) {
    super();
    this.store.add(parts.onDidGetNews((news) => this.hear(news)));
    this.store.add(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        this.leftAt = this.hasFocus && !focused ? performance.now() : this.leftAt;
        this.hasFocus = focused;
      }),
    );
  }

  private hear(news: ConversationNews): void {
    const { seen, ring, onError } = this.parts;
    const isSeen = seen().has(news.id);
    // news settle for a moment, in which the user may have left
    const isFocused = vscode.window.state.focused || news.at < this.leftAt;
    const attention = { isFocused, isSeen };
    if (this.hasSound.value && wantsNotice('always', attention)) {
      ring(news.kind);
    }
    if (wantsNotice(notifyMode(this.mode.value), attention) && !this.told.has(news.id)) {
      this.tell(news).catch(onError);
    }
  }

  private async tell(news: ConversationNews): Promise<void> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const folder = folders.find(({ uri }) => uri.toString() === news.key);
    const open = vscode.l10n.t('Open');
    this.told.add(news.id);
    try {
      const text = newsText(news, folders.length > 1 ? folder?.name : undefined);
      if ((await showInformation(text, open)) === open) {
        await this.parts.show(news.id);
      }
    } finally {
      this.told.delete(news.id);
    }
  }
}
