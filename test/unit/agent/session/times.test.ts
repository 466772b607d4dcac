import { describe, expect, it } from 'vitest';
import type { PiEvent } from '../../../../src/agent/pi/piModule.js';
import { CallTimes, ThoughtTimes } from '../../../../src/agent/session/times.js';

const text = (length: number) => [{ type: 'text' as const, text: 'x'.repeat(length) }];

describe('the time of a call', () => {
  it('begins when it may run, and is kept with its result', () => {
    let now = 100;
    const times = new CallTimes(
      (counted) => counted.length / 4,
      () => now,
    );
    times.start('a');
    now = 520.4;
    expect(times.end('a', text(40), { isMcp: true })).toEqual({
      isMcp: true,
      spent: { ms: 420, tokens: 10 },
    });
    expect(times.end('a', text(40), {})).toBeUndefined();
    expect(times.end('denied', text(40), undefined)).toBeUndefined();
  });

  it('counts the beginning of a long result, and no more', () => {
    const counted: number[] = [];
    const times = new CallTimes(
      (one) => counted.push(one.length) && one.length / 4,
      () => 0,
    );
    times.start('a');
    expect(times.end('a', text(400_000), undefined)).toEqual({ spent: { ms: 0, tokens: 100_000 } });
    expect(Math.max(...counted)).toBeLessThan(10_000);
  });

  it('leaves details alone that are of another kind', () => {
    const times = new CallTimes(() => 0);
    times.start('a');
    expect(times.end('a', [], ['a list'])).toBeUndefined();
  });
});

it('adds up the thoughts of a message', () => {
  let now = 0;
  const times = new ThoughtTimes(() => now);
  const at = (ms: number, event: object) => {
    now = ms;
    times.follow(event as PiEvent);
  };
  const update = (type: string) => ({ type: 'message_update', assistantMessageEvent: { type } });
  at(0, { type: 'message_start' });
  at(10, update('thinking_start'));
  at(1_000, update('thinking_delta'));
  at(2_010, update('thinking_end'));
  at(3_000, update('text_delta'));
  at(4_000, update('thinking_start'));
  at(4_500, { type: 'message_end' });
  expect(times.take()).toBe(2_500);
  expect(times.take()).toBeUndefined();
});
