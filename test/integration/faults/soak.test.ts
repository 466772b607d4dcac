import { expect, it } from 'vitest';
import { runSoak } from '../../soak/soak.js';

const megabyte = 1024 * 1024;

// `npm run soak` does the same for longer, with a seed of its own each time
it('holds every invariant through a hundred random events of a hundred servers', async () => {
  const { events, heap } = await runSoak({ seed: 4, steps: 100 });
  expect(Object.keys(events).length).toBeGreaterThan(12);
  // the first quarter warms up
  const [, early = 0] = heap;
  expect(((heap.at(-1) ?? 0) - early) / megabyte).toBeLessThan(8);
});
