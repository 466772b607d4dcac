/** The list of conversations as it stands: it follows what they do, and finds what was said in them. */
import * as vscode from 'vscode';
import type { ConversationLibrary, ListedConversation } from '../../../agent/panel/library.js';
import { Coalescer } from '../../../base/async/coalescer.js';
import { DisposableOwner } from '../../../base/disposable.js';
import { withoutIcons } from '../../../base/text/labelText.js';
import { excerptOf } from '../../../presentation/conversationSearch.js';
import {
  conversationFacts,
  conversationGroup,
  stateIcon,
} from '../../../presentation/conversationWords.js';
import type { ReportError } from '../../reportError.js';
import { listHeading } from '../picks/picks.js';

export interface ConversationItem extends vscode.QuickPickItem {
  /** Absent for entries that stand for an action. */
  readonly conversation?: ListedConversation;
}

export interface ConversationListOptions<T extends ConversationItem> {
  readonly library: ConversationLibrary;
  readonly list: vscode.QuickPick<T>;
  /** All entries of the list. @param items of the conversations, with headings */
  readonly entries: (items: readonly ConversationItem[]) => readonly T[];
  readonly reportError: ReportError;
}

/** Milliseconds: a run that begins or ends changes several things. */
const refreshDelayMs = 150;

export class ConversationList<T extends ConversationItem> extends DisposableOwner {
  private conversations: readonly ListedConversation[] = [];
  private texts: ReadonlyMap</* conversation id */ string, string> = new Map();
  private drawn = '';

  constructor(private readonly options: ConversationListOptions<T>) {
    super();
    const { library, list, reportError } = options;
    const refresh = this.store.add(
      new Coalescer(() => this.refresh(), { delayMs: refreshDelayMs, onError: reportError }),
    );
    this.store.add(library.onDidChange(() => refresh.request()));
    this.store.add(list.onDidChangeValue(() => void this.search().catch(reportError)));
    list.busy = true;
    void this.refresh()
      .catch(reportError)
      .finally(() => {
        list.busy = false;
      });
  }

  private async refresh(): Promise<void> {
    this.conversations = await this.options.library.list();
    this.draw();
  }

  /** Shows under each conversation where it holds what was typed, so that the list finds it. */
  private async search(): Promise<void> {
    const { library, list } = this.options;
    const query = list.value;
    list.busy = true;
    const texts = new Map<string, string>();
    for (const conversation of this.conversations) {
      texts.set(conversation.id, await library.textOf(conversation));
    }
    if (list.value === query) {
      list.busy = false;
      this.texts = texts;
      this.draw();
    }
  }

  private draw(): void {
    const { list, entries } = this.options;
    if (this.store.isDisposed) {
      return;
    }
    const active = list.activeItems[0]?.conversation?.id;
    const items = entries(itemsOf(this.conversations, (one) => this.foundIn(one)));
    const drawn = JSON.stringify(items);
    if (drawn === this.drawn) {
      return;
    }
    this.drawn = drawn;
    list.items = items;
    const kept = items.filter(({ conversation }) => active && conversation?.id === active);
    if (kept.length > 0) {
      list.activeItems = kept;
    }
  }

  private foundIn({ id }: ListedConversation): string | undefined {
    const text = this.texts.get(id);
    return text === undefined ? undefined : excerptOf(text, this.options.list.value);
  }
}

/** Under headings. */
function itemsOf(
  conversations: readonly ListedConversation[],
  foundIn: (conversation: ListedConversation) => string | undefined,
): readonly ConversationItem[] {
  const now = Date.now();
  let group = '';
  return conversations.flatMap((conversation): readonly ConversationItem[] => {
    const found = foundIn(conversation);
    const item = {
      ...conversationItem(conversation, now),
      ...(found !== undefined && { detail: withoutIcons(found) }),
    };
    const next = conversationGroup(conversation, now);
    if (next === group) {
      return [item];
    }
    group = next;
    return [listHeading(next), item];
  });
}

export function conversationItem(
  conversation: ListedConversation,
  now = Date.now(),
): ConversationItem {
  return {
    label: `${stateIcon(conversation.state)} ${withoutIcons(conversation.title)}`,
    description: conversationFacts(conversation, now, vscode.env.language),
    conversation,
  };
}
