import { expect, it } from 'vitest';
import type { McpServerDefinition } from '../../../../src/config/definition.js';
import { defaultOptions } from '../../../../src/config/schema/fields.js';
import { AgentEntries } from '../../../../src/mcp/trust/agentEntries.js';
import { withoutConsent } from '../../../../src/mcp/trust/canStart.js';
import { TrustStore } from '../../../../src/mcp/trust/trustStore.js';
import { nullLogger } from '../../../../src/platform/ports.js';
import { createDeferred } from '../../../helpers/fakes/deferred.js';

const definition: McpServerDefinition = {
  id: 'a',
  poolId: 'file:///work',
  scope: 'folder',
  name: 'a',
  origin: { layer: 'project', path: '/work/.mcp.json' },
  hides: [],
  launch: { kind: 'stdio', command: 'a', args: [], env: {}, inheritEnv: false },
  enabled: true,
  options: defaultOptions,
  problems: [],
};

it('marks what a call wrote whose files are read after those of a call that ended before', async () => {
  const watcher = { watch: () => ({ dispose: () => undefined }) };
  const store = new TrustStore({ directory: undefined, watcher, logger: nullLogger });
  const found: McpServerDefinition[] = [];
  const reads = [createDeferred(), createDeferred()];
  let count = 0;
  const entries = new AgentEntries({
    store,
    logger: nullLogger,
    definitions: () => found,
    reread: () => reads[count++]?.promise ?? Promise.resolve(),
  });
  const ends = [entries.begin(), entries.begin()];
  for (const end of ends) {
    end();
  }
  reads[0]?.resolve();
  await new Promise(setImmediate);
  found.push(definition);
  reads[1]?.resolve();
  await new Promise(setImmediate);
  expect(Object.keys(store.get(definition.poolId).agentWrote ?? {})).toEqual(['a']);
  // control: what comes when no call runs is not the agent's
  found.push({ ...definition, name: 'b' });
  entries.follow();
  expect(Object.keys(store.get(definition.poolId).agentWrote ?? {})).toEqual(['a']);
});

it.each([
  [{ ownIdentity: 'dev 1' }],
  [{ agentWrote: { a: ['hash'] } }],
  [{ ownIdentity: 'dev 1', agentWrote: { a: ['hash'] } }],
])('keeps what the user did not decide when consent goes: %j', (kept) => {
  const consent = { folderGrantedAt: '2026-01-01', servers: { a: { hash: 'hash' } as never } };
  expect(withoutConsent({ ...consent, ...kept })).toEqual({ servers: {}, ...kept });
  expect(withoutConsent(consent)).toEqual({ servers: {} });
});
