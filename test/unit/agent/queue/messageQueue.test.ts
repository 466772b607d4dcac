import { mkdtemp, readFile, readlink, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import {
  MessageQueue,
  type NewMessage,
  type QueueTarget,
} from '../../../../src/agent/queue/messageQueue.js';
import type { ComposedPrompt, QueueState } from '../../../../src/agent/queue/queue.js';
import {
  QueueFile,
  type QueueStore,
  queueLine,
  queueLines,
  replayQueue,
  type StoredEvent,
} from '../../../../src/agent/queue/queueFile.js';
import { delay } from '../../../../src/base/async/cancellation.js';
import { HumanError } from '../../../../src/base/errors.js';
import type { SendKind } from '../../../../src/protocol/sending.js';

const message = (words: string): NewMessage => ({
  words,
  body: { text: words, images: [] },
  attached: {
    text: '',
    images: [{ type: 'image', mimeType: 'image/png', data: `image of ${words}` }],
  },
  attachments: [{ label: 'Image', detail: 'image/png', isImage: true }],
});

/** Takes a few microtasks, as everything does that is not done at once. */
async function moment(): Promise<void> {
  for (let tick = 0; tick < 3; tick++) {
    await Promise.resolve();
  }
}

/** Takes messages as Pi does: a run for the first, and between two steps what it is steered with. */
class FakePi implements QueueTarget {
  isBusy = false;
  refuses = false;
  /** The window was closed. */
  isGone = false;
  queue: MessageQueue | undefined;
  /** What begins a run. */
  starting: ComposedPrompt | undefined;
  private steered: ComposedPrompt | undefined;
  /** A step of a run that has its message. */
  private isBetweenSteps = false;

  /** @param sent the conversation, which outlives a window */
  constructor(readonly sent: ComposedPrompt[]) {}

  get sentCount(): number {
    return this.sent.length;
  }

  async start(prompt: ComposedPrompt): Promise<void> {
    if (this.isBusy || this.starting) {
      throw new Error('Pi runs already');
    }
    this.starting = prompt;
    await moment();
    this.starting = undefined;
    if (this.refuses) {
      throw new HumanError('prompt_refused', 'Not now.');
    }
    this.isBusy = true;
    void this.take(prompt).then(() => {
      this.isBetweenSteps = true;
    });
  }

  async steer(prompt: ComposedPrompt): Promise<void> {
    if (!this.isBusy) {
      throw new Error('Nothing to steer');
    }
    this.steered = prompt;
    await moment();
  }

  async end(): Promise<void> {
    if (this.isBusy) {
      this.steered = undefined;
      await moment();
      while (this.isBusy && !this.isBetweenSteps) {
        await delay(0);
      }
      this.settle(false);
    }
  }

  async step(): Promise<void> {
    if (this.isBusy && this.isBetweenSteps) {
      this.isBetweenSteps = false;
      await this.queue?.onStep();
      const { steered } = this;
      this.steered = undefined;
      if (steered) {
        await this.take(steered);
      }
      this.isBetweenSteps = true;
    }
  }

  /** A run ends between two steps. */
  settle(isFailed: boolean): void {
    if (this.isBusy && this.isBetweenSteps) {
      this.isBusy = false;
      this.isBetweenSteps = false;
      this.queue?.onIdle(isFailed);
    }
  }

  private async take(prompt: ComposedPrompt): Promise<void> {
    if (!this.isGone) {
      this.sent.push(prompt);
      await moment();
      this.queue?.onTaken();
    }
  }
}

/** A file without a disk, for many orders of events. */
class FakeFile implements QueueStore {
  private lines: readonly string[] = [];

  async append(events: readonly StoredEvent[]): Promise<void> {
    this.lines = [...this.lines, ...events.map(queueLine)];
    await moment();
  }

  async write(state: QueueState): Promise<void> {
    this.lines = queueLines(state);
    await moment();
  }

  async read(sentCount: number): Promise<QueueState> {
    return replayQueue(this.lines, sentCount);
  }

  async flush(): Promise<void> {
    await moment();
  }
}

async function scene() {
  const root = await mkdtemp(join(tmpdir(), 'pi-mcp-queue-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const path = join(root, 'conversation.jsonl.queue');
  return Object.assign(await sceneOn(() => new QueueFile(path)), { path });
}

async function sceneOn(createFile: () => QueueStore & Pick<QueueFile, 'read' | 'flush'>) {
  const sent: ComposedPrompt[] = [];
  const failures: unknown[] = [];
  const open = async () => {
    const pi = new FakePi(sent);
    const file = createFile();
    const queue = new MessageQueue({
      target: pi,
      file,
      onFailure: (error) => failures.push(error),
      log: (error) => failures.push(error),
    });
    pi.queue = queue;
    await queue.restore(await file.read(sent.length));
    return { pi, queue, file };
  };
  let window = await open();
  return {
    sent,
    failures,
    get pi() {
      return window.pi;
    },
    get queue() {
      return window.queue;
    },
    texts: () => sent.map(({ text }) => text),
    waiting: () => window.queue.view.messages.map(({ text }) => text),
    idOf: (text: string) =>
      window.queue.view.messages.find((one) => one.text === text)?.id ?? 'none',
    /** Ends the window at once and opens another one. */
    async restart() {
      window.pi.isGone = true;
      window.queue.dispose();
      await window.file.flush();
      window = await open();
    },
  };
}

/** Everything that has become possible has happened. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 6; turn++) {
    await delay(0);
  }
}

it('steers between two steps, in order, and sends the others one run after the other', async () => {
  const { pi, queue, texts, waiting } = await scene();
  await queue.submit(message('first'), 'next');
  await queue.submit(message('later'), 'after');
  await queue.submit(message('now'), 'next');
  await queue.submit(message('and now'), 'next');
  await queue.submit(message('last'), 'after');
  expect(waiting()).toEqual(['now', 'and now', 'later', 'last']);
  await pi.step();
  expect(texts()).toEqual(['first', 'now']);
  await pi.step();
  await pi.step();
  expect(texts()).toEqual(['first', 'now', 'and now']);
  pi.settle(false);
  await expect.poll(texts).toEqual(['first', 'now', 'and now', 'later']);
  pi.settle(false);
  await expect.poll(texts).toEqual(['first', 'now', 'and now', 'later', 'last']);
  expect(waiting()).toEqual([]);
});

it('turns a message into the other kind, as the last of it, also for the next window', async () => {
  const h = await scene();
  await h.queue.submit(message('first'), 'next');
  await h.queue.submit(message('one'), 'next');
  await h.queue.submit(message('two'), 'after');
  await h.queue.submit(message('three'), 'after');
  h.queue.turn(h.idOf('one'), 'after');
  expect(h.waiting()).toEqual(['two', 'three', 'one']);
  h.queue.turn(h.idOf('three'), 'next');
  await h.restart();
  expect(h.waiting()).toEqual(['three', 'two', 'one']);
  expect(h.queue.view.messages.map(({ kind }) => kind)).toEqual(['next', 'after', 'after']);
});

it('runs nothing after Stop until Resume, and the images are still there', async () => {
  const { pi, queue, sent, texts, waiting } = await scene();
  await queue.submit(message('first'), 'next');
  await queue.submit(message('one'), 'next');
  await queue.submit(message('two'), 'after');
  await queue.stop();
  await settled();
  expect(texts()).toEqual(['first']);
  expect(queue.view.pause).toBe('stopped');
  queue.resume();
  await expect.poll(texts).toEqual(['first', 'one']);
  pi.settle(false);
  await expect.poll(texts).toEqual(['first', 'one', 'two']);
  expect(sent.map(({ images }) => images[0]?.data)).toEqual([
    'image of first',
    'image of one',
    'image of two',
  ]);
  expect(waiting()).toEqual([]);
});

it('takes back what Pi was given when the user stops in that moment', async () => {
  const { pi, queue, texts, waiting } = await scene();
  await queue.submit(message('first'), 'next');
  await queue.submit(message('one'), 'next');
  await Promise.all([pi.step(), queue.stop()]);
  await settled();
  expect(texts()).toEqual(['first']);
  expect(waiting()).toEqual(['one']);
  expect(queue.view).toMatchObject({ pause: 'stopped' });
});

it('ends a run that was being started when the user stopped', async () => {
  const { pi, queue, waiting } = await scene();
  const started = queue.submit(message('first'), 'next');
  await queue.submit(message('one'), 'after');
  await queue.stop();
  await started;
  await settled();
  expect(pi.isBusy).toBe(false);
  expect(waiting()).toEqual(['one']);
});

it('begins a run of its own with a message that is sent while others are paused', async () => {
  const { pi, queue, texts, waiting } = await scene();
  await queue.submit(message('first'), 'next');
  await queue.submit(message('one'), 'after');
  await queue.stop();
  await queue.submit(message('another'), 'next');
  pi.settle(false);
  await settled();
  expect(texts()).toEqual(['first', 'another']);
  expect(waiting()).toEqual(['one']);
});

it('sends one in the place of what runs, and goes on with the rest', async () => {
  const { pi, queue, texts, idOf, waiting } = await scene();
  await queue.submit(message('first'), 'next');
  await queue.submit(message('one'), 'after');
  await queue.submit(message('two'), 'after');
  await queue.sendNow(idOf('two'));
  await expect.poll(texts).toEqual(['first', 'two']);
  expect(waiting()).toEqual(['one']);
  pi.settle(false);
  await expect.poll(texts).toEqual(['first', 'two', 'one']);
});

it('pauses after a run that failed, and after a message that was refused', async () => {
  const { pi, queue, texts, failures, waiting } = await scene();
  await queue.submit(message('first'), 'next');
  await queue.submit(message('one'), 'after');
  pi.settle(true);
  await settled();
  expect(queue.view.pause).toBe('failed');
  expect(failures).toEqual([]);
  pi.refuses = true;
  queue.resume();
  await expect.poll(() => failures.length).toBe(1);
  await settled();
  expect(texts()).toEqual(['first']);
  expect(waiting()).toEqual(['one']);
  expect(queue.view.pause).toBe('failed');
});

it('waits with a message that is being changed, and with what comes after it', async () => {
  const { pi, queue, texts, idOf } = await scene();
  await queue.submit(message('first'), 'next');
  await queue.submit(message('one'), 'after');
  await queue.submit(message('two'), 'after');
  const id = idOf('one');
  expect(queue.hold(id)).toBe('one');
  pi.settle(false);
  await settled();
  expect(texts()).toEqual(['first']);
  queue.edit(id, 'ONE', { text: 'ONE', images: [] });
  await expect.poll(texts).toEqual(['first', 'ONE']);
  expect(() => queue.edit(id, 'late', { text: 'late', images: [] })).toThrow(HumanError);
});

it('restores what waited as paused, images included, whatever the last line of the file', async () => {
  const h = await scene();
  await h.queue.submit(message('first'), 'next');
  await h.queue.submit(message('one'), 'next');
  await h.queue.submit(message('two'), 'after');
  await h.restart();
  await settled();
  expect(h.waiting()).toEqual(['one', 'two']);
  expect(h.queue.view.pause).toBe('restarted');
  expect(h.texts()).toEqual(['first']);
  h.queue.resume();
  await expect.poll(h.texts).toEqual(['first', 'one']);
  expect(h.sent[1]?.images[0]?.data).toBe('image of one');
});

it('keeps a message that begins a run until the conversation has it', async () => {
  const h = await scene();
  // what Pi has in memory alone
  h.pi.isGone = true;
  const begun = h.queue.submit(message('first'), 'next');
  expect(h.waiting()).toEqual([]);
  await expect.poll(() => readFile(h.path, 'utf8').catch(() => '')).toContain('image of first');
  await h.restart();
  await begun;
  expect(h.waiting()).toEqual(['first']);
  expect(h.queue.view.pause).toBe('restarted');
  await settled();
  expect(h.texts()).toEqual([]);
  h.queue.resume();
  await expect.poll(h.texts).toEqual(['first']);
  await h.restart();
  expect(h.waiting()).toEqual([]);
});

it('keeps a message that was refused only with the user', async () => {
  const h = await scene();
  h.pi.refuses = true;
  await expect(h.queue.submit(message('first'), 'next')).rejects.toThrow(HumanError);
  await h.restart();
  expect(h.waiting()).toEqual([]);
});

it('asks the conversation whether a message had arrived when the window ended', () => {
  const lines = [
    queueLine({ event: { type: 'added', message: { ...message('one'), id: '1', kind: 'next' } } }),
    queueLine({ event: { type: 'sending', id: '1' }, sentCount: 3 }),
  ];
  expect(replayQueue(lines, 4).messages).toEqual([]);
  const { messages, sending } = replayQueue(lines, 3);
  expect(messages).toHaveLength(1);
  expect(sending).toBeUndefined();
});

it.each([
  '{"type":"added","message":{"id":"2"',
  '{"type":"added","message":{"id":2,"kind":"next","words":"x"}}',
  '{"type":"added","message":null}',
  '{"type":"paused","reason":"__proto__"}',
  '{"type":"moved","id":"1","by":1e9}',
  'null',
  '[]',
])('keeps what it can read beside the line %s', (line) => {
  const good = queueLine({
    event: { type: 'added', message: { ...message('one'), id: '1', kind: 'next' } },
  });
  expect(replayQueue([line, good, line], 0).messages.map(({ words }) => words)).toEqual(['one']);
});

it('keeps no file once nothing waits', async () => {
  const { queue, idOf, path } = await scene();
  await queue.submit(message('first'), 'next');
  await queue.submit(message('one'), 'next');
  expect(await readFile(path, 'utf8')).toContain('image of one');
  queue.remove(idOf('one'));
  await expect.poll(() => readFile(path).catch(() => 'gone')).toBe('gone');
});

it('says so when a message cannot be kept', async () => {
  const { queue, path, waiting } = await scene();
  await queue.submit(message('first'), 'next');
  await rm(join(path, '..'), { recursive: true });
  await expect(queue.submit(message('one'), 'next')).rejects.toThrow(HumanError);
  expect(waiting()).toEqual([]);
});

type Command =
  | { readonly do: 'submit'; readonly kind: SendKind }
  | { readonly do: 'step' | 'settle' | 'fail' | 'stop' | 'resume' | 'restart' | 'release' }
  | { readonly do: 'refuse'; readonly refuses: boolean }
  | {
      readonly do: 'sendNow' | 'remove' | 'up' | 'down' | 'turn' | 'hold' | 'edit';
      readonly at: number;
    };

const commands: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('submit' as const),
      kind: fc.constantFrom<SendKind>('next', 'after'),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constantFrom(...(['step', 'settle', 'settle', 'stop', 'resume', 'resume'] as const)),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom(...(['fail', 'restart', 'release'] as const)) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('refuse' as const), refuses: fc.boolean() }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom(
        ...(['sendNow', 'sendNow', 'remove', 'up', 'down', 'turn', 'hold', 'edit'] as const),
      ),
      at: fc.nat(3),
    }),
  },
);

it('loses, doubles and runs nothing against the user, in any order of events', async () => {
  const ticks = fc.oneof(fc.nat(2), fc.nat(5), fc.nat(20));
  const step = fc.record({ command: commands, ticks });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const file = new FakeFile();
      const h = await sceneOn(() => file);
      const accepted = new Set<string>();
      const removed = new Set<string>();
      /** Stopped by the user, or by the end of a window: not to be sent. */
      let stopped = new Set<string>();
      let count = 0;
      const hold = () => {
        const starts = h.pi.starting?.text;
        stopped = new Set(h.waiting().filter((text) => text !== starts));
        for (const text of h.texts()) {
          stopped.delete(text);
        }
      };
      const submit = async (kind: SendKind) => {
        const { pi, queue } = h;
        const words = `message ${count++}`;
        try {
          await queue.submit(message(words), kind);
        } catch (error) {
          expect(error).toBeInstanceOf(HumanError);
          return;
        }
        if (!pi.isGone) {
          accepted.add(words);
        }
      };
      const callOne = (command: Extract<Command, { readonly at: number }>) => {
        const { queue } = h;
        const one = queue.view.messages[command.at];
        if (!one || one.isSending) {
          return undefined;
        }
        const { id, text } = one;
        switch (command.do) {
          case 'sendNow':
            stopped.delete(text);
            return queue.sendNow(id);
          case 'remove':
            removed.add(text);
            return queue.remove(id);
          case 'up':
            return queue.move(id, -1);
          case 'down':
            return queue.move(id, 1);
          case 'turn':
            return queue.turn(id, one.kind === 'next' ? 'after' : 'next');
          case 'hold':
            queue.hold(id);
            return undefined;
          case 'edit':
            return queue.edit(id, text, { text, images: [] });
        }
      };
      const perform = (command: Command): Promise<void> | void => {
        const { pi, queue } = h;
        switch (command.do) {
          case 'submit':
            return submit(command.kind);
          case 'step':
            return pi.step();
          case 'settle':
            return pi.settle(false);
          case 'fail':
            return pi.settle(true);
          case 'stop':
            hold();
            return queue.stop();
          case 'resume':
            stopped = new Set();
            return queue.resume();
          case 'restart':
            return undefined;
          case 'release':
            return queue.release();
          case 'refuse':
            pi.refuses = command.refuses;
            return undefined;
          default:
            return callOne(command);
        }
      };
      const check = () => {
        const sent = h.texts();
        expect(new Set(sent).size, 'sent twice').toBe(sent.length);
        expect(
          sent.filter((text) => stopped.has(text)),
          'run after Stop',
        ).toEqual([]);
        expect(
          sent.filter((text) => removed.has(text)),
          'removed',
        ).toEqual([]);
        expect(h.sent.map(({ images }) => images[0]?.data)).toEqual(
          sent.map((text) => `image of ${text}`),
        );
      };
      const doing: (Promise<void> | void)[] = [];
      for (const { command, ticks } of steps) {
        if (command.do === 'restart') {
          await h.restart();
          hold();
        } else {
          doing.push(perform(command));
        }
        for (let tick = 0; tick < ticks; tick++) {
          await Promise.resolve();
        }
        check();
      }
      await Promise.all(doing);
      await settled();
      check();
      // and once the user lets them go, all that was accepted arrives
      const { pi, queue } = h;
      pi.refuses = false;
      stopped = new Set();
      queue.release();
      for (let run = 0; run <= count && (h.waiting().length > 0 || pi.isBusy); run++) {
        queue.resume();
        await settled();
        pi.settle(false);
        await settled();
      }
      check();
      expect(h.waiting()).toEqual([]);
      const kept = [...accepted].filter((text) => !removed.has(text));
      expect(h.texts()).toEqual(expect.arrayContaining(kept));
      queue.dispose();
    }),
    { numRuns: 400 },
  );
});

it('takes up what waits from an earlier window although the disk has no room for it again', async () => {
  const failures: unknown[] = [];
  const full = () => Promise.reject(new Error('ENOSPC: no space left on device, write'));
  const queue = new MessageQueue({
    target: new FakePi([]),
    file: { append: full, write: full },
    onFailure: (error) => failures.push(error),
    log: (error) => failures.push(error),
  });
  const stored = { ...message('wait'), id: 'm1', kind: 'next' } as const;
  await queue.restore({ messages: [stored] });
  expect(queue.view).toMatchObject({ messages: [{ text: 'wait' }], pause: 'restarted' });
  expect(failures).toHaveLength(1);
});

it('reads what waits in a file also where that does not go at once', async () => {
  const path = await queueFile();
  const state: QueueState = { messages: [{ ...message('kept'), id: 'one', kind: 'after' }] };
  await new QueueFile(`${path}.scanned`).write(state);
  await symlink(path, path);
  const read = new QueueFile(path).read(0);
  await delay(20);
  await rename(`${path}.scanned`, path);
  expect((await read).messages.map(({ words }) => words)).toEqual(['kept']);
});

it('counts a file that cannot be read as no empty queue, which would delete it', async () => {
  const path = await queueFile();
  expect(await new QueueFile(path).read(0)).toEqual({ messages: [] });
  await symlink(path, path);
  await expect(new QueueFile(path).read(0)).rejects.toMatchObject({ code: 'ELOOP' });
  expect(await readlink(path)).toBe(path);
});

async function queueFile(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'pi-mcp-queue-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return join(root, 'one.jsonl.queue');
}
