import { describe, expect, it } from 'vitest';
import { tabHeading } from '../../../../src/presentation/statusBar/agentHeading.js';
import type { ApprovalView } from '../../../../src/protocol/agentProtocol.js';

const approval: ApprovalView = {
  id: 'a',
  toolCallId: 'c',
  tool: 'bash',
  args: '{}',
  claims: [],
  places: [],
};

describe('the heading of a tab', () => {
  it('is the title of the conversation, once it has one', () => {
    expect(tabHeading({ approvals: [] })).toEqual({ title: 'Pi Agent', needsUser: false });
    expect(tabHeading({ title: 'Fix login', approvals: [] }).title).toBe('Fix login');
  });

  it('says in words, too, that the conversation waits for the user', () => {
    expect(tabHeading({ title: 'Fix login', approvals: [approval] })).toEqual({
      title: 'Fix login (needs you)',
      needsUser: true,
    });
  });
});
