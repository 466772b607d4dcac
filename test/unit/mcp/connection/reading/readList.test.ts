import { expect, it, vi } from 'vitest';
import { type ListReading, readList } from '../../../../../src/mcp/connection/reading/readList.js';

const reading: ListReading<string> = {
  method: 'x/list',
  key: 'items',
  parse: (item) => (typeof item === 'string' ? item : undefined),
  identify: (item) => item,
};

it('keeps what it has when a later page fails', async () => {
  const fault = vi.fn();
  const list = await readList(
    reading,
    async (cursor) => {
      if (cursor) {
        throw new Error('page 2 is broken');
      }
      return { result: { items: ['a', 1, 'b'], nextCursor: '2' }, fault };
    },
    () => false,
  );
  expect(list).toEqual({
    hint: { isPrivate: false },
    items: ['a', 'b'],
    notices: [
      'x/list lists an item that is left out, since it cannot be used: 1',
      'x/list: reading stopped after 1 pages; the list is incomplete.',
    ],
  });
  expect(fault.mock.calls).toEqual([
    ['x/list lists an item that is left out, since it cannot be used: 1'],
  ]);
});

it('rejects when the first page fails or a later one fatally', async () => {
  const failing = async () => {
    throw new Error('no');
  };
  await expect(readList(reading, failing, () => false)).rejects.toThrow('no');
  let pages = 0;
  const dying = async () =>
    pages++ === 0 ? { result: { items: [], nextCursor: '2' } } : failing();
  await expect(readList(reading, dying, () => true)).rejects.toThrow('no');
});

it('stops at a cursor that comes again', async () => {
  const list = await readList(
    reading,
    async () => ({ result: { items: ['a'], nextCursor: 'same' } }),
    () => false,
  );
  expect(list.items).toEqual(['a']);
  expect(list.notices).toContain('x/list: reading stopped after 2 pages; the list is incomplete.');
});

it('reports a page that is no list', async () => {
  const list = await readList(
    reading,
    async () => ({ result: {} }),
    () => false,
  );
  expect(list).toMatchObject({
    items: [],
    notices: ['The answer of the server to "x/list" has no valid items.'],
  });
});

const day = 24 * 60 * 60_000;

it.each([
  ['says nothing', [{}], undefined, false],
  ['is good for a while', [{ ttlMs: 5, cacheScope: 'public' }], 5, false],
  ['is for one account', [{ ttlMs: 5, cacheScope: 'private' }], 5, true],
  ['is as its strictest page', [{ ttlMs: 9 }, { ttlMs: 5, cacheScope: 'private' }, {}], 5, true],
  ['is good for less than nothing', [{ ttlMs: -1 }], 0, false],
  ['is good for ever', [{ ttlMs: 1e300 }], day, false],
  ['is good for a text', [{ ttlMs: '5', cacheScope: ['private'] }], undefined, false],
] as const)('has a hint when it %s', async (_what, pages, ttlMs, isPrivate) => {
  let page = 0;
  const { hint } = await readList(
    reading,
    async () => {
      const result = { items: [], ...pages[page++] };
      return { result: page < pages.length ? { ...result, nextCursor: String(page) } : result };
    },
    () => false,
  );
  expect(hint).toEqual({ ttlMs, isPrivate });
});
