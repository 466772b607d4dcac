import type {
  GrownText,
  TranscriptChange,
  TranscriptEntry,
} from '../../../protocol/agentProtocol.js';

export interface AppliedChanges {
  readonly transcript: readonly TranscriptEntry[];
  /** Entries that were not there before. */
  readonly added: number;
  /** A change was to something that the page does not have: it has to ask for everything again. */
  readonly isBroken: boolean;
}

/** Entries that did not change stay the same objects. */
export function applyChanges(
  transcript: readonly TranscriptEntry[],
  changes: readonly TranscriptChange[],
): AppliedChanges {
  const indexes = new Map(transcript.map(({ id }, index) => [id, index]));
  const next = [...transcript];
  let isBroken = false;
  for (const change of changes) {
    const index = indexes.get(change.id);
    const entry = change.kind === 'growth' ? grow(next[index ?? -1], change) : change;
    if (!entry) {
      isBroken = true;
    } else if (index === undefined) {
      indexes.set(entry.id, next.length);
      next.push(entry);
    } else {
      next[index] = entry;
    }
  }
  return { transcript: next, added: next.length - transcript.length, isBroken };
}

/** `undefined` where the page lacks what came before. */
function grow(
  entry: TranscriptEntry | undefined,
  { text, thinking }: Extract<TranscriptChange, { kind: 'growth' }>,
): TranscriptEntry | undefined {
  if (entry?.kind !== 'assistant') {
    return undefined;
  }
  const grownText = append(entry.text, text);
  const grownThinking = append(entry.thinking ?? '', thinking);
  if (grownText === undefined || grownThinking === undefined) {
    return undefined;
  }
  return {
    ...entry,
    text: grownText,
    ...(grownThinking !== '' && { thinking: grownThinking }),
  };
}

function append(shown: string, grown: GrownText | undefined): string | undefined {
  if (!grown) {
    return shown;
  }
  return grown.from <= shown.length ? shown.slice(0, grown.from) + grown.added : undefined;
}
