/** How a conversation that was summarized shows it. */
import * as l10n from '@vscode/l10n';
import type { PiEvent } from '../pi/piModule.js';
import { addNotice, nextEntryId, type Transcript, updateEntry } from './entries.js';

type CompactionEvent = Extract<PiEvent, { type: 'compaction_start' | 'compaction_end' }>;

export function reduceCompaction(transcript: Transcript, event: CompactionEvent): Transcript {
  if (event.type === 'compaction_start') {
    const compactionId = nextEntryId(transcript);
    const text = l10n.t('Summarizing the conversation to make room.');
    return { ...addNotice(transcript, 'info', text), compactionId };
  }
  const { compactionId: id } = transcript;
  if (id === undefined) {
    return transcript;
  }
  const { result, aborted, errorMessage } = event;
  const ended = { ...transcript, compactionId: undefined };
  if (result) {
    const { summary, tokensBefore, estimatedTokensAfter: tokensAfter } = result;
    return updateEntry(ended, id, () => ({
      id,
      kind: 'compaction',
      summary,
      tokensBefore,
      ...(tokensAfter !== undefined && { tokensAfter }),
    }));
  }
  const isNeedless = /Nothing to compact|Already compacted/.test(errorMessage ?? '');
  return updateEntry(ended, id, () => ({
    id,
    kind: 'notice',
    level: aborted || isNeedless ? 'info' : 'error',
    text: isNeedless
      ? l10n.t('The conversation is too short to be summarized.')
      : aborted
        ? l10n.t('The conversation was not summarized: it was stopped.')
        : l10n.t('The conversation could not be summarized: {0}', errorMessage ?? ''),
  }));
}
