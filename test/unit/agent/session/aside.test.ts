import { expect, it } from 'vitest';
import { Aside } from '../../../../src/agent/session/side/aside.js';
import { createDeferred } from '../../../helpers/fakes/deferred.js';

function open(mayAsk = true) {
  const asked: {
    readonly signal: AbortSignal | undefined;
    answer: (text: string) => void;
    fail: (error: Error) => void;
  }[] = [];
  const aside = new Aside({
    session: () =>
      ({
        model: { provider: 'acme', id: 'large' },
        systemPrompt: '',
        agent: { convertToLlm: () => [] },
        sessionManager: { buildSessionProjection: () => ({ messages: [] }) },
      }) as never,
    models: { agree: () => Promise.resolve(mayAsk) },
    requests: {
      refusal: undefined,
      ask: (_request, signal) => {
        const { promise, resolve, reject } = createDeferred<string>();
        asked.push({ signal, answer: resolve, fail: reject });
        return promise;
      },
    },
    onDidChange: () => undefined,
  });
  const ask = async (question: string) => {
    await aside.ask(question);
    await expect.poll(() => asked.at(-1)?.signal?.aborted).toBe(false);
  };
  return { aside, asked, ask };
}

it('ends the request of a question that is dismissed, and never shows its answer', async () => {
  const { aside, asked, ask } = open();
  await ask('Why?');
  expect(aside.view).toEqual({ question: 'Why?' });
  aside.dismiss();
  expect(asked[0]?.signal?.aborted).toBe(true);
  asked[0]?.answer('Too late.');
  await Promise.resolve();
  expect(aside.view).toBeUndefined();
});

it('lets a question take the place of the one before', async () => {
  const { aside, asked, ask } = open();
  await ask('Why?');
  await ask('How?');
  expect(asked.map(({ signal }) => signal?.aborted)).toEqual([true, false]);
  asked[0]?.answer('Because.');
  asked[1]?.answer('So.');
  await expect.poll(() => aside.view).toEqual({ question: 'How?', answer: 'So.' });
});

it('asks nothing of a model to whose costs the user does not agree', async () => {
  const { aside, asked } = open(false);
  await aside.ask('Why?');
  expect([aside.view, asked]).toEqual([undefined, []]);
});

it('says why where the way to an answer fails, and nothing once it was dismissed', async () => {
  const { aside, asked, ask } = open();
  await ask('Why?');
  asked[0]?.fail(new Error('The disk is full.'));
  const failure = expect.stringContaining('The disk is full.');
  await expect.poll(() => aside.view).toEqual({ question: 'Why?', failure });
  await ask('How?');
  aside.dismiss();
  asked[1]?.fail(new Error('The disk is full.'));
  await Promise.resolve();
  expect(aside.view).toBeUndefined();
});
