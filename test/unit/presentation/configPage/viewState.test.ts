import { expect, it } from 'vitest';
import type { McpService } from '../../../../src/mcp/mcpApi.js';
import { configViewState } from '../../../../src/presentation/configPage/viewState.js';
import {
  FakeServer,
  FakeService,
  fakeDefinition,
  fakeFailure,
  fakeFolder,
  fakePool,
} from '../../../helpers/fakes/fakeMcp.js';

it('lists the servers of every pool with their state, file and tools', () => {
  const folder = fakeFolder('api');
  const notes = new FakeServer(
    fakeDefinition('notes', { folder }),
    { kind: 'connected', transport: 'stdio', since: 0, connectMs: 1 },
    { tools: [{ name: 'read', description: 'Reads.', inputSchema: {} }] },
  );
  const bad = new FakeServer(fakeDefinition('bad'), { kind: 'error', failure: fakeFailure() });
  const off = new FakeServer(fakeDefinition('off', { change: { enabled: false } }), {
    kind: 'disabled',
    by: 'server',
  });
  const pools = [fakePool([bad, off]), fakePool([notes], { folder })];
  const service = Object.assign(new FakeService(pools), {
    trust: { isWorkspaceTrusted: true, folderTrust: () => ({ kind: 'none' }) },
    configuration: { location: (_pool: string, file: string) => ({ path: `/${file}` }) },
  }) as unknown as McpService;
  const use = {
    isLent: () => true,
    profileOf: () => ({ source: 'folder' as const, name: 'docs', profile: undefined }),
  };
  expect(configViewState(service, use).pools.map((pool) => pool.use)).toEqual([
    undefined,
    { isLent: true, profile: 'missing profile: docs' },
  ]);
  const shown = configViewState(service).pools.map(({ label, servers }) => [label, servers]);
  expect(shown).toMatchObject([
    [
      'User',
      [
        { name: 'bad', state: 'error', enabled: true, tools: '' },
        { name: 'off', state: 'disabled', enabled: false },
      ],
    ],
    [
      'api',
      [
        {
          name: 'notes',
          state: 'connected',
          kind: 'stdio',
          tools: '1 tool',
        },
      ],
    ],
  ]);
});
