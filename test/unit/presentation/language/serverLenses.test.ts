import { describe, expect, it } from 'vitest';
import type { McpServerState, McpTool } from '../../../../src/mcp/mcpTypes.js';
import { serverLenses } from '../../../../src/presentation/language/serverLenses.js';
import {
  FakeServer,
  fakeDefinition,
  fakeFailure,
  fakeFolder,
} from '../../../helpers/fakes/fakeMcp.js';

const definition = fakeDefinition('a', { folder: fakeFolder('api') });
const { path } = definition.origin;
const tool: McpTool = { name: 't', inputSchema: {} };

function titles(state: McpServerState, tools: readonly McpTool[] = []): readonly string[] {
  const server = new FakeServer(definition, state, { tools });
  return serverLenses(server, { kind: 'stdio' }, path).map(({ title }) => title);
}

describe('serverLenses', () => {
  it.each<[McpServerState, readonly string[]]>([
    [{ kind: 'idle' }, ['Pi: idle', 'Pi: Start']],
    [{ kind: 'connecting' }, ['Pi: connecting', 'Pi: Stop']],
    [
      { kind: 'connected', transport: 'stdio', since: 0, connectMs: 1 },
      ['Pi: connected', 'Pi: Restart'],
    ],
    [{ kind: 'error', failure: fakeFailure() }, ['Pi: error', 'Pi: Start']],
    [{ kind: 'needs_auth', failure: fakeFailure() }, ['Pi: sign-in required', 'Pi: Sign In']],
    [{ kind: 'disabled', by: 'server' }, ['Pi: disabled', 'Pi: Enable']],
    [{ kind: 'disabled', by: 'master' }, ['Pi: disabled']],
    [{ kind: 'invalid', problems: [] }, ['Pi: invalid']],
    [
      { kind: 'trust_required', reason: { kind: 'never_consented' } },
      ['Pi: trust required', 'Pi: Review'],
    ],
    [
      { kind: 'trust_required', reason: { kind: 'workspace_untrusted' } },
      ['Pi: restricted', 'Pi: Manage Workspace Trust'],
    ],
  ])('offers what can be done in %j', (state, expected) => {
    expect(titles(state)).toEqual(expected);
  });

  it('counts tools', () => {
    expect(titles({ kind: 'idle' }, [tool])[0]).toBe('Pi: idle, 1 tool');
    expect(titles({ kind: 'idle' }, [tool, tool])[0]).toBe('Pi: idle, 2 tools');
  });

  it('leads to the entry that is used instead of a hidden one', () => {
    const server = new FakeServer(definition, { kind: 'idle' });
    const lenses = serverLenses(server, { kind: 'stdio' }, '/work/api/.other.json');
    expect(lenses).toEqual([{ title: `Pi: ${path} is used instead`, action: 'openWinner' }]);
    // an entry of switches adds to the other one
    expect(serverLenses(server, { kind: 'overrides' }, '/x')[0]?.action).toBe('reveal');
  });
});
