import { describe, expect, it } from 'vitest';
import { Limiter, Sequencer } from '../../../../src/base/async/sequencer.js';
import { createDeferred } from '../../../helpers/fakes/deferred.js';

const settled = () => new Promise(setImmediate);

describe('a sequencer', () => {
  it('runs one task after another, in their order, and gives each its result', async () => {
    const sequencer = new Sequencer();
    const log: string[] = [];
    const first = createDeferred<string>();
    const task = (name: string, result: Promise<string>) =>
      sequencer.queue(async () => {
        log.push(`${name} begins`);
        const value = await result;
        log.push(`${name} ends`);
        return value;
      });
    const results = [task('a', first.promise), task('b', Promise.resolve('B'))];
    await settled();
    expect(log).toEqual(['a begins']);
    first.resolve('A');
    expect(await Promise.all(results)).toEqual(['A', 'B']);
    expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('no'))],
    [
      'throws',
      (): Promise<void> => {
        throw new Error('no');
      },
    ],
  ])('tells the caller alone that its task %s, and goes on', async (_how, task) => {
    const sequencer = new Sequencer();
    const failed = sequencer.queue(task);
    const next = sequencer.queue(async () => 'next');
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('next');
  });

  it('runs what a task queues after what was queued before', async () => {
    const sequencer = new Sequencer();
    const log: string[] = [];
    let inner: Promise<unknown> | undefined;
    const outer = sequencer.queue(async () => {
      inner = sequencer.queue(async () => log.push('inner'));
      await settled();
      log.push('outer');
    });
    const second = sequencer.queue(async () => log.push('second'));
    await Promise.all([outer, second]);
    await inner;
    expect(log).toEqual(['outer', 'second', 'inner']);
  });
});

describe('a limiter', () => {
  it('lets in those who wait in their order', async () => {
    const limiter = new Limiter(1);
    const log: string[] = [];
    const gate = createDeferred();
    const tasks = ['a', 'b', 'c'].map((name) =>
      limiter.run(async () => {
        log.push(name);
        await gate.promise;
      }),
    );
    await settled();
    expect(log).toEqual(['a']);
    gate.resolve();
    await Promise.all(tasks);
    expect(log).toEqual(['a', 'b', 'c']);
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('no'))],
    [
      'throws',
      (): Promise<void> => {
        throw new Error('no');
      },
    ],
  ])('gives back the place of a task that %s', async (_how, task) => {
    const limiter = new Limiter(1);
    const failed = limiter.run(task);
    const next = limiter.run(async () => 'next');
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('next');
  });

  it('lets those leave who wait, without their place', async () => {
    const limiter = new Limiter(1);
    const gate = createDeferred();
    const running = limiter.run(() => gate.promise);
    const leaver = new AbortController();
    const log: string[] = [];
    const left = limiter.run(async () => log.push('left'), leaver.signal);
    const next = limiter.run(async () => log.push('next'));
    leaver.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    gate.resolve();
    await Promise.all([running, next]);
    expect(log).toEqual(['next']);
  });

  it('takes no place for who has left before, and leaves a running task alone', async () => {
    const limiter = new Limiter(1);
    await expect(
      limiter.run(async () => 'a', AbortSignal.abort(new Error('gone'))),
    ).rejects.toThrow('gone');
    const leaver = new AbortController();
    const gate = createDeferred<string>();
    const running = limiter.run(() => gate.promise, leaver.signal);
    leaver.abort();
    gate.resolve('done');
    expect(await running).toBe('done');
    expect(await limiter.run(async () => 'b')).toBe('b');
  });
});
