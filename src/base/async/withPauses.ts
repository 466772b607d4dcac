import { delay } from './cancellation.js';

/** Works through what somebody else may make very long, and lets others have their turn after each so many of it. */
export async function withPauses<T>(
  items: Iterable<T>,
  perPause: number,
  work: (item: T) => void,
): Promise<void> {
  let done = 0;
  for (const item of items) {
    work(item);
    done++;
    if (done % perPause === 0) {
      await delay(0);
    }
  }
}
