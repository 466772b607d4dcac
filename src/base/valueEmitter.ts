import type { Disposable } from './disposable.js';
import { Emitter, type Event } from './event.js';

/** What readers see of a {@link ValueEmitter}. */
export interface ObservableValue<T> {
  readonly value: T;
  /** Fires with the new value, only when it differs from the old one. */
  readonly onDidChange: Event<T>;
}

/** One owner's state: a current value that announces its changes. */
export class ValueEmitter<T> implements ObservableValue<T>, Disposable {
  private readonly emitter = new Emitter<T>();
  readonly onDidChange = this.emitter.event;

  /** @param equals default: `Object.is`. */
  constructor(
    private current: T,
    private readonly equals: (a: T, b: T) => boolean = Object.is,
  ) {}

  get value(): T {
    return this.current;
  }

  /** Sets the value; fires unless it equals the current one. */
  set(next: T): void {
    if (!this.equals(this.current, next)) {
      this.current = next;
      this.emitter.fire(next);
    }
  }

  dispose(): void {
    this.emitter.dispose();
  }
}
