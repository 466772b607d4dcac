/** When the lists of a connection are read again. How often at most: `listPace.test.ts`. */
import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { ListHint, ListItems } from '../../../../src/mcp/connection/reading/readList.js';
import type { RequestOptions } from '../../../../src/mcp/connection/session/engine.js';
import type { McpCatalog, McpListKind, SlowLists } from '../../../../src/mcp/mcpTypes.js';
import { CatalogReading, refreshSoon } from '../../../../src/mcp/server/listRefresh.js';
import { createDeferred } from '../../../helpers/fakes/deferred.js';
import { FakeClock } from '../../../helpers/fakes/fakeClock.js';
import { FakeConnection } from '../../../helpers/fakes/fakeConnection.js';
import { fakeFailure } from '../../../helpers/fakes/fakeMcp.js';

type ListKey = keyof ListItems;

const kinds: readonly McpListKind[] = ['tools', 'resources', 'prompts'];

/** Lets what was asked for come to its end. */
const settle = () => new Promise(setImmediate);

function setUp() {
  const clock = new FakeClock();
  const connection = new FakeConnection(1);
  const asked: ListKey[] = [];
  const bounds: RequestOptions[] = [];
  const server = {
    /** How often each list was given, in its only item. */
    counts: new Map<ListKey, number>(),
    isChanging: true,
    /** Before a list is given. */
    onAsked: async (_key: ListKey): Promise<void> => undefined,
  };
  const list = async (key: ListKey, options: RequestOptions) => {
    asked.push(key);
    bounds.push(options);
    await server.onAsked(key);
    const count = (server.counts.get(key) ?? 0) + (server.isChanging ? 1 : 0);
    server.counts.set(key, count);
    return { items: [{ name: `${key} ${count}` }], notices: [] };
  };
  Object.assign(connection.session, { list });
  const runs: McpListKind[] = [];
  const news: Partial<McpCatalog>[] = [];
  const paces: (SlowLists | undefined)[] = [];
  const reading = new CatalogReading(connection, {
    clock,
    timeoutMs: () => 1234,
    run: (kind, read) => {
      runs.push(kind);
      return read().catch(() => undefined);
    },
    onNews: (part) => news.push(part),
    onDidChangePace: (slow) => paces.push(slow),
  });
  const read = (signal?: AbortSignal) => reading.read({ timeoutMs: 99, ...(signal && { signal }) });
  /** What was asked for since the last look. */
  const take = () => asked.splice(0);
  const announce = async (kind: McpListKind, times = 1) => {
    for (let time = 0; time < times; time++) {
      connection.changeList(kind);
      await settle();
    }
  };
  const hint = (key: ListKey, said: Partial<ListHint>) =>
    connection.listHints.set(key, { isPrivate: false, ...said });
  return {
    clock,
    connection,
    server,
    reading,
    read,
    runs,
    news,
    paces,
    bounds,
    take,
    announce,
    hint,
  };
}

const first = (key: ListKey) => [{ name: `${key} 1` }];
const second = (key: ListKey) => [{ name: `${key} 2` }];

describe('a list that has changed', () => {
  it.each<[McpListKind, readonly ListKey[]]>([
    ['tools', ['tools']],
    ['resources', ['resources', 'resourceTemplates', 'skills']],
    ['prompts', ['prompts']],
  ])('is read again with those of its kind alone: %s', async (kind, keys) => {
    const { read, announce, take, bounds, runs, news } = setUp();
    await read();
    take();
    await announce(kind);
    expect([take(), runs, bounds.at(-1)]).toEqual([keys, [kind], { timeoutMs: 1234 }]);
    expect(news).toEqual([Object.fromEntries(keys.map((key) => [key, second(key)]))]);
  });

  it('is no news where it is as before, also after it was another one', async () => {
    const { read, announce, server, news } = setUp();
    await read();
    server.isChanging = false;
    await announce('tools');
    expect(news).toEqual([]);
    server.isChanging = true;
    await announce('prompts');
    server.isChanging = false;
    await announce('prompts');
    expect(news).toEqual([{ prompts: second('prompts') }]);
  });

  it('is read at once each time, and slowly where nothing has changed, which is said', async () => {
    const { read, announce, server, paces, clock } = setUp();
    await read();
    await announce('tools', 8);
    expect(paces).toEqual([]);
    server.isChanging = false;
    await announce('prompts', 4);
    clock.advance(5_000);
    await settle();
    await announce('prompts');
    await announce('resources', 4);
    expect(paces).toEqual([
      { lists: ['prompts'], pauseMs: 5_000 },
      { lists: ['prompts'], pauseMs: 10_000 },
      { lists: ['prompts', 'resources'], pauseMs: 10_000 },
    ]);
    server.isChanging = true;
    clock.advance(10_000);
    await settle();
    expect(paces.slice(3)).toEqual([{ lists: ['resources'], pauseMs: 5_000 }, undefined]);
  });

  it('is read no more once its connection has ended, and what was asked for is no news', async () => {
    const { read, announce, server, connection, reading, take, news, hint, clock } = setUp();
    hint('tools', { ttlMs: 0 });
    await read();
    const answer = createDeferred();
    server.onAsked = () => answer.promise;
    await announce('tools');
    connection.fail(fakeFailure());
    answer.resolve();
    await settle();
    take();
    clock.advance(60_000);
    for (const kind of kinds) {
      await announce(kind);
    }
    await reading.refreshStale();
    expect([take(), news, clock.pending]).toEqual([[], [], []]);
  });
});

describe('what changes while everything is read for the first time', () => {
  const all: readonly ListKey[] = ['tools', 'resources', 'resourceTemplates', 'prompts', 'skills'];

  /** The tools change, twice each time, whenever they are asked for, for the first so many times. */
  function setUpChanging(times: number) {
    const parts = setUp();
    const { server, connection } = parts;
    let left = times;
    server.onAsked = async (key) => {
      if (key === 'tools' && left-- > 0) {
        connection.changeList('tools');
        connection.changeList('tools');
      }
    };
    return parts;
  }

  it('is read again, once, and part of the answer', async () => {
    const { read, take, runs, news, bounds } = setUpChanging(1);
    expect(await read()).toMatchObject({ tools: second('tools'), prompts: first('prompts') });
    await settle();
    expect([take(), runs, news]).toEqual([[...all, 'tools'], ['tools'], []]);
    expect(bounds.at(-1)).toEqual({ timeoutMs: 99 });
  });

  it('is news where it changes once more', async () => {
    const { read, take, news } = setUpChanging(2);
    expect(await read()).toMatchObject({ tools: second('tools') });
    await settle();
    expect([take(), news]).toEqual([
      [...all, 'tools', 'tools'],
      [{ tools: [{ name: 'tools 3' }] }],
    ]);
  });

  it('is as it was read first where it cannot be read again', async () => {
    const { read, server, connection } = setUp();
    let asked = 0;
    server.onAsked = async (key) => {
      connection.changeList('tools');
      if (key === 'tools' && ++asked > 1) {
        throw new Error('broken');
      }
    };
    expect(await read()).toMatchObject({ tools: first('tools') });
  });

  it.each([1, 2])('is nothing to whom has left when it is read time %d', async (time) => {
    const { read, server, connection } = setUp();
    const leaving = new AbortController();
    let asked = 0;
    server.onAsked = async (key) => {
      if (key === 'tools') {
        connection.changeList('tools');
        if (++asked === time) {
          leaving.abort(new Error('left'));
        }
      }
    };
    await expect(read(leaving.signal)).rejects.toThrow('left');
    expect(asked).toBe(time);
  });
});

describe('lists that are used', () => {
  it.each<[string, Partial<Record<ListKey, number>>, number, readonly ListKey[]]>([
    ['never, where the server says nothing', {}, 3_600_000, []],
    ['once they are good no more', { tools: 5_000, prompts: 5_001 }, 5_000, ['tools']],
    ['not sooner', { tools: 5_000 }, 4_999, []],
    ['after a second at the soonest', { tools: 0 }, 999, []],
    ['after a second', { tools: 0 }, 1_000, ['tools']],
    [
      'with the first of their kind',
      { resources: 9_000, skills: 2_000 },
      2_000,
      ['resources', 'resourceTemplates', 'skills'],
    ],
  ])('are read again %s', async (_when, ttls, passedMs, expected) => {
    const { reading, read, take, clock, hint } = setUp();
    for (const [key, ttlMs] of Object.entries(ttls)) {
      hint(key as ListKey, { ttlMs });
    }
    await reading.refreshStale();
    expect(take()).toEqual([]);
    await read();
    take();
    clock.advance(passedMs);
    await reading.refreshStale();
    expect(take()).toEqual(expected);
  });

  it('are good for as long as was said of them last', async () => {
    const { reading, read, take, clock, hint, announce, connection } = setUp();
    hint('tools', { ttlMs: 5_000 });
    await read();
    clock.advance(4_000);
    await announce('tools');
    clock.advance(4_000);
    take();
    await reading.refreshStale();
    expect(take()).toEqual([]);
    connection.listHints.clear();
    await announce('tools');
    take();
    clock.advance(3_600_000);
    await reading.refreshStale();
    expect(take()).toEqual([]);
  });

  it('are read again a second after that was in vain', async () => {
    const { reading, read, take, clock, hint, server } = setUp();
    hint('tools', { ttlMs: 60_000 });
    await read();
    take();
    server.onAsked = () => Promise.reject(new Error('broken'));
    for (const [passedMs, expected] of [
      [60_000, ['tools']],
      [999, []],
      [1, ['tools']],
    ] as const) {
      clock.advance(passedMs);
      await reading.refreshStale();
      expect(take()).toEqual(expected);
    }
  });
});

describe('who is about to use lists', () => {
  const never = new Promise<void>(() => undefined);
  const live = () => new AbortController().signal;

  it('waits until those of each server were read', async () => {
    const answer = createDeferred();
    let isOver = false;
    const refreshed = refreshSoon(
      [{ refreshLists: async () => undefined }, { refreshLists: () => answer.promise }],
      3_600_000,
    ).then(() => {
      isOver = true;
    });
    await settle();
    expect(isOver).toBe(false);
    answer.resolve();
    await refreshed;
  });

  it.each<[string, () => Promise<void>, number, AbortSignal]>([
    ['no longer than they say', () => never, 1, live()],
    ['no more once they have left', () => never, 3_600_000, AbortSignal.abort()],
    ['for nothing that fails', () => Promise.reject(new Error('broken')), 3_600_000, live()],
  ])('waits %s, and leaves nothing behind', async (_what, refreshLists, waitMs, signal) => {
    await refreshSoon([{ refreshLists }], waitMs, signal);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
