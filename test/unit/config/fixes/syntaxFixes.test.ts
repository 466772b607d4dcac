import { describe, expect, it } from 'vitest';
import { syntaxFixes } from '../../../../src/config/fixes/syntaxFixes.js';

/** The text after the only fix, and its title. */
function fixed(text: string): readonly [string, string] | undefined {
  const [fix, ...others] = syntaxFixes(text);
  expect(others).toEqual([]);
  const [edit] = fix?.edits ?? [];
  return fix && edit
    ? [fix.title, text.slice(0, edit.offset) + edit.content + text.slice(edit.offset)]
    : undefined;
}

describe('syntaxFixes', () => {
  it.each([
    ['{"a": 1 "b": 2}', 'Insert the Missing ,', '{"a": 1, "b": 2}'],
    ['{"a": 1\n  "b": 2}', 'Insert the Missing ,', '{"a": 1,\n  "b": 2}'],
    ['{"a" 1}', 'Insert the Missing :', '{"a": 1}'],
    ['{"a": {"b": 1}\n', 'Insert the Missing }', '{"a": {"b": 1}}\n'],
    ['{"a": [{"b": 1\n', 'Insert the Missing }]}', '{"a": [{"b": 1}]}\n'],
    ['{"a": [1, 2}', 'Insert the Missing ]', '{"a": [1, 2]}'],
    ['{"a": "x\n}', 'Insert the Missing "', '{"a": "x"\n}'],
  ])('mends %j', (text, title, expected) => {
    expect(fixed(text)).toEqual([title, expected]);
  });

  it.each(['{"a": 1}', '', '{"a": }', '{"a": 1 "b" 2}', '{{{{{{{{', 'x'])(
    'has none for %j',
    (text) => {
      expect(syntaxFixes(text)).toEqual([]);
    },
  );
});
