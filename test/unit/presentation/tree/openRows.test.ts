import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { OpenRows } from '../../../../src/presentation/tree/openRows.js';

const boundMs = 500;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Whether it has resolved by now. */
async function isAnswered(rows: OpenRows<string>): Promise<() => boolean> {
  let answered = false;
  void rows.whenAnswered(boundMs).then(() => {
    answered = true;
  });
  await vi.advanceTimersByTimeAsync(0);
  return () => answered;
}

it('are answered at once where none stands open', async () => {
  expect((await isAnswered(new OpenRows()))()).toBe(true);
});

it('are answered once the last of them is', async () => {
  const rows = new OpenRows<string>();
  rows.replace(['Global', 'app']);
  const answered = await isAnswered(rows);
  rows.delete('app');
  rows.delete('a server');
  await vi.advanceTimersByTimeAsync(0);
  expect(answered()).toBe(false);
  rows.delete('Global');
  await vi.advanceTimersByTimeAsync(0);
  expect(answered()).toBe(true);
});

it('wait for those that took their place', async () => {
  const rows = new OpenRows<string>();
  rows.replace(['Global']);
  const answered = await isAnswered(rows);
  rows.replace(['app']);
  rows.delete('Global');
  await vi.advanceTimersByTimeAsync(0);
  expect(answered()).toBe(false);
  rows.delete('app');
  await vi.advanceTimersByTimeAsync(0);
  expect(answered()).toBe(true);
});

it('are waited for no longer than that', async () => {
  const rows = new OpenRows<string>();
  rows.replace(['closed before']);
  const answered = await isAnswered(rows);
  await vi.advanceTimersByTimeAsync(boundMs - 1);
  expect(answered()).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(answered()).toBe(true);
});
