import { expect, it } from 'vitest';
import type { TranscriptEntry } from '../../../../../src/protocol/agentProtocol.js';
import { applyChanges } from '../../../../../src/webview/agent/transcript/transcriptModel.js';

const user = (id: string, text: string): TranscriptEntry => ({ id, kind: 'user', text });
const answer = (text: string, thinking?: string): TranscriptEntry => ({
  id: 'a',
  kind: 'assistant',
  text,
  isStreaming: true,
  ...(thinking !== undefined && { thinking }),
});

it('replaces known entries in place, appends new ones and leaves the others alone', () => {
  const before = [user('1', 'a'), user('2', 'b')];
  const { transcript, added } = applyChanges(before, [user('3', 'c'), user('1', 'A')]);
  expect(transcript).toEqual([user('1', 'A'), user('2', 'b'), user('3', 'c')]);
  expect(transcript[1]).toBe(before[1]);
  expect(added).toBe(1);
});

it('lets an answer grow, also from before what it has already', () => {
  const { transcript } = applyChanges(
    [answer('Hello wo', 'Hm')],
    [{ id: 'a', kind: 'growth', text: { from: 6, added: 'world' } }],
  );
  expect(transcript).toEqual([answer('Hello world', 'Hm')]);
});

it.each([
  ['an entry that is not there', 'b', 0],
  ['a text with a gap', 'a', 9],
])('asks for everything after a growth of %s', (_, id, from) => {
  const before = [answer('Hello')];
  const { transcript, isBroken } = applyChanges(before, [
    { id, kind: 'growth', text: { from, added: '!' } },
  ]);
  expect(isBroken).toBe(true);
  expect(transcript).toEqual(before);
});
