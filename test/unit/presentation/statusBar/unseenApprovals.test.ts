import { expect, it } from 'vitest';
import {
  folderToReview,
  unseenApprovals,
} from '../../../../src/presentation/statusBar/unseenApprovals.js';
import type { AgentViewState } from '../../../../src/protocol/agentProtocol.js';

const approval = {
  id: 'p1',
  toolCallId: 'c1',
  tool: 'write',
  args: '{}',
  claims: [],
  places: [],
};

function state(shown: number, other: number): AgentViewState {
  const folders = [
    { uri: 'file:///one', name: 'one', waiting: shown },
    { uri: 'file:///two', name: 'two', waiting: other },
  ];
  return {
    status: 'ready',
    folder: { uri: 'file:///one', name: 'one' },
    folders,
    models: [],
    tools: { mcp: 0, builtIn: 0 },
    approvals: Array.from({ length: shown }, () => approval),
    queue: { messages: [] },
    isYolo: false,
    isRestricted: false,
  };
}

it.each([
  ['nothing waits', 0, 0, false, undefined],
  ['what waits is in sight', 2, 0, true, undefined],
  ['the view is hidden', 2, 0, false, '2 tool calls of Pi wait for your approval: one'],
  ['another folder waits', 1, 1, true, 'A tool call of Pi waits for your approval: two'],
  ['both wait', 1, 2, false, '3 tool calls of Pi wait for your approval: one, two'],
])('tells when %s', (_, shown, other, isVisible, text) => {
  expect(unseenApprovals(state(shown, other), isVisible)?.text).toBe(text);
});

it('leads to the shown folder first, then to the one that waits', () => {
  expect(folderToReview(state(1, 1))).toBeUndefined();
  expect(folderToReview(state(0, 1))).toBe('file:///two');
  expect(folderToReview(state(0, 0))).toBeUndefined();
});
