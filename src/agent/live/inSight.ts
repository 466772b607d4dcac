/** Which live conversations the user may look at: one of each folder is shown, others have tabs. Their files are watched. */
import { Coalescer } from '../../base/async/coalescer.js';
import { type Disposable, DisposableMap, DisposableStore } from '../../base/disposable.js';
import { errorMessage } from '../../base/errors.js';
import type { FolderKey, LiveConversation } from './liveConversation.js';
import type { SessionHostOptions } from './options.js';

export interface InSightOptions extends Pick<SessionHostOptions, 'storageDir' | 'machine'> {
  /** Another program wrote into a conversation. @param id of it */
  readonly onWrite: (id: string, isWanted: () => boolean) => Promise<void>;
}

/** A conversation was read again, or is not there any more. */
export interface ReplacedConversation {
  readonly key: FolderKey;
  /** Id. */
  readonly before: string;
  /** Id; absent: it was closed. */
  readonly after?: string;
}

/** Milliseconds: another program writes several lines at once. */
const watchDelayMs = 300;

export class InSight implements Disposable {
  private readonly shownIds = new Map<FolderKey, string>();
  /** Of those that have tabs. */
  private readonly heldIds = new Set<string>();
  private readonly watches = new DisposableMap</* conversation id */ string, Disposable>();
  private clock = 0;

  constructor(private readonly options: InSightOptions) {}

  /** Id of the one that the folder shows. */
  shownIn(key: FolderKey): string | undefined {
    return this.shownIds.get(key);
  }

  isShown({ key, id }: LiveConversation): boolean {
    return this.shownIds.get(key) === id;
  }

  has(conversation: LiveConversation): boolean {
    return this.isShown(conversation) || this.heldIds.has(conversation.id);
  }

  show(conversation: LiveConversation): void {
    const { key, id } = conversation;
    conversation.usedAt = ++this.clock;
    const before = this.shownIds.get(key);
    this.shownIds.set(key, id);
    if (before !== undefined && !this.heldIds.has(before)) {
      this.watches.delete(before);
    }
    this.watch(conversation);
  }

  hold(conversation: LiveConversation): void {
    conversation.usedAt = ++this.clock;
    this.heldIds.add(conversation.id);
    this.watch(conversation);
  }

  /** @returns whether the user may still look at it */
  letGo(id: string): boolean {
    this.heldIds.delete(id);
    const isShown = [...this.shownIds.values()].includes(id);
    if (!isShown) {
      this.watches.delete(id);
    }
    return isShown;
  }

  /** It stands where the one before did. @param after default: none */
  replace({ key, id }: LiveConversation, after?: LiveConversation): void {
    this.watches.delete(id);
    const wasShown = this.shownIds.get(key) === id;
    const wasHeld = this.heldIds.delete(id);
    if (wasShown) {
      this.shownIds.delete(key);
    }
    if (after && wasHeld) {
      this.hold(after);
    }
    if (after && wasShown) {
      this.show(after);
    }
  }

  dispose(): void {
    this.watches.dispose();
  }

  private watch({ id, session: { file } }: LiveConversation): void {
    const { machine, storageDir, onWrite } = this.options;
    this.watches.delete(id);
    if (file === undefined || file.startsWith(storageDir)) {
      return;
    }
    const onError = (error: unknown) => machine.loggers.main.log('error', errorMessage(error));
    const store = new DisposableStore();
    const look = store.add(
      new Coalescer(() => onWrite(id, () => !store.isDisposed), { delayMs: watchDelayMs, onError }),
    );
    const watch = store.add(machine.watcher.watch(file, () => look.request()));
    // it was read before
    void watch.begun?.then(() => store.isDisposed || look.request());
    this.watches.set(id, store);
  }
}
