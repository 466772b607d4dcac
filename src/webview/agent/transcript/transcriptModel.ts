import type { TranscriptEntry } from '../../../protocol/agentProtocol.js';

/** Replaces entries by id in place and appends new ones; entries that did not change stay the same objects. */
export function applyEntries(
  transcript: readonly TranscriptEntry[],
  changed: readonly TranscriptEntry[],
): readonly TranscriptEntry[] {
  const byId = new Map(changed.map((entry) => [entry.id, entry]));
  const known = new Set(transcript.map(({ id }) => id));
  return [
    ...transcript.map((entry) => byId.get(entry.id) ?? entry),
    ...[...byId.values()].filter(({ id }) => !known.has(id)),
  ];
}
