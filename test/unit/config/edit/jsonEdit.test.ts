import { describe, expect, it } from 'vitest';
import {
  removeJsonProperty,
  renameJsonProperty,
  setJsonValue,
} from '../../../../src/config/edit/jsonEdit.js';

const set =
  (path: string, value: unknown) =>
  (text: string): string =>
    setJsonValue(text, path.split('.'), value);
const remove =
  (path: string) =>
  (text: string): string =>
    removeJsonProperty(text, path.split('.'));

type Case = readonly [string, (text: string) => string, string, string];
const cases: readonly Case[] = [
  ['adds to a long object', set('b', 1), '{\n  "a": 1\n}\n', '{\n  "a": 1,\n  "b": 1\n}\n'],
  ['adds with tabs and CRLF', set('b', 1), '{\r\n\t"a": 1\r\n}', '{\r\n\t"a": 1,\r\n\t"b": 1\r\n}'],
  ['sets the one that counts', set('e.a', 3), '{"e": {"a": 1, "a": 2}}', '{"e": {"a": 1, "a": 3}}'],
  [
    'sets in the object that counts',
    set('e.a', 3),
    '{"e": {"a": 1}, "e": {"a": 2}}',
    '{"e": {"a": 1}, "e": {"a": 3}}',
  ],
  [
    'leaves none that would count now',
    remove('e.a'),
    '{"e": {"a": 1, "a": 2, "b": 1}}',
    '{"e": {"b": 1}}',
  ],
  [
    'leaves none of many, wherever they stand',
    remove('a'),
    '{"a": 1, "b": 2, // two\n  "a": 3,\n  "a": 4, "c": 5, "a": 6, "a": 7}',
    '{"b": 2, // two\n  "c": 5}',
  ],
  ['leaves nothing of one name', remove('a'), '{\n  "a": 1,\n  "a": 2\n}', '{}'],
  ['adds to a short object', set('b', [1, 2]), '{"a": 1}', '{"a": 1, "b": [1, 2]}'],
  [
    'writes a list that is too long for a line on several',
    set('b', ['x'.repeat(40), 'y'.repeat(40)]),
    '{\n  "a": 1\n}',
    `{\n  "a": 1,\n  "b": [\n    "${'x'.repeat(40)}",\n    "${'y'.repeat(40)}"\n  ]\n}`,
  ],
  ['adds to an empty object', set('b', 1), '{}', '{"b": 1}'],
  [
    'adds to an empty object of a long document',
    set('s.x', { c: 'd' }),
    '{\n    "s": {}\n}',
    '{\n    "s": {\n        "x": {\n            "c": "d"\n        }\n    }\n}',
  ],
  [
    'adds behind a comment of the last line',
    set('b', 1),
    '{\n  "a": 1 // one\n}',
    '{\n  "a": 1, // one\n  "b": 1\n}',
  ],
  [
    'adds behind a trailing comma',
    set('b', 1),
    '{\n  "a": 1, // one\n}',
    '{\n  "a": 1, // one\n  "b": 1,\n}',
  ],
  [
    'adds to an object that holds a comment',
    set('b', 1),
    '{\n  // none yet\n}',
    '{\n  // none yet\n  "b": 1\n}',
  ],
  [
    'adds to a short object that holds a comment',
    set('b', 1),
    '{ /* none yet */ }',
    '{ /* none yet */ "b": 1 }',
  ],
  [
    'adds in front of a brace on the same line',
    set('b', 1),
    '{\n  "a": 1 }',
    '{\n  "a": 1,\n  "b": 1 }',
  ],
  ['makes the objects on the way', set('a.b.c', 1), '{}', '{"a": { "b": { "c": 1 } }}'],
  ['makes a document', set('a.b', {}), '', '{\n  "a": {\n    "b": {}\n  }\n}\n'],
  ['makes a document below a comment', set('a', 1), '// mine\n', '// mine\n{\n  "a": 1\n}\n'],
  ['replaces a value', set('a', 'x'), '{ "a" : 1 /* c */ }', '{ "a" : "x" /* c */ }'],
  [
    'leaves an equal value as written',
    set('a', { x: [1] }),
    '{"a":{"x" :[ 1 ]}}',
    '{"a":{"x" :[ 1 ]}}',
  ],
  [
    'changes an object key by key',
    set('a', { x: 1, z: 3 }),
    '{"a": {\n  "x": 1, // one\n  "y": 2, // two\n}}',
    '{"a": {\n  "x": 1, // one\n  "z": 3,\n  // two\n}}',
  ],
  [
    'changes an array item by item',
    set('a', ['x', 'q']),
    '{"a": ["x", /* keep */ "y"]}',
    '{"a": ["x", /* keep */ "q"]}',
  ],
  ['removes the first line', remove('a'), '{\n  "a": 1,\n  "b": 2\n}', '{\n  "b": 2\n}'],
  ['removes the last line', remove('b'), '{\n  "a": 1,\n  "b": 2\n}', '{\n  "a": 1\n}'],
  ['leaves the blank in front of the only property', remove('a'), '{ "a": 1}', '{ }'],
  ['removes the only line', remove('a'), '{\n  "a": 1\n}', '{}'],
  ['keeps the comment of the only line', remove('a'), '{\n  // one\n  "a": 1\n}', '{\n  // one\n}'],
  [
    'adds an item to an array, beside the comments of the others',
    set('a', ['x', 'new', 'y']),
    '{"a": [\n  "x", // one\n  "y" // two\n]}',
    '{"a": [\n  "x", // one\n  "new",\n  "y" // two\n]}',
  ],
  [
    'drops an item of an array and keeps the comments of the others',
    set('a', ['y', 'z']),
    '{"a": [\n  "x",\n  "y", // two\n  "z", // three\n]}',
    '{"a": [\n  "y", // two\n  "z", // three\n]}',
  ],
  [
    'adds in front of a line with several items',
    set('a', ['-y', 'p', '--flag']),
    '{\n"a": [\n  "p", "--flag"\n]}',
    '{\n"a": [\n  "-y", "p", "--flag"\n]}',
  ],
  ['empties an array', set('a', []), '{"a": [1, 2]}', '{"a": []}'],
  ['removes from a short object', remove('b'), '{ "a": 1, "b": 2, "c": 3 }', '{ "a": 1, "c": 3 }'],
  ['removes the end of a short object', remove('b'), '{ "a": 1, "b": 2 }', '{ "a": 1 }'],
  ['removes the only property and its trailing comma', remove('a'), '{"a":1,}', '{}'],
  [
    'keeps the style of trailing commas',
    remove('b'),
    '{\n  "a": 1,\n  "b": 2,\n}',
    '{\n  "a": 1,\n}',
  ],
  [
    'keeps the comment of the line before',
    remove('b'),
    '{\n  "a": 1, // one\n  "b": 2\n}',
    '{\n  "a": 1 // one\n}',
  ],
  [
    'keeps a comment in front of the comma',
    remove('a'),
    '{"a": 1 /* c */, "b": 2}',
    '{/* c */ "b": 2}',
  ],
  ['removes nothing that is not there', remove('x.y'), '{"a":1}', '{"a":1}'],
];

describe('edits of JSON text', () => {
  it.each(cases)('%s', (_label, edit, text, expected) => {
    expect(edit(text)).toBe(expected);
  });

  it('renames in place', () => {
    expect(renameJsonProperty('{"a": {"b" : 1}}', ['a', 'b'], 'c"')).toBe('{"a": {"c\\"" : 1}}');
  });

  it('sets a property that means something to JavaScript', () => {
    expect(setJsonValue('{"a": 1}', ['__proto__'], 1)).toBe('{"a": 1, "__proto__": 1}');
  });
});
