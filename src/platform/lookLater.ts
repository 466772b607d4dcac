import { type Disposable, toDisposable } from '../base/disposable.js';

/**
 * Looks at each of these times from now, until it is disposed; keeps no process alive. A look that fails is none.
 * @param times milliseconds
 */
export function lookLater(look: () => Promise<void>, times: readonly number[]): Disposable {
  const timers = times.map((ms) =>
    setTimeout(() => void look().catch(() => undefined), ms).unref(),
  );
  return toDisposable(() => timers.forEach(clearTimeout));
}
