/** A long conversation costs linear time, and leaves turns of the event loop to others. */
import { describe, expect, it } from 'vitest';
import type { PiEvent, PiSessionEntry } from '../../../src/agent/pi/piModule.js';
import { restoreTranscript } from '../../../src/agent/session/stored/restoreTranscript.js';
import type { Transcript } from '../../../src/agent/transcript/entries.js';
import { emptyTranscript, reduceTranscript } from '../../../src/agent/transcript/transcript.js';
import { liveEvents, storedConversation } from '../../fixtures/conversations.js';
import { growthOf, maxRatio } from '../../helpers/growth.js';

const noName = () => undefined;
const turns = 5000;
const timeoutMs = 120_000;

const restore = (entries: readonly PiSessionEntry[]) => restoreTranscript(entries, noName);

/** Every event at once, as they come. */
function live(events: readonly PiEvent[], look = (_now: Transcript) => undefined as unknown): void {
  let transcript = emptyTranscript;
  for (const event of events) {
    transcript = reduceTranscript(transcript, event, noName);
    look(transcript);
  }
}

const manyTurns = (size: number) =>
  Array.from({ length: size }, (_, turn) => liveEvents(turn)).flat();
/** All calls belong to one question. */
const oneRun = (size: number) =>
  manyTurns(size).filter((event, index) => index === 0 || !isTurnEdge(event));
const isTurnEdge = (event: PiEvent) =>
  event.type === 'agent_settled' ||
  (event.type === 'message_start' && event.message.role === 'user');
const storedRun = (size: number) =>
  storedConversation(size).filter((entry, index) => index === 0 || !isQuestion(entry));
const isQuestion = (entry: PiSessionEntry) =>
  entry.type === 'message' && entry.message.role === 'user';

describe('a long conversation', () => {
  it.each([
    ['of many turns', storedConversation],
    ['of one long run', storedRun],
  ])(
    '%s is restored in linear time',
    async (_name, input) => {
      expect((await growthOf(restore, input, turns)).ratio).toBeLessThanOrEqual(maxRatio);
    },
    timeoutMs,
  );

  it.each([
    ['many turns', manyTurns],
    ['one long run', oneRun],
  ])(
    'goes on in linear time, with %s',
    async (_name, input) => {
      expect((await growthOf(live, input, turns)).ratio).toBeLessThanOrEqual(maxRatio);
    },
    timeoutMs,
  );

  it(
    'would be found if every event looked at all that came before',
    async () => {
      const run = (events: readonly PiEvent[]) => live(events, ({ entries }) => [...entries]);
      expect((await growthOf(run, manyTurns, turns)).ratio).toBeGreaterThan(maxRatio);
    },
    timeoutMs,
  );
});

/** Works beside the restoring: the most entries that were read between two turns of the event loop, and the turns. */
async function besideRestoring(entries: readonly PiSessionEntry[]) {
  const read = new Set<number>();
  let most = 0;
  let turnCount = 0;
  let isOver = false;
  const watched = entries.map((entry, index) => {
    const message = 'message' in entry ? entry.message : undefined;
    return Object.defineProperty({ ...entry }, 'message', {
      get: () => {
        read.add(index);
        most = Math.max(most, read.size);
        return message;
      },
    });
  });
  const others = (async () => {
    while (!isOver) {
      await new Promise(setImmediate);
      turnCount++;
      read.clear();
    }
  })();
  const { entries: restored } = await restore(watched);
  isOver = true;
  await others;
  return { most, turnCount, restored: restored.length };
}

it('restores a long conversation in slices, between which others have their turns', async () => {
  const { most, turnCount, restored } = await besideRestoring(storedConversation(turns));
  expect(restored).toBe(3 * turns);
  expect(most).toBeLessThan(500);
  expect(turnCount).toBeGreaterThan(50);
  // what fits into a slice is seen to be read at once
  expect((await besideRestoring(storedConversation(10))).most).toBe(40);
});
