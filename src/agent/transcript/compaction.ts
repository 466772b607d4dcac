/** How a conversation that was summarized shows it. */
import * as l10n from '@vscode/l10n';
import { counted } from '../../base/text/counted.js';
import type { PiEvent } from '../pi/piModule.js';
import { append, nextEntryId, type Transcript, updateEntry } from './entries.js';
import { explainFailure, explainLongSummary, isTooLong } from './modelFailure.js';

type CompactionEvent = Extract<PiEvent, { type: 'compaction_start' | 'compaction_end' }>;

/** Pi has stored the summary that the transcript got last. */
export interface CompactionStored {
  readonly type: 'compaction_stored';
  /** Of its entry in Pi's file. */
  readonly id: string;
  /** What it told that is not in the entry. */
  readonly tokensAfter?: number;
}

/** Old results are left out of what the model gets. */
export interface LeftOutInput {
  readonly type: 'left_out';
  /** Of the results in Pi's file. */
  readonly ids: readonly string[];
  readonly tokens: number;
}

export function showLeftOut(transcript: Transcript, { ids, tokens }: LeftOutInput): Transcript {
  const count = tokens.toLocaleString();
  const results = counted(l10n.t('1 result|{0} results'), ids.length);
  const text = l10n.t('Left out {0}, {1} tokens', results, count);
  return append(transcript, { kind: 'notice', level: 'info', text, leftOut: ids });
}

export function reduceCompaction(transcript: Transcript, event: CompactionEvent): Transcript {
  if (event.type === 'compaction_start') {
    const compactionId = nextEntryId(transcript);
    return {
      ...append(transcript, { kind: 'compacting', text: startText(event.reason) }),
      compactionId,
    };
  }
  const { compactionId: id } = transcript;
  if (id === undefined) {
    return event.errorMessage === undefined ? transcript : tooLongStill(transcript);
  }
  const { result, aborted, errorMessage, willRetry } = event;
  const ended = { ...transcript, compactionId: undefined };
  if (result) {
    const { summary, tokensBefore, estimatedTokensAfter: tokensAfter } = result;
    return updateEntry(willRetry ? { ...ended, pendingError: undefined } : ended, id, () => ({
      id,
      kind: 'compaction',
      summary,
      tokensBefore,
      tokensAfter,
    }));
  }
  const notice = { id, kind: 'notice' } as const;
  const needless = aborted ? undefined : needlessText(errorMessage ?? '');
  if (aborted || needless !== undefined) {
    const text =
      needless ?? l10n.t('The conversation could not be summarized: {0}', l10n.t('Stopped'));
    return updateEntry(ended, id, () => ({ ...notice, level: 'info', text }));
  }
  const failure = withoutLead(errorMessage ?? '');
  if (isTooLong(failure)) {
    const { pendingError } = ended;
    const { text: said, ...next } = explainLongSummary(failure);
    return pendingError === undefined
      ? updateEntry(ended, id, () => ({ ...notice, level: 'error', text: said, ...next }))
      : // the request says what to do
        updateEntry({ ...ended, isTooLongStill: true }, id, () => ({
          ...notice,
          level: 'info',
          text: said,
        }));
  }
  const { text, remedy, actions } = explainFailure(failure);
  return updateEntry(ended, id, () => ({
    ...notice,
    level: 'error',
    text: l10n.t('The conversation could not be summarized: {0}', text),
    // what was said is all there, so nothing has to be sent again
    ...(actions && remedy !== undefined && { remedy, actions }),
  }));
}

export function showCompactionStored(
  transcript: Transcript,
  { id: stored, tokensAfter }: CompactionStored,
): Transcript {
  for (let index = transcript.entries.length - 1; index >= 0; index--) {
    const entry = transcript.entries.at(index);
    if (entry?.kind === 'compaction') {
      return updateEntry(transcript, entry.id, () => ({
        ...entry,
        stored,
        tokensAfter: tokensAfter ?? entry.tokensAfter,
      }));
    }
  }
  return transcript;
}

function startText(reason: CompactionEvent['reason'] | undefined): string {
  return reason === 'overflow'
    ? l10n.t(
        'The request was too long for the model. The conversation is summarized, then it is sent again.',
      )
    : l10n.t('Compacting…');
}

/** Why a summary would save nothing. */
function needlessText(message: string): string | undefined {
  return /Nothing to compact|Already compacted/.test(message)
    ? l10n.t('The conversation is too short to be summarized.')
    : undefined;
}

/** The request was sent again after a summary, and refused again. */
function tooLongStill(transcript: Transcript): Transcript {
  const { pendingError } = transcript;
  return pendingError === undefined ? transcript : { ...transcript, isTooLongStill: true };
}

function withoutLead(message: string): string {
  return message.replace(
    /^(?:(?:Compaction|Auto-compaction|Context overflow recovery|Summarization) failed: )+/,
    '',
  );
}
