import { expect, it } from 'vitest';
import { Limiter } from '../../src/base/async/sequencer.js';

it('never runs more tasks than the limit, also when a slot is handed over', async () => {
  const limiter = new Limiter(2);
  let active = 0;
  let most = 0;
  const task = async () => {
    most = Math.max(most, ++active);
    await Promise.resolve();
    active--;
  };
  await Promise.all(Array.from({ length: 20 }, () => limiter.run(task)));
  expect(most).toBe(2);
});
