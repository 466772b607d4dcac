import { describe, expect, it } from 'vitest';
import { openVariableAt, stringValueAt } from '../../../../src/presentation/language/stringAt.js';

/** Splits at the cursor mark. */
function at(marked: string): [text: string, offset: number] {
  return [marked.replace('|', ''), marked.indexOf('|')];
}

describe('stringValueAt', () => {
  it('finds the string around the cursor, quotes excluded', () => {
    const [text, offset] = at('{ "env": { "A": "va|lue" } }');
    const range = stringValueAt(text, offset);
    expect(range && text.slice(range.start, range.end)).toBe('value');
  });

  it.each(['{ "e|nv": "x" }', '{ "env"| : "x" }', '{ "env": tr|ue }', '|'])(
    'finds none in %s',
    (marked) => {
      expect(stringValueAt(...at(marked))).toBeUndefined();
    },
  );
});

describe('openVariableAt', () => {
  it.each([
    ['{ "url": "https://$|" }', '$'],
    ['{ "url": "${|" }', '${'],
    ['{ "url": "a${env:HO|ME}/b" }', '${env:HOME}'],
  ])('covers what is typed of a variable in %s', (marked, expected) => {
    const [text, offset] = at(marked);
    const range = openVariableAt(text, offset);
    expect(range && text.slice(range.start, range.end)).toBe(expected);
  });

  it.each(['{ "url": "${done}|" }', '{ "url": "plain|" }', '{ "$|": 1 }'])(
    'is none in %s',
    (marked) => {
      expect(openVariableAt(...at(marked))).toBeUndefined();
    },
  );
});
