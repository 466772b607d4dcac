import fc from 'fast-check';
import { expect, it } from 'vitest';
import { endOfConversation } from '../../../../src/agent/conversations/conversationEnd.js';
import { journalEntry } from '../../../../src/agent/conversations/storedEntry.js';

const message = (role: string, stopReason?: string) => ({
  type: 'message',
  message: { role, ...(stopReason !== undefined && { stopReason }) },
});
const noted = (type: string) => ({
  type: 'custom',
  customType: journalEntry,
  data: { type, text: 'It did not work.' },
});

const user = message('user');
const answer = message('assistant', 'stop');
const calls = message('assistant', 'toolUse');
const result = message('toolResult');
const aborted = message('assistant', 'aborted');
const broken = message('assistant', 'error');

/** @param entries oldest first */
const endOf = (...entries: readonly unknown[]) => endOfConversation(entries.toReversed());

it.each([
  ['one that was only begun', [], 'done'],
  ['an answer', [user, answer], 'done'],
  ['an answer after calls', [user, calls, result, answer], 'done'],
  ['a request without an answer', [user], 'interrupted'],
  ['a call without a result', [user, calls], 'interrupted'],
  ['a result that nobody read', [user, calls, result], 'interrupted'],
  ['a window that closed', [user, calls, noted('interrupted'), result, aborted], 'interrupted'],
  ['a stop by the user', [user, calls, noted('user_stop'), result, aborted], 'done'],
  ['a stop that looks like a failure', [user, noted('user_stop'), result, broken], 'done'],
  ['a close that looks like a failure', [user, noted('interrupted'), broken], 'interrupted'],
  ['a model that failed', [user, broken], 'failed'],
  ['a failed model and a retry', [user, broken, answer], 'done'],
  ['a message that could not be sent', [user, answer, noted('failure')], 'failed'],
  ['what failed before the last request', [user, noted('failure'), user, answer], 'done'],
  ['a stop before the last request', [user, noted('user_stop'), aborted, user], 'interrupted'],
  ['a summary behind it', [user, answer, { type: 'compaction' }], 'done'],
  ['entries that say nothing', [user, broken, { type: 'label' }, noted('tool_gate')], 'failed'],
])('knows the end of %s', (_, entries, end) => {
  expect(endOf(...entries)).toBe(end);
});

it('does not care for what was before the last request, whatever it was', () => {
  const any = fc.constantFrom(
    user,
    answer,
    calls,
    result,
    aborted,
    broken,
    noted('user_stop'),
    noted('interrupted'),
    noted('failure'),
  );
  fc.assert(
    fc.property(fc.array(any), fc.array(any), (before, run) => {
      expect(endOf(...before, user, ...run)).toBe(endOf(user, ...run));
    }),
  );
});
