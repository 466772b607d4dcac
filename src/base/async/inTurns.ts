import { nextTurn } from './nextTurn.js';

/** Works through many items, and lets others have their turn after each so many of them. */
export async function inTurns<T>(
  items: Iterable<T>,
  perTurn: number,
  work: (item: T) => void,
): Promise<void> {
  let done = 0;
  for (const item of items) {
    work(item);
    done++;
    if (done % perTurn === 0) {
      await nextTurn();
    }
  }
}
