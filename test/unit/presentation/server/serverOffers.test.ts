import { expect, it } from 'vitest';
import { offerNode, serverOffers } from '../../../../src/presentation/server/serverOffers.js';
import { FakeServer, fakeDefinition } from '../../../helpers/fakes/fakeMcp.js';

const catalog = {
  tools: [{ name: 'search', inputSchema: {} }],
  resources: [{ uri: 'n:1', name: 'one', title: 'First' }],
  resourceTemplates: [{ uriTemplate: 'n:{at}', name: 'any' }],
  prompts: [{ name: 'sum', title: 'Sum Up', arguments: [] }],
  skills: [{ uri: 's:', name: 'tidy', description: 'Sorts.\nAll.', frontmatter: {}, files: [] }],
};
const server = new FakeServer(fakeDefinition('notes'), { kind: 'idle' }, catalog);

it('says what a server offers beside tools', () => {
  expect(serverOffers(server)).toEqual([
    { kind: 'resource', key: 'n:1', name: 'First', detail: 'n:1' },
    { kind: 'resource', key: 'n:{at}', name: 'any', detail: 'n:{at}' },
    { kind: 'prompt', key: 'sum', name: 'sum', detail: 'Sum Up' },
    { kind: 'skill', key: 'tidy', name: 'tidy', detail: 'Sorts.' },
  ]);
});

it('finds each again by what its row says, of its kind alone', () => {
  for (const { kind, key } of serverOffers(server)) {
    expect(offerNode(server, kind, key)).toMatchObject({ kind, server });
  }
  expect(offerNode(server, 'prompt', 'tidy')).toBeUndefined();
  expect(offerNode(server, 'resource', 'file:///etc/passwd')).toBeUndefined();
});
