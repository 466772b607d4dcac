import { type Disposable, DisposableMap, MutableDisposable } from '../../base/disposable.js';
import { rpcCode } from '../../base/jsonRpc.js';
import type { ServerLogMessage } from '../../mcp/logTypes.js';
import { gatewayLimits } from '../http/limits.js';
import { RpcError } from '../lending/rpcError.js';
import type { ChangedList, Subscriptions } from './wireTypes.js';

export const logMethod = 'notifications/message';

/** What one session has subscribed to, and what it is told. */
export class SessionSubscriptions implements Subscriptions, Disposable {
  private readonly subscribed = new DisposableMap</* uri */ string, Disposable>();
  private readonly logs = new MutableDisposable<Disposable>();

  constructor(
    private readonly notify: (
      method: string,
      params?: Record<string, unknown>,
    ) => Promise<void> | undefined,
  ) {}

  add(uri: string, open: () => Disposable): void {
    if (this.subscribed.has(uri)) {
      return;
    }
    if (this.subscribed.size >= gatewayLimits.subscriptions) {
      throw new RpcError(rpcCode.plainError, 'Too many subscriptions');
    }
    this.subscribed.set(uri, open());
  }

  delete(uri: string): void {
    this.subscribed.delete(uri);
  }

  updated(uri: string): void {
    this.tell('notifications/resources/updated', { uri });
  }

  /** It hears what servers log. */
  get isListening(): boolean {
    return this.logs.value !== undefined;
  }

  listen(open: () => Disposable): void {
    this.logs.value = open();
  }

  logged(message: ServerLogMessage): void {
    this.tell(logMethod, { ...message });
  }

  tellChanged(lists: readonly ChangedList[]): void {
    for (const list of lists) {
      this.tell(`notifications/${list}/list_changed`);
    }
  }

  dispose(): void {
    this.subscribed.dispose();
    this.logs.dispose();
  }

  private tell(method: string, params?: Record<string, unknown>): void {
    // a client that is gone hears nothing
    void this.notify(method, params)?.catch(() => undefined);
  }
}
