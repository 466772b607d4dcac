/** Short sounds for what the user waits for. */
import { lazy } from '../../base/async/once.js';
import type { NewsKind } from '../../protocol/waitingConversation.js';

/** Hertz, one after the other. */
const notes: Readonly<Record<NewsKind, readonly number[]>> = {
  asks: [660, 880],
  answered: [523],
  failed: [330, 262],
};
/** Seconds. */
const noteLength = 0.14;
const volume = 0.08;

const audio = lazy(() => new AudioContext());

/** Silent before the user has clicked or typed in the page, as browsers want it. */
export async function ring(kind: NewsKind): Promise<void> {
  const context = audio();
  await context.resume();
  const begin = context.currentTime;
  for (const [at, frequency] of notes[kind].entries()) {
    const note = new OscillatorNode(context, { frequency });
    const start = begin + at * noteLength;
    const gain = new GainNode(context, { gain: 0 });
    gain.gain.setValueAtTime(volume, start);
    gain.gain.exponentialRampToValueAtTime(0.001, start + noteLength);
    note.connect(gain).connect(context.destination);
    note.start(start);
    note.stop(start + noteLength);
  }
}
