import { expect, it } from 'vitest';
import { SharedRun } from '../../../../src/base/async/sharedRun.js';

it('gives everybody who asks during a run the same next one, and never runs twice at once', async () => {
  const ends: (() => void)[] = [];
  let active = 0;
  let most = 0;
  const shared = new SharedRun(async () => {
    most = Math.max(most, ++active);
    await new Promise<void>((resolve) => ends.push(resolve));
    active--;
    return ends.length;
  });
  const first = shared.run();
  const [second, third] = [shared.run(), shared.run()];
  // asks in every moment around the change from one run to the next
  const late = first.then(() => shared.run());
  const later = first.then(() => undefined).then(() => shared.run());
  ends[0]?.();
  expect(await first).toBe(1);
  await Promise.resolve();
  const end = setInterval(() => ends.at(-1)?.(), 0);
  const answers = await Promise.all([second, third, late, later]);
  clearInterval(end);
  expect(answers.slice(0, 2)).toEqual([2, 2]);
  expect(most).toBe(1);
});

it('starts again after a run that failed', async () => {
  let runs = 0;
  const shared = new SharedRun(async () => {
    runs++;
    if (runs === 1) {
      throw new Error('once');
    }
    return runs;
  });
  const first = shared.run();
  const second = shared.run();
  await expect(first).rejects.toThrow('once');
  expect(await second).toBe(2);
  expect(await shared.run()).toBe(3);
});
