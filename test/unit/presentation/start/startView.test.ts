import { describe, expect, it } from 'vitest';
import type { ListedConversation } from '../../../../src/agent/panel/library.js';
import type { McpServerState } from '../../../../src/mcp/mcpTypes.js';
import { startView } from '../../../../src/presentation/start/startView.js';
import { FakeServer, fakeDefinition, fakeFailure } from '../../../helpers/fakes/fakeMcp.js';

const now = 10 * 60 * 60 * 1000;
const conversation = (id: string, change: Partial<ListedConversation> = {}): ListedConversation =>
  ({
    id,
    title: `Title of ${id}`,
    modifiedAt: now - 2 * 60 * 60 * 1000,
    isShown: false,
    state: 'done',
    changedFiles: 0,
    keptBytes: 0,
    ...change,
  }) as ListedConversation;

const idle: McpServerState = { kind: 'idle' };
const waiting: McpServerState = { kind: 'trust_required', reason: { kind: 'never_consented' } };
const restricted: McpServerState = {
  kind: 'trust_required',
  reason: { kind: 'workspace_untrusted' },
};
const signedOut: McpServerState = { kind: 'needs_auth', failure: fakeFailure() };
const error: McpServerState = { kind: 'error', failure: fakeFailure() };
const disabled: McpServerState = { kind: 'disabled', by: 'server' };

function view(
  states: readonly McpServerState[] = [],
  conversations: readonly ListedConversation[] = [],
) {
  const servers = states.map((state, at) => new FakeServer(fakeDefinition(`s${at}`), state));
  return startView({ conversations, servers, folder: 'file:///a', now, language: 'en' });
}

describe('what an empty conversation says', () => {
  it('names three other conversations, with the state that is worth a word', () => {
    const { recent } = view(
      [],
      [
        conversation('a', { state: 'needs_you' }),
        conversation('shown', { isShown: true }),
        conversation('b', { state: 'failed' }),
        conversation('c'),
        conversation('d'),
      ],
    );
    expect(recent).toEqual([
      { id: 'a', title: 'Title of a', facts: 'needs you, 2 hours ago', icon: 'bell-dot' },
      { id: 'b', title: 'Title of b', facts: 'failed, 2 hours ago', icon: 'error' },
      { id: 'c', title: 'Title of c', facts: '2 hours ago', icon: 'comment-discussion' },
    ]);
  });

  it('says nothing of servers while there are none', () => {
    expect(view()).toEqual({ folder: 'file:///a', recent: [] });
  });

  it.each<[string, McpServerState[], string, string[]]>([
    ['counts those to use', [idle, idle, disabled], 'MCP servers: 2 of 2 ready', []],
    ['says that all are off', [disabled], 'MCP servers: all disabled', []],
    ['leads to the review', [idle, waiting], 'MCP servers: 1 of 2 ready', ['Review: s1']],
    ['reviews all at once', [waiting, waiting], 'MCP servers: 0 of 2 ready', ['2 to review']],
    ['leaves Restricted Mode to VS Code', [restricted], 'MCP servers: 0 of 1 ready', []],
    ['leads to the sign-in', [idle, signedOut], 'MCP servers: 1 of 2 ready', ['Sign In: s1']],
    [
      'shows where to sign in, and what fails',
      [signedOut, signedOut, error],
      'MCP servers: 0 of 3 ready',
      ['2 to sign in', 'Failed: s2'],
    ],
  ])('%s', (_, states, text, steps) => {
    const { servers } = view(states);
    expect(servers?.text).toBe(text);
    expect(servers?.steps.map((step) => step.text)).toEqual(steps);
  });

  it('signs in to the one server that wants it', () => {
    const [step] = view([signedOut]).servers?.steps ?? [];
    expect(step).toMatchObject({ kind: 'signIn', server: expect.stringContaining('s0') });
  });
});
