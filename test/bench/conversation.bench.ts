/** Conversations: what it costs to open a long one and to go on with it. */
import { restoreTranscript } from '../../src/agent/session/stored/restoreTranscript.js';
import type { Transcript } from '../../src/agent/transcript/entries.js';
import { reduceTranscript } from '../../src/agent/transcript/transcript.js';
import { liveEvents, storedConversation } from '../fixtures/conversations.js';
import { against, type BenchRow, mediansOf } from './measure.js';

const shortTurns = 1000;
const longTurns = 5000;
const liveTurns = 200;
const noName = () => undefined;

export async function runBench(): Promise<readonly (BenchRow & { readonly target?: number })[]> {
  return [...(await opening()), ...(await goingOn())];
}

async function opening(): Promise<readonly (BenchRow & { readonly target?: number })[]> {
  const short = storedConversation(shortTurns);
  const long = storedConversation(longTurns);
  const [shortMs = 0, longMs = 0] = await mediansOf([
    () => restoreTranscript(short, noName),
    () => restoreTranscript(long, noName),
  ]);
  const base = { name: `open a conversation of ${shortTurns} turns`, ms: shortMs };
  const row = against(base, `open a conversation of ${longTurns} turns`, longMs);
  // five times the turns; beyond linear there is only noise
  return [base, { ...row, target: (longTurns / shortTurns) * 1.5 }];
}

async function goingOn(): Promise<readonly (BenchRow & { readonly target?: number })[]> {
  const short = await restoreTranscript(storedConversation(liveTurns), noName);
  const long = await restoreTranscript(storedConversation(longTurns), noName);
  const [shortMs = 0, longMs = 0] = await mediansOf([() => live(short), () => live(long)]);
  const base = { name: `${liveTurns} live turns after ${liveTurns}`, ms: shortMs };
  const row = against(base, `${liveTurns} live turns after ${longTurns}`, longMs);
  return [base, { ...row, target: 2 }];
}

function live(start: Transcript): void {
  let transcript = start;
  for (let turn = 0; turn < liveTurns; turn++) {
    for (const event of liveEvents(turn)) {
      transcript = reduceTranscript(transcript, event, noName);
    }
  }
}
