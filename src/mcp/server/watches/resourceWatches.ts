import { type Disposable, toDisposable } from '../../../base/disposable.js';
import { errorMessage } from '../../../base/errors.js';
import type { Logger } from '../../../platform/ports.js';
import type { McpSession } from '../../connection/session/engine.js';

type Listener = () => void;

/** Who watches which resources of one server, over all of its connections. */
export class ResourceWatches implements Disposable {
  private readonly listeners = new Map</* uri */ string, Set<Listener>>();
  private session: McpSession | undefined;
  private subscription: Disposable | undefined;
  private wasAttached = false;

  constructor(
    private readonly ports: { readonly timeoutMs: () => number; readonly logger: () => Logger },
  ) {}

  /** Subscribes on the server's present connection; nothing is sent to a server that offers no subscriptions. */
  watch(uri: string, onDidChange: Listener): Disposable {
    // one entry for each call, also for a listener that is given twice
    const listener = () => onDidChange();
    const present = this.listeners.get(uri);
    if (present) {
      present.add(listener);
    } else {
      this.listeners.set(uri, new Set([listener]));
      this.tell(uri, true);
    }
    return toDisposable(() => this.unwatch(uri, listener));
  }

  /** Subscribes again on a new connection; resources may have changed while there was none. */
  attach(session: McpSession | undefined): void {
    if (session === this.session) {
      return;
    }
    this.subscription?.dispose();
    this.session = session;
    this.subscription = session?.onDidUpdateResource((uri) => this.notify(uri));
    if (!session) {
      return;
    }
    for (const uri of this.listeners.keys()) {
      this.tell(uri, true);
      if (this.wasAttached) {
        this.notify(uri);
      }
    }
    this.wasAttached = true;
  }

  dispose(): void {
    this.subscription?.dispose();
    this.listeners.clear();
  }

  private unwatch(uri: string, listener: Listener): void {
    const present = this.listeners.get(uri);
    if (present?.delete(listener) && present.size === 0) {
      this.listeners.delete(uri);
      this.tell(uri, false);
    }
  }

  private notify(uri: string): void {
    for (const listener of this.listeners.get(uri) ?? []) {
      listener();
    }
  }

  private tell(uri: string, isWatched: boolean): void {
    const { timeoutMs, logger } = this.ports;
    this.session
      ?.watchResource(uri, isWatched, { timeoutMs: timeoutMs() })
      .catch((error: unknown) => {
        // the document stays as it was read, which is all that such a server offers
        const method = isWatched ? 'resources/subscribe' : 'resources/unsubscribe';
        logger().log('debug', `${method} ${uri}: ${errorMessage(error)}`);
      });
  }
}
