import { expect, it } from 'vitest';
import { once, onFirstUse } from '../../../../src/base/async/onFirstUse.js';

class Counter {
  private count = 0;

  async add(by: number): Promise<number> {
    this.count += by;
    return this.count;
  }

  async fail(): Promise<never> {
    throw new Error(`at ${this.count}`);
  }
}

it('loads for the first call, and once for all', async () => {
  let loads = 0;
  const load = once(async () => {
    loads++;
    return new Counter();
  });
  const counter = onFirstUse(load, 'add', 'fail');
  expect(loads).toBe(0);
  expect(await Promise.all([counter.add(1), counter.add(2)])).toEqual([1, 3]);
  await expect(counter.fail()).rejects.toThrow('at 3');
  expect(loads).toBe(1);
});

it('tries again what could not be loaded', async () => {
  let loads = 0;
  const load = once(async () => {
    if (++loads === 1) {
      throw new Error('not yet');
    }
    return new Counter();
  });
  const counter = onFirstUse(load, 'add');
  await expect(counter.add(1)).rejects.toThrow('not yet');
  expect(await counter.add(1)).toBe(1);
  expect(loads).toBe(2);
});
