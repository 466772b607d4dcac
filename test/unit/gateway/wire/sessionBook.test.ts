import { beforeEach, describe, expect, it } from 'vitest';
import { gatewayLimits } from '../../../../src/gateway/http/limits.js';
import { type BookedSession, SessionBook } from '../../../../src/gateway/wire/sessionBook.js';
import { FakeClock } from '../../../helpers/fakes/fakeClock.js';

let clock: FakeClock;
let book: SessionBook;
let closed: string[];

beforeEach(() => {
  clock = new FakeClock();
  book = new SessionBook(clock);
  closed = [];
});

function add(id: string, isBusy = false): { isBusy: boolean } {
  const session = {
    isBusy,
    close: async () => {
      closed.push(id);
    },
  } satisfies BookedSession;
  book.add(id, session);
  return session;
}

function fill(isBusy: boolean): void {
  for (let count = 0; count < gatewayLimits.sessions; count++) {
    add(String(count), isBusy);
  }
}

describe('SessionBook', () => {
  it('ends a session that nobody uses', () => {
    add('a');
    clock.advance(gatewayLimits.sessionIdleMs - 1);
    expect(closed).toEqual([]);
    clock.advance(1);
    expect([closed, book.size]).toEqual([['a'], 0]);
  });

  it('counts from the last use', () => {
    add('a');
    clock.advance(gatewayLimits.sessionIdleMs - 1);
    book.touch('a');
    clock.advance(gatewayLimits.sessionIdleMs - 1);
    expect(closed).toEqual([]);
    clock.advance(1);
    expect(closed).toEqual(['a']);
  });

  it('leaves one alone that has a stream', () => {
    const session = add('a', true);
    clock.advance(gatewayLimits.sessionIdleMs * 3);
    expect(closed).toEqual([]);
    session.isBusy = false;
    clock.advance(gatewayLimits.sessionIdleMs);
    expect(closed).toEqual(['a']);
  });

  it('has no room while all are in use', () => {
    fill(true);
    clock.advance(gatewayLimits.sessionSpareMs);
    expect(book.hasRoom()).toBe(false);
    book.remove('3');
    expect(book.hasRoom()).toBe(true);
  });

  it('lets the one go that was not used for longest', () => {
    fill(false);
    expect(book.hasRoom()).toBe(false);
    clock.advance(gatewayLimits.sessionSpareMs);
    book.touch('0');
    expect([book.hasRoom(), closed]).toEqual([true, ['1']]);
  });

  it('counts one that has not said who it is once it has', () => {
    fill(true);
    book.remove('0');
    let isUnnamed = true;
    const session: BookedSession = {
      isBusy: true,
      get isUnnamed() {
        return isUnnamed;
      },
      close: async () => undefined,
    };
    book.add('new', session);
    expect([book.size, book.hasRoom()]).toEqual([gatewayLimits.sessions, true]);
    isUnnamed = false;
    expect(book.hasRoom()).toBe(false);
  });

  it('ends all at once', async () => {
    fill(true);
    await book.endAll();
    expect([book.size, closed.length]).toEqual([0, gatewayLimits.sessions]);
    clock.advance(gatewayLimits.sessionIdleMs);
    expect(closed).toHaveLength(gatewayLimits.sessions);
  });
});

it('takes none any more once all have ended, not even one that was being opened', async () => {
  add('first');
  await book.endAll();
  expect(book.hasRoom()).toBe(false);
  add('late');
  expect([book.size, closed]).toEqual([0, ['first', 'late']]);
});
