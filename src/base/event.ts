import { type Disposable, toDisposable } from './disposable.js';

/** Subscribes a listener; dispose the result to unsubscribe. Shape-compatible with `vscode.Event`. */
export type Event<T> = (listener: (event: T) => void) => Disposable;

/** Fires to the listeners present when `fire` was called. A throwing listener does not stop the others. */
export class Emitter<T> implements Disposable {
  private listeners: ReadonlyArray<(event: T) => void> = [];
  private disposed = false;

  /** @param onListenerError default: rethrown in a microtask, so that it is seen and stops nobody. */
  constructor(private readonly onListenerError: (error: unknown) => void = rethrowLater) {}

  readonly event: Event<T> = (listener) => {
    if (this.disposed) {
      return toDisposable(() => undefined);
    }
    const entry = (event: T) => listener(event);
    this.listeners = [...this.listeners, entry];
    return toDisposable(() => {
      this.listeners = this.listeners.filter((candidate) => candidate !== entry);
    });
  };

  get hasListeners(): boolean {
    return this.listeners.length > 0;
  }

  fire(event: T): void {
    for (const listener of this.listeners) {
      try {
        listener(event);
      } catch (error) {
        this.onListenerError(error);
      }
    }
  }

  dispose(): void {
    this.disposed = true;
    this.listeners = [];
  }
}

function rethrowLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

/** Resolves with the next event that satisfies `accepts` (default: any). Rejects when `signal` aborts. */
export function onceEvent<T>(
  event: Event<T>,
  accepts: (value: T) => boolean = () => true,
  signal?: AbortSignal,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      subscription.dispose();
      reject(signal?.reason);
    };
    const subscription = event((value) => {
      if (accepts(value)) {
        subscription.dispose();
        signal?.removeEventListener('abort', onAbort);
        resolve(value);
      }
    });
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) {
      onAbort();
    }
  });
}
