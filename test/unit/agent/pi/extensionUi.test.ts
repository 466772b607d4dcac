import { getEventListeners } from 'node:events';
import type { ExtensionUIContext } from '@earendil-works/pi-coding-agent';
import { expect, it } from 'vitest';
import { type ExtensionUi, startExtensions } from '../../../../src/agent/pi/extensionUi.js';
import type { PiSession } from '../../../../src/agent/pi/piModule.js';

/** What an extension is given to ask with. */
async function contextWith(ui: Partial<ExtensionUi>): Promise<ExtensionUIContext> {
  let given: ExtensionUIContext | undefined;
  const session = {
    extensionRunner: { getUIContext: () => ({}) },
    bindExtensions: async ({ uiContext }: { uiContext: ExtensionUIContext }) => {
      given = uiContext;
    },
  };
  await startExtensions(session as unknown as PiSession, ui as ExtensionUi, () => undefined);
  return given as ExtensionUIContext;
}

it('lets go of the signal of an extension once a question is answered', async () => {
  const { signal } = new AbortController();
  const within: number[] = [];
  const answer = async <T>(value: T) => {
    within.push(getEventListeners(signal, 'abort').length);
    return value;
  };
  const context = await contextWith({
    select: () => answer('a'),
    confirm: () => answer(true),
    input: () => answer('b'),
  });
  expect(await context.select('Which?', ['a'], { signal })).toBe('a');
  expect(await context.confirm('Sure?', 'Yes?', { signal })).toBe(true);
  expect(await context.input('Name?', undefined, { signal })).toBe('b');
  expect(within).toEqual([1, 1, 1]);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it.each(['signal', 'timeout'])('ends a question by the %s of an extension', async (by) => {
  const context = await contextWith({
    input: (_title, _placeholder, signal) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined))),
  });
  const leaving = new AbortController();
  const asked = context.input(
    'Name?',
    '',
    by === 'signal' ? { signal: leaving.signal } : { timeout: 1 },
  );
  if (by === 'signal') {
    leaving.abort();
  }
  expect(await asked).toBeUndefined();
});
