/** Answers of models that no provider gave, or not as they are. */
import type { PiAnswer, PiModel, PiSession } from '../pi/piModule.js';

export type PiAnswerEvent = PiAnswer extends AsyncIterable<infer E> ? E : never;

type Answer = Extract<PiSession['messages'][number], { readonly role: 'assistant' }>;

/** An answer of the model with nothing in it, of now; a new one each time, since who streams it fills it. */
export function emptyAnswer({
  api,
  provider,
  id,
}: Pick<PiModel, 'api' | 'provider' | 'id'>): Answer {
  return {
    role: 'assistant',
    content: [],
    api,
    provider,
    model: id,
    usage: {
      input: 0,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 0,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    },
    stopReason: 'stop',
    timestamp: Date.now(),
  };
}

/** Pi reads answers by these two members alone. */
export function makeAnswer(
  events: () => AsyncIterator<PiAnswerEvent>,
  result: () => ReturnType<PiAnswer['result']>,
): PiAnswer {
  return { [Symbol.asyncIterator]: events, result } as unknown as PiAnswer;
}
