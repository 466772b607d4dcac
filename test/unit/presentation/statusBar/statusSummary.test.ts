import { describe, expect, it } from 'vitest';
import { readProfiles } from '../../../../src/config/toolProfiles.js';
import type { McpServerState } from '../../../../src/mcp/mcpTypes.js';
import { summarize } from '../../../../src/presentation/statusBar/statusSummary.js';
import {
  FakeServer,
  fakeDefinition,
  fakeFailure,
  fakeFolder,
} from '../../../helpers/fakes/fakeMcp.js';

const connected: McpServerState = { kind: 'connected', transport: 'stdio', since: 0, connectMs: 1 };
const idle: McpServerState = { kind: 'idle' };
const error: McpServerState = { kind: 'error', failure: fakeFailure() };
const waiting: McpServerState = { kind: 'trust_required', reason: { kind: 'never_consented' } };
const restricted: McpServerState = {
  kind: 'trust_required',
  reason: { kind: 'workspace_untrusted' },
};
const disabled: McpServerState = { kind: 'disabled', by: 'server' };

function summaryOf(...states: McpServerState[]) {
  const servers = states.map((state, index) => new FakeServer(fakeDefinition(`s${index}`), state));
  return summarize(servers);
}

describe('status bar', () => {
  it('is hidden without servers', () => {
    expect(summaryOf()).toBeUndefined();
  });

  it('names the profiles that narrow the tools, and says when one is missing', () => {
    const servers = [new FakeServer(fakeDefinition('s'), idle)];
    const [profile] = readProfiles({ review: ['s'] }, 'user');
    const review = { source: 'user', name: 'review', profile } as const;
    const gone = { source: 'folder', name: 'old', profile: undefined } as const;
    const one = summarize(servers, [{ folder: 'api', chosen: review }]);
    expect(one).toMatchObject({
      text: '$(plug) MCP 0/1 · review',
      spoken: expect.stringContaining('profile review'),
      profiles: ['api: profile review'],
    });
    const two = summarize(servers, [
      { folder: 'api', chosen: review },
      { folder: 'web', chosen: gone },
    ]);
    expect(two?.text).toBe('$(plug) MCP 0/1 · review, missing profile: old');
    expect(two?.profiles[1]).toContain('no tool is given');
  });

  it.each<[string, McpServerState[], string, string]>([
    [
      'counts the connected ones of those to use',
      [connected, idle, disabled],
      '$(plug) MCP 1/2',
      'none',
    ],
    [
      'warns while consent is pending',
      [connected, waiting],
      '$(plug) MCP 1/2, 1 to review',
      'warning',
    ],
    ['leaves Restricted Mode to VS Code', [restricted], '$(plug) MCP 0/1', 'none'],
    ['alarms only when all fail', [error, error], '$(plug) MCP 0/2, 2 failed', 'error'],
    [
      'tells what waits for a sign-in apart from what failed',
      [{ kind: 'needs_auth', failure: fakeFailure() }, error, connected],
      '$(plug) MCP 1/3, 1 failed, 1 to sign in',
      'none',
    ],
    ['does not alarm when one works', [error, connected], '$(plug) MCP 1/2, 1 failed', 'none'],
    [
      'names both troubles',
      [error, waiting, connected],
      '$(plug) MCP 1/3, 1 failed, 1 to review',
      'warning',
    ],
    ['does not alarm when all are off', [disabled], '$(plug) MCP off', 'none'],
    ['spins while connecting', [{ kind: 'connecting' }], '$(sync~spin) MCP 0/1', 'none'],
  ])('%s', (_name, states, text, background) => {
    expect(summaryOf(...states)).toMatchObject({ text, background });
  });

  it.each<[string, McpServerState[], string]>([
    ['all run', [connected, connected, disabled], 'connected'],
    ['one of several fails', [connected, error], 'partial'],
    ['one waits for the user', [connected, waiting], 'partial'],
    [
      'one waits for a sign-in',
      [connected, { kind: 'needs_auth', failure: fakeFailure() }],
      'partial',
    ],
    // until it is needed, a server that does not run is as it should be
    ['some are idle', [connected, idle], 'none'],
    ['none runs', [error, error], 'none'],
    ['all are off', [disabled], 'none'],
    ['nothing may run', [restricted], 'none'],
  ])('has a colour of its own when %s', (_name, states, color) => {
    expect(summaryOf(...states)?.color).toBe(color);
  });

  it('knows what the user can review now', () => {
    expect(summaryOf(waiting, connected, restricted)?.toReview).toBe(1);
  });

  it('says everything in words', () => {
    expect(summaryOf(connected, waiting, error)?.spoken).toBe(
      'MCP servers: 1 of 3 connected, 1 to review, 1 failed',
    );
    expect(summaryOf(disabled)?.spoken).toBe('MCP servers: all disabled');
  });

  it('names each server with its folder, what fails first', () => {
    const folder = fakeFolder('api');
    const servers = [
      new FakeServer(fakeDefinition('db'), idle),
      new FakeServer(fakeDefinition('db', { folder }), error),
    ];
    expect(summarize(servers)?.text).toBe('$(plug) MCP 0/2, 1 failed');
    expect(
      summarize(servers)?.lines.map(({ server, place, state }) => [server, place, state]),
    ).toEqual([
      ['db', 'api', 'Exit code 0'],
      ['db', 'User', 'Not running'],
    ]);
  });
});
