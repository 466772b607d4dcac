import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Coalescer } from '../../../../src/base/async/coalescer.js';
import { createDeferred, type Deferred } from '../../../helpers/fakes/deferred.js';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Work that lasts until it is told to end. */
class Work {
  started = 0;
  atOnce = 0;
  most = 0;
  private readonly open: Deferred<void>[] = [];

  readonly run = async () => {
    this.started++;
    this.most = Math.max(this.most, ++this.atOnce);
    const end = createDeferred();
    this.open.push(end);
    try {
      await end.promise;
    } finally {
      this.atOnce--;
    }
  };

  async end(error?: Error): Promise<void> {
    const end = this.open.shift();
    if (error) {
      end?.reject(error);
    } else {
      end?.resolve();
    }
    await vi.advanceTimersByTimeAsync(0);
  }
}

it('runs once for a burst, after a quiet time', async () => {
  const work = vi.fn(async () => undefined);
  const coalescer = new Coalescer(work, { delayMs: 100 });
  for (let request = 0; request < 3; request++) {
    coalescer.request();
    await vi.advanceTimersByTimeAsync(60);
  }
  expect(work).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(40);
  expect(work).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(1000);
  expect(work).toHaveBeenCalledOnce();
});

it.each([
  ['four times the quiet time', {}, 400],
  ['what it is told', { maxDelayMs: 150 }, 150],
])('waits in a burst without end at most %s', async (_name, options, ms) => {
  const work = vi.fn(async () => undefined);
  const coalescer = new Coalescer(work, { delayMs: 100, ...options });
  let waited = 0;
  while (work.mock.calls.length === 0) {
    coalescer.request();
    await vi.advanceTimersByTimeAsync(10);
    waited += 10;
  }
  expect(waited).toBe(ms);
});

it('runs once more when requests came while it ran, and never twice at once', async () => {
  const work = new Work();
  const coalescer = new Coalescer(work.run, { delayMs: 100 });
  coalescer.request();
  await vi.advanceTimersByTimeAsync(100);
  coalescer.request();
  coalescer.request();
  await vi.advanceTimersByTimeAsync(1000);
  expect(work.started).toBe(1);
  await work.end();
  expect(work.started).toBe(2);
  await work.end();
  await vi.advanceTimersByTimeAsync(1000);
  expect(work).toMatchObject({ started: 2, most: 1 });
});

it('runs at once when flushed, and those who flush meanwhile wait for a run that began after they asked', async () => {
  const work = new Work();
  const coalescer = new Coalescer(work.run, { delayMs: 100 });
  coalescer.request();
  const ended: string[] = [];
  void coalescer.flush().then(() => ended.push('first'));
  expect(work.started).toBe(1);
  void coalescer.flush().then(() => ended.push('second'));
  await work.end();
  expect(work.started).toBe(2);
  expect(ended).not.toContain('second');
  await work.end();
  expect(ended).toContain('second');
  await vi.advanceTimersByTimeAsync(1000);
  expect(work).toMatchObject({ started: 2, most: 1 });
});

it.each([0, 1, 2, 3, 4, 5, 6])(
  'runs again for who flushes %i turns after a run began',
  async (turns) => {
    const work = vi.fn(async () => undefined);
    const coalescer = new Coalescer(work, { delayMs: 100 });
    void coalescer.flush();
    for (let turn = 0; turn < turns; turn++) {
      await Promise.resolve();
    }
    await coalescer.flush();
    expect(work).toHaveBeenCalledTimes(2);
  },
);

it('asked again from within the work, also before its first wait, runs again and not at once', async () => {
  let atOnce = 0;
  let most = 0;
  let runs = 0;
  const coalescer: Coalescer = new Coalescer(
    async () => {
      most = Math.max(most, ++atOnce);
      if (++runs < 3) {
        void coalescer.flush();
      }
      await Promise.resolve();
      atOnce--;
    },
    { delayMs: 100 },
  );
  await coalescer.flush();
  expect({ runs, most }).toEqual({ runs: 3, most: 1 });
});

it('goes on after work that failed, and says why', async () => {
  const errors: unknown[] = [];
  const work = new Work();
  const coalescer = new Coalescer(work.run, {
    delayMs: 100,
    onError: (error) => errors.push(error),
  });
  const failure = new Error('no');
  const first = coalescer.flush();
  await work.end(failure);
  await first;
  expect(errors).toEqual([failure]);
  coalescer.request();
  await vi.advanceTimersByTimeAsync(100);
  expect(work.started).toBe(2);
  await work.end();
});

it('does nothing more once it is disposed, not even what was asked for in a run', async () => {
  const work = new Work();
  const coalescer = new Coalescer(work.run, { delayMs: 100 });
  const run = coalescer.flush();
  coalescer.request();
  void coalescer.flush();
  coalescer.dispose();
  await work.end();
  await run;
  coalescer.request();
  await coalescer.flush();
  await vi.advanceTimersByTimeAsync(1000);
  expect(work.started).toBe(1);
});

it('forgets what is pending when it is disposed', async () => {
  const work = new Work();
  const coalescer = new Coalescer(work.run, { delayMs: 100 });
  coalescer.request();
  coalescer.dispose();
  await vi.advanceTimersByTimeAsync(1000);
  expect(work.started).toBe(0);
});

it('hands on what work throws before it has begun to wait', async () => {
  const error = new Error('at once');
  const onError = vi.fn();
  const throwing = () => {
    throw error;
  };
  await new Coalescer(throwing, { delayMs: 100, onError }).flush();
  expect(onError).toHaveBeenCalledExactlyOnceWith(error);
});
