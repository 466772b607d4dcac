import { expect, it } from 'vitest';
import type { McpService } from '../../../../src/mcp/mcpApi.js';
import { namedServer, originalName } from '../../../../src/presentation/tree/targets.js';
import {
  FakeServer,
  FakeService,
  fakeDefinition,
  fakePool,
} from '../../../helpers/fakes/fakeMcp.js';

it('names what a node stands for as its server calls it', () => {
  const server = new FakeServer(fakeDefinition('db'), { kind: 'idle' });
  const tool = { name: 'run_query', title: 'Run Query', inputSchema: {} };
  const resource = { uri: 'file:///a', name: 'a' };
  expect(originalName({ kind: 'tool', server, tool })).toBe('run_query');
  expect(originalName({ kind: 'resource', server, resource })).toBe('file:///a');
  expect(originalName({ kind: 'prompt', server, prompt: { name: 'p', arguments: [] } })).toBe('p');
  const skill = {
    uri: 'skill:///f/SKILL.md',
    name: 'f',
    description: '',
    frontmatter: {},
    files: [],
  };
  expect(originalName({ kind: 'skill', server, skill })).toBe('f');
  expect(originalName({ kind: 'pool', pool: fakePool([server]) })).toBeUndefined();
});

it('puts no other server in the place of one that is gone', () => {
  const server = new FakeServer(fakeDefinition('db'), { kind: 'idle' });
  const service = new FakeService([fakePool([server])]) as unknown as McpService;
  const { id } = server.definition;
  expect(namedServer(service, id)).toBe(server);
  expect(namedServer(service, undefined)).toBeUndefined();
  expect(namedServer(service, { kind: 'pool', pool: fakePool([server]) })).toBeUndefined();
  const gone = new FakeServer(fakeDefinition('old'), { kind: 'idle' });
  for (const argument of [gone.definition.id, { kind: 'server', server: gone }]) {
    expect(() => namedServer(service, argument)).toThrow('does not exist any more');
  }
});
