import { expect, it } from 'vitest';
import {
  nextWaiting,
  unseenApprovals,
} from '../../../../src/presentation/statusBar/unseenApprovals.js';
import type { WaitingConversation } from '../../../../src/protocol/waitingConversation.js';

const waits = (title: string, more: Partial<WaitingConversation> = {}): WaitingConversation => ({
  id: `${title}.jsonl`,
  title,
  count: 1,
  isShown: false,
  ...more,
});
const shown = waits('Shown', { isShown: true, count: 2 });
/** Ids of the conversations that the user sees. */
const seen: ReadonlySet<string> = new Set([shown.id]);
const [a, b, c, d] = [waits('A'), waits('B', { folder: 'two' }), waits('C'), waits('D')] as const;

it.each([
  ['nothing waits', [], false, undefined],
  ['what waits is in sight', [shown], true, undefined],
  ['the view is hidden', [shown], false, 'Tool calls that wait for you: Shown'],
  ['another one waits', [a, shown], true, 'Tool calls that wait for you: A'],
  ['one of another folder waits', [b], true, 'Tool calls that wait for you: B in two'],
  ['both wait', [a, shown], false, 'Tool calls that wait for you: A, Shown'],
  ['many wait', [a, b, c, d], true, 'Tool calls that wait for you: A, B in two, C, 1 more'],
] as const)('tells when %s', (_, waiting, isSeen, text) => {
  expect(unseenApprovals({ waiting }, isSeen ? seen : new Set())?.text).toBe(text);
});

it.each([
  ['to the shown one first when it is out of sight', [a, shown], false, 'Shown'],
  ['from a shown one that is seen to the next', [a, b, shown], true, 'A'],
  ['to the shown one when no other waits', [shown], true, 'Shown'],
  ['to another one when the shown one does not wait', [b, c], false, 'B'],
  ['nowhere when none waits', [], true, undefined],
] as const)('leads %s', (_, waiting, isSeen, title) => {
  expect(nextWaiting({ waiting }, isSeen ? seen : new Set())?.title).toBe(title);
});

it('knows of what is seen in a tab', () => {
  const inTab = new Set([a.id]);
  expect(unseenApprovals({ waiting: [a] }, inTab)).toBeUndefined();
  expect(nextWaiting({ waiting: [a, b] }, inTab)?.title).toBe('B');
});
