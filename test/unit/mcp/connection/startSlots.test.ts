import { expect, it } from 'vitest';
import { type StartSlot, StartSlots } from '../../../../src/mcp/connection/startSlots.js';

const { signal } = new AbortController();

/** Slots that are asked for in order; `entered` has those that may start. */
function queue(limit: number, names: readonly string[]) {
  const slots = new StartSlots(limit);
  const entered: string[] = [];
  const byName = new Map<string, StartSlot>();
  for (const name of names) {
    const slot = slots.request();
    byName.set(name, slot);
    void slot.take(signal).then(() => entered.push(name));
  }
  const at = (name: string): StartSlot => byName.get(name) ?? slots.request();
  return { slots, entered, at };
}

const settled = () => new Promise(setImmediate);

it('lets in as many as it may, and others in the order of their coming', async () => {
  const { entered, at } = queue(2, ['a', 'b', 'c', 'd']);
  await settled();
  expect(entered).toEqual(['a', 'b']);
  at('b').release();
  at('b').release();
  await settled();
  expect(entered).toEqual(['a', 'b', 'c']);
  at('a').release();
  await settled();
  expect(entered).toEqual(['a', 'b', 'c', 'd']);
});

it('lets in at once what somebody waits for, and no more of that than it may', async () => {
  const { entered, at } = queue(1, ['calm', 'later', 'called', 'clicked']);
  at('called').hurry();
  at('clicked').hurry();
  await settled();
  expect(entered).toEqual(['calm', 'called']);
  at('called').release();
  await settled();
  expect(entered).toEqual(['calm', 'called', 'clicked']);
});

it('forgets those who leave', async () => {
  const { slots, entered, at } = queue(1, ['a']);
  const leaver = new AbortController();
  const left = slots.request().take(leaver.signal);
  const next = slots.request();
  void next.take(signal).then(() => entered.push('next'));
  leaver.abort();
  await expect(left).rejects.toThrow();
  at('a').release();
  await settled();
  expect(entered).toEqual(['a', 'next']);
});
