import { expect, it } from 'vitest';
import { once } from '../../../../src/base/async/once.js';

it('makes it for the first who wants it, and once for all', async () => {
  let made = 0;
  const get = once(async () => ++made);
  expect(made).toBe(0);
  expect(await Promise.all([get(), get()])).toEqual([1, 1]);
  expect(await get()).toBe(1);
});

it('tries again what failed', async () => {
  let tries = 0;
  const get = once(async () => {
    if (++tries === 1) {
      throw new Error('not yet');
    }
    return tries;
  });
  await expect(get()).rejects.toThrow('not yet');
  expect([await get(), tries]).toEqual([2, 2]);
});
