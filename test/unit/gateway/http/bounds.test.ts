/** What of a client that sends much, or reads nothing, is held here. */
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ClientConnections } from '../../../../src/gateway/http/clientConnections.js';
import { type Outgoing, UnreadAnswers } from '../../../../src/gateway/http/unread.js';
import { FakeClock } from '../../../helpers/fakes/fakeClock.js';

const mebibyte = 1024 * 1024;

class FakeAnswer extends EventEmitter implements Outgoing {
  isDestroyed = false;

  constructor(public writableLength: number) {
    super();
  }

  destroy(): void {
    this.isDestroyed = true;
  }
}

describe('answers that nobody reads', () => {
  function look(sizes: readonly number[], clientOf: (at: number) => string) {
    const unread = new UnreadAnswers();
    const answers = sizes.map((size) => new FakeAnswer(size));
    for (const [at, one] of answers.entries()) {
      unread.look(one, clientOf(at));
    }
    return { unread, answers, gone: answers.map(({ isDestroyed }) => isDestroyed) };
  }

  it.each<[what: string, sizes: readonly number[], isOneClient: boolean, gone: readonly boolean[]]>(
    [
      ['as much as one client may leave', [24, 24], true, [false, false]],
      ['more: its oldest goes', [24, 24, 1], true, [true, false, false]],
      ['as much as all may leave', [48, 48], false, [false, false]],
      ['more: the oldest of all goes', [48, 48, 1], false, [true, false, false]],
      ['much more: as many go as have to', [30, 30, 36, 48], false, [true, true, false, false]],
      ['one that is large alone', [90], true, [false]],
      ['one that is larger than all may be', [97], true, [true]],
    ],
  )('%s', (_, sizes, isOneClient, gone) => {
    const bytes = sizes.map((size) => size * mebibyte);
    expect(look(bytes, (at) => (isOneClient ? 'one' : `client ${at}`)).gone).toEqual(gone);
  });

  it('count from 64 KiB on, once, and no longer than they wait', () => {
    const { unread, answers } = look([64 * 1024 - 1, 64 * 1024, 70_000], () => 'one');
    expect(unread.bytes).toBe(64 * 1024 + 70_000);
    const [, second, third] = answers;
    unread.look(second as FakeAnswer, 'one');
    expect(unread.bytes).toBe(64 * 1024 + 70_000);
    second?.emit('finish');
    expect(unread.bytes).toBe(70_000);
    third?.emit('close');
    expect(unread.bytes).toBe(0);
  });

  it('are forgotten when they are cut off', () => {
    expect(look([97 * mebibyte], () => 'one').unread.bytes).toBe(0);
  });
});

describe('connections', () => {
  function open() {
    const clock = new FakeClock();
    const connections = new ClientConnections(clock);
    const add = () => {
      const socket = new FakeAnswer(0);
      connections.add(socket as unknown as Socket);
      return socket;
    };
    const prove = (socket: FakeAnswer) => connections.prove(socket as unknown as Socket);
    return { clock, add, prove };
  }

  it('have 15 seconds to show a token', () => {
    const { clock, add, prove } = open();
    const [idle, proven, closed] = [add(), add(), add()];
    expect(prove(proven)).toBe(true);
    closed.emit('close');
    clock.advance(14_999);
    expect(idle.isDestroyed).toBe(false);
    clock.advance(1);
    expect([idle, proven, closed].map(({ isDestroyed }) => isDestroyed)).toEqual([
      true,
      false,
      false,
    ]);
    expect(clock.pending).toEqual([]);
  });

  it('make room for each other while 64 have shown none', () => {
    const { add, prove, clock } = open();
    const proven = add();
    prove(proven);
    const sockets = Array.from({ length: 64 }, add);
    expect(sockets.filter(({ isDestroyed }) => isDestroyed)).toEqual([]);
    add();
    expect(sockets.map(({ isDestroyed }) => isDestroyed).indexOf(false)).toBe(1);
    expect(proven.isDestroyed).toBe(false);
    expect(clock.pending).toHaveLength(64);
  });

  it('are at most 256 that have, until one closes', () => {
    const { add, prove } = open();
    const proven = Array.from({ length: 256 }, add);
    expect(proven.every(prove)).toBe(true);
    const late = add();
    expect(prove(late)).toBe(false);
    expect(proven.every(prove)).toBe(true);
    proven[0]?.emit('close');
    expect(prove(late)).toBe(true);
  });
});
