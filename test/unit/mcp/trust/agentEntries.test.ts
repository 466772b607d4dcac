import { expect, it } from 'vitest';
import { globalPoolId, type McpServerDefinition } from '../../../../src/config/definition.js';
import { defaultOptions } from '../../../../src/config/schema/fields.js';
import { AgentEntries } from '../../../../src/mcp/trust/agentEntries.js';
import { withoutConsent } from '../../../../src/mcp/trust/canStart.js';
import { TrustStore } from '../../../../src/mcp/trust/trustStore.js';
import { nullLogger } from '../../../../src/platform/ports.js';
import { createDeferred } from '../../../helpers/fakes/deferred.js';

const launch = { kind: 'stdio', command: 'a', args: [], env: {}, inheritEnv: false } as const;
const definition: McpServerDefinition = {
  id: 'a',
  poolId: 'file:///work',
  scope: 'folder',
  name: 'a',
  origin: { layer: 'project', path: '/work/.mcp.json' },
  hides: [],
  launch,
  enabled: true,
  options: defaultOptions,
  problems: [],
};

/** @param reread what reading all files again does. */
function open(found: readonly McpServerDefinition[], reread: () => Promise<void>) {
  const watcher = { watch: () => ({ dispose: () => undefined }) };
  const store = new TrustStore({ directory: undefined, watcher, logger: nullLogger });
  const logged: string[] = [];
  const entries = new AgentEntries({
    store,
    logger: { log: (_level, message) => void logged.push(message) },
    definitions: () => found,
    reread,
  });
  const marked = () =>
    Object.entries(store.all).flatMap(([uri, { agentWrote = {} }]) =>
      Object.keys(agentWrote).map((name) => `${uri} ${name}`),
    );
  return { entries, logged, marked };
}

it('marks what a call wrote whose files are read after those of a call that ended before', async () => {
  const found: McpServerDefinition[] = [];
  const reads = [createDeferred(), createDeferred()];
  let count = 0;
  const { entries, marked } = open(found, () => reads[count++]?.promise ?? Promise.resolve());
  const ends = [entries.begin(), entries.begin()];
  for (const end of ends) {
    end();
  }
  reads[0]?.resolve();
  await new Promise(setImmediate);
  found.push(definition);
  reads[1]?.resolve();
  await new Promise(setImmediate);
  expect(marked()).toEqual(['file:///work a']);
  // control: what comes when no call runs is not the agent's
  found.push({ ...definition, name: 'b' });
  entries.follow();
  expect(marked()).toEqual(['file:///work a']);
});

it('marks what a call wrote while another one says twice that it has ended', async () => {
  const found: McpServerDefinition[] = [];
  const { entries, marked } = open(found, () => Promise.resolve());
  const [end] = [entries.begin(), entries.begin()];
  end();
  end();
  await new Promise(setImmediate);
  found.push(definition);
  entries.follow();
  expect(marked()).toEqual(['file:///work a']);
});

it('goes on where the files cannot be read again, and says so', async () => {
  const found: McpServerDefinition[] = [];
  const { entries, logged, marked } = open(found, () => Promise.reject(new Error('unreadable')));
  entries.begin()();
  await new Promise(setImmediate);
  expect(logged).toEqual(['unreadable']);
  found.push(definition);
  entries.follow();
  expect(marked()).toEqual([]);
});

it.each([
  ['new', {}, true],
  ['switched off', { enabled: false }, false],
  ['without anything to start', { launch: undefined }, false],
  ['of the user', { poolId: globalPoolId, scope: 'global' }, false],
  ['written otherwise', { name: 'there', launch: { ...launch, command: 'b' } }, true],
  ['there before', { name: 'there' }, false],
] as const)(
  'marks a server only where a file of a folder has it start: %s',
  (_what, change, isMarked) => {
    const found: McpServerDefinition[] = [{ ...definition, name: 'there' }];
    const { entries, marked } = open(found, () => Promise.resolve());
    entries.begin();
    found.push({ ...definition, ...change });
    entries.follow();
    expect(marked().length).toBe(isMarked ? 1 : 0);
  },
);

it.each([
  [{ ownIdentity: 'dev 1' }],
  [{ agentWrote: { a: ['hash'] } }],
  [{ ownIdentity: 'dev 1', agentWrote: { a: ['hash'] } }],
])('keeps what the user did not decide when consent goes: %j', (kept) => {
  const consent = { folderGrantedAt: '2026-01-01', servers: { a: { hash: 'hash' } as never } };
  expect(withoutConsent({ ...consent, ...kept })).toEqual({ servers: {}, ...kept });
  expect(withoutConsent(consent)).toEqual({ servers: {} });
});
