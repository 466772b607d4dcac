import { expect, it } from 'vitest';
import type { DefinitionChange } from '../../../../src/mcp/mcpTypes.js';
import { definitionLines } from '../../../../src/mcp/trust/definitionLines.js';

const lines = (before: DefinitionChange['before'], definition: DefinitionChange['definition']) =>
  definitionLines({ before, definition }).map(
    ({ label, text, change }) => `${change} ${label}: ${text}`,
  );

it('shows each text that differs, before and now, and nothing that is the same', () => {
  const before = {
    title: 'Read',
    description: 'Reads a file.',
    annotations: { readOnlyHint: true },
  };
  expect(lines(before, before)).toEqual([]);
  expect(lines(before, { ...before, description: 'Reads any file.' })).toEqual([
    'removed description: Reads a file.',
    'added description: Reads any file.',
  ]);
  expect(lines(before, { title: 'Look', description: 'Reads a file.' })).toEqual([
    'removed title: Read',
    'added title: Look',
    'removed hints: readOnlyHint: true',
  ]);
});

it('names what a skill says of itself, its address, its text and its files', () => {
  const skill = { frontmatter: { a: 'b' }, uri: 's:', text: 'Do it.', files: ['a.md', null] };
  expect(lines(undefined, skill)).toEqual([
    'added frontmatter: a: b',
    'added uri: s:',
    'added instructions: Do it.',
    'added files: ["a.md",null]',
  ]);
});

it('names the place in a schema, lists in one line', () => {
  const schema = (required: readonly string[]) => ({
    inputSchema: { properties: { 'a.b': { description: 'A path.' } }, required },
  });
  expect(lines(schema([]), schema(['a.b', 'c']))).toEqual([
    'removed arguments: required: []',
    'added arguments: required: ["a.b","c"]',
  ]);
  expect(lines(undefined, schema(['x']))).toEqual([
    'added arguments: properties.a.b.description: A path.',
    'added arguments: required: ["x"]',
  ]);
  expect(lines(undefined, { inputSchema: { anyOf: [{ type: 'x' }] } })).toEqual([
    'added arguments: anyOf.0.type: x',
  ]);
});

it('shows an argument of which nothing is said', () => {
  const schema = (properties: Record<string, unknown>) => ({ inputSchema: { properties } });
  expect(lines(schema({}), schema({ token: {} }))).toEqual([
    'removed arguments: properties: {}',
    'added arguments: properties.token: {}',
  ]);
});

it('marks the words that differ, and those alone', () => {
  const [removed, added] = definitionLines({
    before: { text: 'Be kind to users.' },
    definition: { text: 'Be cruel to users.' },
  });
  const marked = (line: typeof removed) =>
    line?.rows[0]?.flatMap(({ text, isChanged }) => (isChanged ? [text] : []));
  expect([marked(removed), marked(added)]).toEqual([['kind'], ['cruel']]);
  // none of it is a word of ours, which nobody escapes
  const parts = [removed, added].flatMap((line) => line?.rows.flat() ?? []);
  expect(parts.filter(({ isValue }) => !isValue)).toEqual([]);
});

it('escapes what hides, and shows all of a text that is long or nested without end', () => {
  const [line] = lines(undefined, { description: 'a\u202eb' });
  expect(line).toBe('added description: "a\\u{202e}b"');
  const words = (word: string) => Array.from({ length: 5_000 }, (_, at) => word + at).join(' ');
  expect(lines({ description: words('a') }, { description: words('b') })).toEqual([
    `removed description: ${words('a')}`,
    `added description: ${words('b')}`,
  ]);
  let deep: unknown = 'end';
  for (let level = 0; level < 1_000; level++) {
    deep = { deep };
  }
  expect(lines(undefined, { inputSchema: deep })[0]).toContain('end');
});
