import { describe, expect, it } from 'vitest';
import { CancellationError } from '../../../src/base/async/cancellation.js';
import { HumanError } from '../../../src/base/errors.js';
import { MessageChannel, type MessageHandlers } from '../../../src/protocol/messages.js';

interface Requests {
  add: { params: { a: number; b: number }; result: number };
  fail: { params: undefined; result: undefined };
  tell: { params: string; result: undefined };
}

function connected(handlers: MessageHandlers<Requests>) {
  const host: MessageChannel<object, Requests> = new MessageChannel<object, Requests>({
    post: (message) => void page.receive(structuredClone(message)),
    handlers,
  });
  const page: MessageChannel<Requests, object> = new MessageChannel<Requests, object>({
    post: (message) => void host.receive(structuredClone(message)),
    handlers: {},
  });
  return { host, page };
}

const told: string[] = [];
const handlers: MessageHandlers<Requests> = {
  add: ({ a, b }) => a + b,
  fail: () => {
    throw new HumanError('failed', 'It failed.', { remedy: 'Try again.' });
  },
  tell: (text) => {
    told.push(text);
  },
};

describe('message channel', () => {
  it('answers each request with its own result', async () => {
    const { page } = connected(handlers);
    const sums = [page.request('add', { a: 1, b: 2 }), page.request('add', { a: 3, b: 4 })];
    expect(await Promise.all(sums)).toEqual([3, 7]);
  });

  it('takes no answer to a request of the page that was there before', async () => {
    const sent: { readonly id: number }[] = [];
    const pageOf = () =>
      new MessageChannel<Requests, object>({
        post: (message) => void sent.push(message as (typeof sent)[number]),
        handlers: {},
      });
    void pageOf().request('add', { a: 1, b: 2 });
    const page = pageOf();
    const sum = page.request('add', { a: 3, b: 4 });
    const [before, own] = sent.map(({ id }) => id);
    await page.receive({ replyTo: before, result: 3 });
    await page.receive({ replyTo: own, result: 7 });
    expect(await sum).toBe(7);
  });

  it('rejects with the sentence and the remedy of the other side', async () => {
    const { page } = connected(handlers);
    await expect(page.request('fail', undefined)).rejects.toThrow('It failed. Try again.');
  });

  it.each([
    ['what a person is to read', new HumanError('failed', 'It failed.'), 0],
    ['what the user has cancelled', new CancellationError(), 0],
    ['what was not meant to happen', new TypeError('no such thing'), 1],
  ])('tells the page and logs of %s', async (_what, error, count) => {
    const logged: string[] = [];
    const replies: object[] = [];
    const channel = new MessageChannel<object, Requests>({
      post: (message) => replies.push(message as object),
      handlers: { ...handlers, fail: () => Promise.reject(error) },
      logError: (message) => logged.push(message),
    });
    await channel.receive({ id: 1, type: 'fail' });
    expect(replies).toEqual([{ replyTo: 1, error: error.message }]);
    expect(logged).toHaveLength(count);
    expect(logged.every((message) => message.startsWith('fail: TypeError: no such thing'))).toBe(
      true,
    );
  });

  it('hears in each scope what names it, and nothing else', async () => {
    const heard: string[] = [];
    const channels = ['one', 'two', undefined].map((scope) => {
      const channel = new MessageChannel<object, Requests>({
        post: (message) => heard.push(JSON.stringify(message)),
        handlers: { ...handlers, tell: (text) => void heard.push(`${scope}: ${text}`) },
        ...(scope === undefined ? {} : { scope }),
      });
      return channel;
    });
    const send = (message: object) => Promise.all(channels.map((one) => one.receive(message)));
    await send({ type: 'tell', params: 'a', scope: 'two' });
    await send({ type: 'tell', params: 'b' });
    await send({ type: 'tell', params: 'c', scope: 'three' });
    await send({ id: 7, type: 'add', params: { a: 1, b: 2 }, scope: 'one' });
    expect(heard).toEqual([
      'two: a',
      'undefined: b',
      JSON.stringify({ replyTo: 7, result: 3, scope: 'one' }),
    ]);
  });

  it('delivers a notification and answers nothing', () => {
    const { page } = connected(handlers);
    page.notify('tell', 'hello');
    expect(told).toEqual(['hello']);
  });

  it('refuses types that are not handlers of their own and ignores other shapes', async () => {
    const replies: unknown[] = [];
    const host = new MessageChannel<object, Requests>({
      post: (message) => replies.push(message),
      handlers,
    });
    for (const message of [undefined, 7, [], {}, { type: 7, id: 1 }]) {
      await host.receive(message);
    }
    await host.receive({ type: 'toString', id: 1 });
    expect(replies).toEqual([{ replyTo: 1, error: 'Unknown message: toString' }]);
  });

  it('rejects what is pending and everything later once it is disposed', async () => {
    const page = new MessageChannel<Requests, object>({ post: () => undefined, handlers: {} });
    const pending = page.request('add', { a: 1, b: 1 });
    page.dispose();
    await expect(pending).rejects.toThrow('closed');
    await expect(page.request('fail', undefined)).rejects.toThrow('closed');
  });
});
