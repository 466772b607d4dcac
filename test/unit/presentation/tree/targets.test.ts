import { expect, it } from 'vitest';
import { originalName } from '../../../../src/presentation/tree/targets.js';
import { FakeServer, fakeDefinition, fakePool } from '../../../helpers/fakes/fakeMcp.js';

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
