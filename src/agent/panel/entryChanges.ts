/** What the page has to be told of a transcript that changed. */
import type { GrownText, TranscriptChange, TranscriptEntry } from '../../protocol/agentProtocol.js';
import { entryOf, type Transcript } from '../transcript/entries.js';
import { changedEntries } from '../transcript/transcript.js';

/** @param first index of the first entry that the page has */
export function entryChanges(
  before: Transcript,
  after: Transcript,
  first: number,
): readonly TranscriptChange[] {
  return changedEntries(before, after, first).map(
    (entry) => growthOf(entryOf(before, entry.id), entry) ?? entry,
  );
}

/** The end of a message comes whole, so that the page has it right whatever happened before. */
function growthOf(
  before: TranscriptEntry | undefined,
  after: TranscriptEntry,
): TranscriptChange | undefined {
  if (before?.kind !== 'assistant' || after.kind !== 'assistant' || !after.isStreaming) {
    return undefined;
  }
  const { id } = after;
  const text = grown(before.text, after.text);
  const thinking = grown(before.thinking ?? '', after.thinking ?? '');
  return before.isStreaming && text && thinking
    ? {
        id,
        kind: 'growth',
        text: text.added === '' ? undefined : text,
        thinking: thinking.added === '' ? undefined : thinking,
      }
    : undefined;
}

function grown(before: string, after: string): GrownText | undefined {
  return after.startsWith(before)
    ? { from: before.length, added: after.slice(before.length) }
    : undefined;
}
