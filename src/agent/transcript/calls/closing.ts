/** What becomes of entries when their run has ended. */
import * as l10n from '@vscode/l10n';
import type { TranscriptEntry } from '../../../protocol/agentProtocol.js';
import type { Transcript } from '../entries.js';

type ToolEntry = Extract<TranscriptEntry, { kind: 'tool' }>;

export function isFinished({ status }: ToolEntry): boolean {
  return ['done', 'failed', 'denied', 'background'].includes(status);
}

/** @param stopped see {@link Transcript.stopped} */
export function closeEntry(
  entry: TranscriptEntry,
  stopped: Transcript['stopped'],
): TranscriptEntry {
  if (entry.kind === 'assistant' && entry.isStreaming) {
    return { ...entry, isStreaming: false };
  }
  // what the user runs goes on
  if (entry.kind !== 'tool' || entry.byUser || isFinished(entry)) {
    return entry;
  }
  return stopped === 'window'
    ? interruptedCall(entry)
    : { ...entry, status: stopped === 'user' ? 'denied' : 'failed' };
}

/** The window was closed while the user was asked about it. */
export function undecidedCall(entry: ToolEntry): ToolEntry {
  const text = l10n.t('Not run: the window was closed before you decided.');
  return { ...entry, status: 'denied', result: [{ kind: 'text', text }] };
}

/** What it gave so far stays; whether it did more is not known to anyone here. */
function interruptedCall(entry: ToolEntry): ToolEntry {
  if (entry.status === 'awaiting_approval') {
    return undecidedCall(entry);
  }
  const { progress: _, task: __, awaitsReview: ___, ...rest } = entry;
  const text = l10n.t(
    'Interrupted: the window was closed. Whether the call took effect is not known.',
  );
  return { ...rest, status: 'failed', result: [...entry.result, { kind: 'text', text }] };
}
