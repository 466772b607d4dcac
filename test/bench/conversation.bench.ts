/** Conversations: what it costs to open a long one, to go on with it, and to have it. */
import { breakDown } from '../../src/agent/context/breakdown.js';
import { spentLast } from '../../src/agent/context/spending.js';
import { restoreTranscript } from '../../src/agent/session/stored/restoreTranscript.js';
import type { Transcript } from '../../src/agent/transcript/entries.js';
import { reduceTranscript } from '../../src/agent/transcript/transcript.js';
import { liveEvents, storedConversation } from '../fixtures/conversations.js';
import { usedHeap } from './connections/figures.js';
import { against, type BenchRow, type FigureRow, mediansOf } from './measure.js';

const lengths = [100, 1000, 5000] as const;
const liveTurns = 200;
const noName = () => undefined;

type Row = (BenchRow | (FigureRow & Pick<BenchRow, 'baseline' | 'ratio'>)) & {
  readonly target?: number;
};

export async function runBench(): Promise<readonly Row[]> {
  return [...(await opening()), ...(await goingOn()), ...(await having()), ...(await reading())];
}

/** Beyond as many times as there are more turns, there is only noise. */
async function opening(): Promise<readonly Row[]> {
  const stored = lengths.map(storedConversation);
  const times = await mediansOf(stored.map((one) => () => restoreTranscript(one, noName)));
  return compared((turns) => `open a conversation of ${turns} turns`, times, 1.5);
}

async function goingOn(): Promise<readonly Row[]> {
  const open = await Promise.all(
    lengths.map((turns) => restoreTranscript(storedConversation(turns), noName)),
  );
  const times = await mediansOf(open.map((one) => () => live(one)));
  const [base, ...others] = lengths.map((turns, index) => ({
    name: `${liveTurns} live turns after ${turns}`,
    ms: times[index] ?? 0,
  }));
  return base
    ? [base, ...others.map(({ name, ms }) => ({ ...against(base, name, ms), target: 2 }))]
    : [];
}

/** Of the transcript alone: Pi and the file have what was said as well. */
async function having(): Promise<readonly Row[]> {
  const kilobytes: number[] = [];
  for (const turns of lengths) {
    const stored = storedConversation(turns);
    await restoreTranscript(stored, noName);
    const before = await usedHeap();
    const transcript = await restoreTranscript(stored, noName);
    kilobytes.push(((await usedHeap()) - before) / 1024);
    if (transcript.entries.length < turns) {
      throw new Error('The transcript is not whole');
    }
  }
  const rows = compared((turns) => `memory of a conversation of ${turns} turns`, kilobytes, 1.5);
  return rows.map(({ name, ms, baseline, ratio, target }) => ({
    name,
    value: ms,
    unit: 'KB',
    ...(baseline !== undefined && { baseline }),
    ...(ratio !== undefined && { ratio }),
    ...(target !== undefined && { target }),
  }));
}

/** What the ring beside the input opens, and what a turn that ends costs. */
async function reading(): Promise<readonly Row[]> {
  // Pi's own counts characters as well
  const estimate = (message: object) => JSON.stringify(message).length / 4;
  const stored = lengths.map(storedConversation);
  const times = await mediansOf(
    stored.map((entries) => () => {
      const messages = entries.flatMap((entry) =>
        entry.type === 'message' ? [entry.message] : [],
      );
      const content = { systemPrompt: '', instructions: [], tools: [], messages };
      return [breakDown(content, estimate), spentLast(entries)];
    }),
  );
  return compared((turns) => `break down the context of ${turns} turns`, times, 4);
}

/** @param factor by which the ratio may be above that of the turns */
function compared(
  nameOf: (turns: number) => string,
  values: readonly number[],
  factor: number,
): readonly (BenchRow & { readonly target?: number })[] {
  const [first = 1] = lengths;
  const base = { name: nameOf(first), ms: values[0] ?? 0 };
  const others = lengths.slice(1).map((turns, index) => ({
    ...against(base, nameOf(turns), values[index + 1] ?? 0),
    target: (turns / first) * factor,
  }));
  return [base, ...others];
}

function live(start: Transcript): void {
  let transcript = start;
  for (let turn = 0; turn < liveTurns; turn++) {
    for (const event of liveEvents(turn)) {
      transcript = reduceTranscript(transcript, event, noName);
    }
  }
}
