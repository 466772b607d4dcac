/** How the conversation shows that a request is sent again: in one line, however often it is. */
import * as l10n from '@vscode/l10n';
import { showHidden } from '../../base/text/showHidden.js';
import type { TranscriptEntry } from '../../protocol/agentProtocol.js';
import { append, nextEntryId, type Transcript, updateEntry } from './entries.js';
import { brokenText, busyText, shownDetail, unreachableText } from './modelFailure.js';

export type RetryInput =
  | {
      readonly type: 'retry_wait';
      /** Whoever refused the request, by the name that users know. */
      readonly provider: string;
      /** What was said. */
      readonly message: string;
      /** From 1. */
      readonly attempt: number;
      readonly of: number;
      /** Milliseconds since the epoch. */
      readonly until: number;
    }
  /** It is sent. */
  | { readonly type: 'retry_sent' }
  /** No more are to come. */
  | { readonly type: 'retry_over'; readonly isAnswered: boolean };

export function reduceRetry(transcript: Transcript, input: RetryInput): Transcript {
  const { retryId } = transcript;
  switch (input.type) {
    case 'retry_wait': {
      const { provider, message, attempt, of, until } = input;
      const entry = {
        kind: 'retry',
        text: reasonOf(message, provider),
        detail: showHidden(shownDetail(message)),
        attempt,
        of,
        until,
      } as const;
      return retryId === undefined
        ? { ...append(transcript, entry), retryId: nextEntryId(transcript) }
        : updateEntry(transcript, retryId, ({ id }) => ({ ...entry, id }));
    }
    case 'retry_sent':
      return updateRetry(transcript, ({ until: _, ...sent }) => sent);
    case 'retry_over':
      return endRetry(transcript, input.isAnswered);
  }
}

/** What is still said to be sent again is not. */
export function endRetry(transcript: Transcript, isAnswered: boolean): Transcript {
  if (transcript.retryId === undefined) {
    return transcript;
  }
  const { stopped } = transcript;
  const outcome = stopped ? l10n.t('Stopped') : isAnswered ? l10n.t('done') : l10n.t('failed');
  const ended = updateRetry(transcript, ({ id, text, attempt, of }) => ({
    id,
    kind: 'notice',
    level: 'info',
    text: [text, l10n.t('Retry {0} of {1}', attempt, of), outcome].join(' · '),
  }));
  return { ...ended, retryId: undefined };
}

function updateRetry(
  transcript: Transcript,
  change: (entry: Extract<TranscriptEntry, { kind: 'retry' }>) => TranscriptEntry,
): Transcript {
  const { retryId } = transcript;
  return retryId === undefined
    ? transcript
    : updateEntry(transcript, retryId, (entry) => (entry.kind === 'retry' ? change(entry) : entry));
}

/** What an answer failed with that the user gave up; Pi takes it for a lost connection. */
export const sentAgain = 'terminated: sent again';

/** The first that fits is taken. */
function reasonOf(message: string, provider: string): string {
  if (message === sentAgain) {
    return l10n.t('No answer from {0}, sent again', provider);
  }
  if (
    /\b(?:429|529|503)\b|rate.?limit|too many requests|ResourceExhausted|overloaded|high demand|service.?unavailable/i.test(
      message,
    )
  ) {
    return busyText(provider);
  }
  if (
    /ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|fetch failed|connection|network|socket|terminated|timed? ?out/i.test(
      message,
    )
  ) {
    return unreachableText(provider);
  }
  return brokenText(provider);
}
