import type { Disposable } from './disposable.js';

/** Subscribes a listener; dispose the result to unsubscribe. Shape-compatible with `vscode.Event`. */
export type Event<T> = (listener: (event: T) => void) => Disposable;

/** Fires to the listeners present when `fire` was called. A throwing listener does not stop the others. */
export class Emitter<T> implements Disposable {
  private subscriptions: ReadonlyArray<Subscription<T>> = [];
  private disposed = false;

  readonly event: Event<T> = (listener) => {
    const subscription = new Subscription(this, listener);
    if (!this.disposed) {
      this.subscriptions = [...this.subscriptions, subscription];
    }
    return subscription;
  };

  fire(event: T): void {
    for (const { listener } of this.subscriptions) {
      try {
        listener(event);
      } catch (error) {
        rethrowLater(error);
      }
    }
  }

  unsubscribe(subscription: Disposable): void {
    this.subscriptions = this.subscriptions.filter((candidate) => candidate !== subscription);
  }

  dispose(): void {
    this.disposed = true;
    this.subscriptions = [];
  }
}

/** A function may listen more than once; each time is one of these. */
class Subscription<T> implements Disposable {
  constructor(
    private readonly emitter: Emitter<T>,
    readonly listener: (event: T) => void,
  ) {}

  dispose(): void {
    this.emitter.unsubscribe(this);
  }
}

/** So that it is seen and stops nobody. */
function rethrowLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

/** Resolves with the next event that satisfies `accepts` (default: any). */
export function onceEvent<T>(
  event: Event<T>,
  accepts: (value: T) => boolean = () => true,
): Promise<T> {
  return new Promise((resolve) => {
    const subscription = event((value) => {
      if (accepts(value)) {
        subscription.dispose();
        resolve(value);
      }
    });
  });
}
