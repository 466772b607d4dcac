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
    [{ kind: 'idle' }, ['Pi: Not running', 'Pi: Start']],
    [{ kind: 'connecting' }, ['Pi: Starting', 'Pi: Stop']],
    [
      { kind: 'connected', transport: 'stdio', since: 0, connectMs: 1 },
      ['Pi: Connected', 'Pi: Restart'],
    ],
    [{ kind: 'error', failure: fakeFailure() }, ['Pi: Exit code 0', 'Pi: Run in Terminal']],
    [
      { kind: 'needs_auth', failure: fakeFailure({ code: 'unauthorized' }) },
      ['Pi: Sign in', 'Pi: Sign In'],
    ],
    [{ kind: 'disabled', by: 'server' }, ['Pi: Disabled', 'Pi: Enable']],
    [{ kind: 'disabled', by: 'master' }, ['Pi: All disabled', 'Pi: Enable']],
    [{ kind: 'invalid', problems: [] }, ['Pi: Invalid entry']],
    [
      { kind: 'trust_required', reason: { kind: 'never_consented' } },
      ['Pi: Needs trust', 'Pi: Review…'],
    ],
    [
      { kind: 'trust_required', reason: { kind: 'workspace_untrusted' } },
      ['Pi: Restricted Mode', 'Pi: Manage Workspace Trust'],
    ],
  ])('offers what can be done in %j', (state, expected) => {
    expect(titles(state)).toEqual(expected);
  });

  it('counts tools', () => {
    expect(titles({ kind: 'idle' }, [tool])[0]).toBe('Pi: Not running, 1 tool');
    expect(titles({ kind: 'idle' }, [tool, tool])[0]).toBe('Pi: Not running, 2 tools');
  });

  it('leads to the entry that is used instead of a hidden one', () => {
    const server = new FakeServer(definition, { kind: 'idle' });
    const lenses = serverLenses(server, { kind: 'stdio' }, '/work/api/.other.json');
    expect(lenses).toEqual([{ title: `Pi: ${path} is used instead`, action: 'openWinner' }]);
    // an entry of switches adds to the other one
    expect(serverLenses(server, { kind: 'overrides' }, '/x')[0]?.action).toBe('reveal');
  });
});
