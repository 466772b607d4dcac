import { expect, it } from 'vitest';
import type { McpServerState } from '../../../src/mcp/mcpTypes.js';
import { isReadyToStart } from '../../../src/mcp/stateKinds.js';
import { fakeFailure } from '../../helpers/fakes/fakeMcp.js';

it('lets every server be started that may run and does not, so all of a project', () => {
  const failure = fakeFailure();
  const states: readonly McpServerState[] = [
    { kind: 'idle' },
    { kind: 'error', failure },
    { kind: 'needs_auth', failure },
    { kind: 'connecting' },
    { kind: 'connected', transport: 'stdio', since: 0, connectMs: 1 },
    { kind: 'disabled', by: 'server' },
    { kind: 'invalid', problems: [] },
    { kind: 'trust_required', reason: { kind: 'never_consented' } },
  ];
  expect(states.filter(isReadyToStart).map(({ kind }) => kind)).toEqual([
    'idle',
    'error',
    'needs_auth',
  ]);
});
