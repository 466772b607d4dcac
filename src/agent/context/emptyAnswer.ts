import type { PiModel, PiSession } from '../pi/piModule.js';

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
