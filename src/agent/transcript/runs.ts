/** What the ends of runs do to a transcript. */
import * as l10n from '@vscode/l10n';
import { ChunkedMap } from '../../base/chunkedMap.js';
import type { TranscriptEntry } from '../../protocol/agentProtocol.js';
import type { PiEvent } from '../pi/piModule.js';
import { closeEntry } from './calls/closing.js';
import { reduceCompaction } from './compaction.js';
import { addUnanswered, type Transcript } from './entries.js';
import { explainFailure, explainTooLong } from './modelFailure.js';
import { endRetry } from './retry.js';
import { summarizeRun } from './runSummary.js';

export function reduceRun(transcript: Transcript, event: PiEvent): Transcript {
  switch (event.type) {
    case 'agent_end':
      // of one that is too long, Pi may make a shorter one before the run settles
      return event.willRetry ? { ...transcript, pendingError: undefined } : transcript;
    case 'agent_settled':
      return settle(summarizeRun(reportError(endRetry(transcript, false))));
    case 'compaction_start':
    case 'compaction_end':
      return reduceCompaction(transcript, event);
    default:
      return transcript;
  }
}

export function reportError(transcript: Transcript): Transcript {
  const { pendingError, stopped, isTooLongStill } = transcript;
  if (pendingError === undefined) {
    return transcript;
  }
  const next = { ...transcript, pendingError: undefined, isTooLongStill: undefined };
  const explain = isTooLongStill ? explainTooLong : explainFailure;
  return stopped ? next : addUnanswered(next, { level: 'error', ...explain(pendingError) });
}

function settle(transcript: Transcript): Transcript {
  const { stopped, runStart } = transcript;
  const close = (entry: TranscriptEntry) => closeEntry(entry, stopped);
  const entries = transcript.entries.update(close, runStart);
  const settled = {
    ...transcript,
    entries,
    runStart: entries.length,
    streamingId: undefined,
    toolEntryIds: ChunkedMap.empty<string>(),
    stopped: undefined,
  };
  if (!stopped) {
    return settled;
  }
  const text =
    stopped === 'window'
      ? l10n.t('The window was closed before Pi had finished.')
      : l10n.t('Stopped');
  return addUnanswered(settled, { level: 'info', text });
}
