/** What conversations have to tell somebody who does not look at them. */
import { Coalescer } from '../../base/async/coalescer.js';
import { DisposableOwner } from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import type { NewsKind } from '../../protocol/waitingConversation.js';
import type { ConversationState } from '../conversations/conversationEnd.js';
import type { FolderKey } from './liveConversation.js';

export interface ConversationNews {
  /** Of the conversation. */
  readonly id: string;
  readonly key: FolderKey;
  /** `undefined` before its first message. */
  readonly title: string | undefined;
  readonly kind: NewsKind;
  /** When it came to that, on the measuring clock. */
  readonly at: number;
}

type Followed = Omit<ConversationNews, 'kind' | 'at'> & { readonly state: ConversationState };

/** Milliseconds: what follows within them, as the next message of the queue does, makes no news of what was before. */
const settleMs = 300;

/** Tells each need once: again only after the conversation went on. */
export class NewsOfConversations extends DisposableOwner {
  private readonly emitter = this.store.add(new Emitter<ConversationNews>());
  private readonly looking = this.store.add(
    new Coalescer(async () => this.look(), { delayMs: settleMs, maxDelayMs: settleMs }),
  );
  /** Conversations that were at work since they were told of. */
  private atWork: Set</* conversation id */ string> = new Set();
  private asking: Set</* conversation id */ string> = new Set();
  /** The state of each, and since when. */
  private readonly reached = new Map<
    /* conversation id */ string,
    { readonly state: ConversationState; readonly at: number }
  >();

  readonly onDidGetNews = this.emitter.event;

  /** @param all the conversations that are live */
  constructor(private readonly all: () => readonly Followed[]) {
    super();
  }

  /** A conversation may have changed. */
  follow({ id, state }: Pick<Followed, 'id' | 'state'>): void {
    if (state === 'working' || state === 'needs_you') {
      this.atWork.add(id);
    }
    if (this.reached.get(id)?.state !== state) {
      this.reached.set(id, { state, at: performance.now() });
    }
    this.looking.request();
  }

  /** A conversation was closed, or is started again: that what ran in it ended is no news. */
  forget(id: string): void {
    this.atWork.delete(id);
    this.asking.delete(id);
    this.reached.delete(id);
  }

  private look(): void {
    const all = this.all();
    const news = all.flatMap(({ id, key, title, state }): readonly ConversationNews[] => {
      const kind = this.newsOf(id, state);
      const at = this.reached.get(id)?.at ?? performance.now();
      return kind ? [{ id, key, title, kind, at }] : [];
    });
    const ids = (...states: readonly ConversationState[]) =>
      new Set(all.flatMap(({ id, state }) => (states.includes(state) ? [id] : [])));
    this.asking = ids('needs_you');
    this.atWork = ids('needs_you', 'working');
    for (const one of news) {
      this.emitter.fire(one);
    }
  }

  private newsOf(id: string, state: ConversationState): NewsKind | undefined {
    switch (state) {
      case 'working':
        return undefined;
      case 'needs_you':
        return this.asking.has(id) ? undefined : 'asks';
      case 'done':
        return this.atWork.has(id) ? 'answered' : undefined;
      case 'failed':
      case 'interrupted':
        return this.atWork.has(id) ? 'failed' : undefined;
    }
  }
}
