/** Changes to the entries of a transcript. */
import type { TranscriptEntry } from '../protocol/agentProtocol.js';
import type { Transcript } from './transcript.js';

type NewEntry = TranscriptEntry extends infer E
  ? E extends TranscriptEntry
    ? Omit<E, 'id'>
    : never
  : never;

export function addNotice(
  transcript: Transcript,
  level: 'info' | 'error',
  text: string,
): Transcript {
  return append(transcript, { kind: 'notice', level, text });
}

export function append(transcript: Transcript, entry: NewEntry): Transcript {
  const added = { ...entry, id: entryId(transcript.nextId) };
  return {
    ...transcript,
    entries: [...transcript.entries, added],
    nextId: transcript.nextId + 1,
  };
}

export function updateEntry(
  transcript: Transcript,
  id: string,
  change: (entry: TranscriptEntry) => TranscriptEntry,
): Transcript {
  const index = transcript.entries.findLastIndex((entry) => entry.id === id);
  const entry = transcript.entries[index];
  return entry
    ? { ...transcript, entries: transcript.entries.with(index, change(entry)) }
    : transcript;
}

export function entryId(number: number): string {
  return `entry-${number}`;
}
