import { expect, it } from 'vitest';
import type { TranscriptEntry } from '../../../../../src/protocol/agentProtocol.js';
import { applyEntries } from '../../../../../src/webview/agent/transcript/transcriptModel.js';

const user = (id: string, text: string): TranscriptEntry => ({ id, kind: 'user', text });

it('replaces known entries in place, appends new ones and leaves the others alone', () => {
  const before = [user('1', 'a'), user('2', 'b')];
  const after = applyEntries(before, [user('3', 'c'), user('1', 'A')]);
  expect(after).toEqual([user('1', 'A'), user('2', 'b'), user('3', 'c')]);
  expect(after[1]).toBe(before[1]);
});
