import { delay } from '../../base/async/cancellation.js';
import type { Disposable } from '../../base/disposable.js';
import { Emitter, onceEvent } from '../../base/event.js';

/** Rows that stand open, until those below them are handed over, which VS Code asks for one by one. */
export class OpenRows<T> implements Disposable {
  private readonly rows = new Set<T>();
  private readonly answered = new Emitter<void>();

  /** What was open before is not waited for any more. */
  replace(rows: Iterable<T>): void {
    this.rows.clear();
    for (const row of rows) {
      this.rows.add(row);
    }
  }

  /** Those below the row are handed over. */
  delete(row: T): void {
    if (this.rows.delete(row) && this.rows.size === 0) {
      this.answered.fire();
    }
  }

  /** @param boundMs VS Code never asks for what is below a row that the user closed before */
  async whenAnswered(boundMs: number): Promise<void> {
    if (this.rows.size > 0) {
      await Promise.race([onceEvent(this.answered.event), delay(boundMs)]);
    }
  }

  dispose(): void {
    this.answered.dispose();
  }
}
