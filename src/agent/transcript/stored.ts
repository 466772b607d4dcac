/** What the panel knows of where messages stand in the file of the conversation. */
import * as l10n from '@vscode/l10n';
import type { SentMessage } from '../../protocol/branches.js';
import { addUnanswered, append, type Transcript, updateEntry } from './entries.js';
import { noteTime } from './runSummary.js';

/** Pi has stored the message that the transcript got last. */
export type StoredInput = { readonly type: 'message_stored' } & (
  | ({ readonly role: 'user' } & SentMessage)
  | { readonly role: 'assistant'; readonly id: string }
) & {
    /** When, in milliseconds since the epoch. Default: not known. */
    readonly at?: number;
  };

/** The user went to a place after which more had been said. */
export interface CutInput {
  readonly type: 'cut';
  /** What was said last is a message of the user. */
  readonly isUnanswered: boolean;
  /** The message of the user with which begins what was said after it. */
  readonly next: string | undefined;
}

export function showCut(transcript: Transcript, { isUnanswered, next }: CutInput): Transcript {
  const level = 'info';
  if (next !== undefined) {
    const text = l10n.t('Conversation taken back');
    return append(transcript, { kind: 'notice', level, text, branch: { next } });
  }
  return isUnanswered
    ? addUnanswered(transcript, { level, text: l10n.t('There is no answer yet.') })
    : transcript;
}

/** @param alternatives messages that were sent in its place, itself included */
export function sentMessage(
  id: string,
  alternatives: { readonly ids: readonly string[]; readonly at: number } | undefined,
): SentMessage {
  return alternatives && alternatives.ids.length > 1
    ? { id, branch: { at: alternatives.at + 1, of: alternatives.ids.length } }
    : { id };
}

/** @param timestamp of Pi, an ISO date */
export function storedAt(timestamp: string): Pick<StoredInput, 'at'> {
  const at = Date.parse(timestamp);
  return Number.isNaN(at) ? {} : { at };
}

export function showStored(before: Transcript, input: StoredInput): Transcript {
  const { id } = input;
  const transcript = noteTime(before, input.role, input.at);
  if (input.role === 'assistant') {
    const { answerId, requestId: request } = transcript;
    const message = { id, request };
    return answerId === undefined
      ? transcript
      : updateEntry(transcript, answerId, (entry) =>
          entry.kind === 'assistant' ? { ...entry, message } : entry,
        );
  }
  const { branch } = input;
  const message = { id, branch };
  const stored = { ...transcript, requestId: id };
  for (let index = transcript.entries.length - 1; index >= 0; index--) {
    const entry = transcript.entries.at(index);
    if (entry?.kind === 'user') {
      return updateEntry(stored, entry.id, (one) =>
        one.kind === 'user' && !one.message ? { ...one, message } : one,
      );
    }
  }
  return stored;
}
