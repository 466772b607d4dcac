/** Which parts the overview of a server has. */
import { expect, it } from 'vitest';
import type { McpService } from '../../../../src/mcp/mcpApi.js';
import type { McpServerState } from '../../../../src/mcp/mcpTypes.js';
import { serverPageView } from '../../../../src/presentation/server/serverPageView.js';
import {
  FakeServer,
  FakeService,
  fakeDefinition,
  fakeFailure,
  fakeFolder,
  fakePool,
} from '../../../helpers/fakes/fakeMcp.js';

const folder = fakeFolder('app');
const idle: McpServerState = { kind: 'idle' };
const waiting: McpServerState = { kind: 'trust_required', reason: { kind: 'never_consented' } };
const failing: McpServerState = { kind: 'error', failure: fakeFailure() };

function sectionsOf(state: McpServerState) {
  const server = new FakeServer(fakeDefinition('notes', { folder }), state);
  const service = new FakeService([fakePool([server], { folder })]) as unknown as McpService;
  const context = { isWorkspaceTrusted: true, folderTrust: () => ({ kind: 'none' as const }) };
  return serverPageView(service, { id: server.id, name: 'notes' }, context).sections;
}

it('has no heading for the state of a server that never ran', () => {
  for (const state of [waiting, { kind: 'disabled', by: 'server' } as const]) {
    expect(sectionsOf(state).map(({ title }) => title)).not.toContain('State');
  }
});

it('leads to the log of a server that may run, whatever became of it', () => {
  for (const state of [idle, failing]) {
    const section = sectionsOf(state).find(({ title }) => title === 'State');
    expect(section?.actions.map(({ action }) => action)).toEqual(['log']);
  }
});
