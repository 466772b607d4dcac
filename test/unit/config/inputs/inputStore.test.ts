import { describe, expect, it } from 'vitest';
import { InputStore } from '../../../../src/config/inputs/inputStore.js';

function open(initial: Readonly<Record<string, string>> = {}) {
  const values = new Map(Object.entries(initial));
  const store = new InputStore({
    get: async (key) => values.get(key),
    store: async (key, value) => void values.set(key, value),
    delete: async (key) => void values.delete(key),
    keys: async () => [...values.keys()],
  });
  return { store, values };
}

describe('InputStore', () => {
  it('keeps values apart by pool, lists their keys and forgets them', async () => {
    const { store, values } = open({ 'oauth:x': 'other', 'input:broken': 'y' });
    const first = { poolId: 'file:///a:b', inputId: 'c' };
    const second = { poolId: 'file:///a', inputId: 'b:c' };
    await store.set(first, '1');
    await store.set(second, '2');
    expect(await store.get(first)).toBe('1');
    expect(await store.get(second)).toBe('2');
    expect(await store.list()).toEqual([first, second]);
    await store.forget(first);
    expect(await store.list()).toEqual([second]);
    expect(values.get('oauth:x')).toBe('other');
  });
});
