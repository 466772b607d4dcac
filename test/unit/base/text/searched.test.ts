import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { foundPlaces, searchedPlaces, searchedText } from '../../../../src/base/text/searched.js';

it('makes no difference of case, and one space of any white space', () => {
  expect(searchedText('One\n\t Two  THREE')).toBe('one two three');
  expect(searchedPlaces('One\n Two')).toEqual({ text: 'one two', at: [0, 1, 2, 3, 5, 6, 7] });
});

it('keeps its places beside letters that have two when they are small', () => {
  const { text, at } = searchedPlaces('İstanbul, Straße');
  expect(text).toBe('İstanbul, straße');
  expect(at).toEqual([...text].map((_, index) => index));
  expect(searchedText('İstanbul, Straße')).toBe(text);
});

it('finds a text as often as it stands there, without overlaps', () => {
  expect(foundPlaces('aa', 'aaaaa')).toEqual([0, 2]);
  expect(foundPlaces('', 'abc')).toEqual([]);
  expect(foundPlaces('a', 'aaaa', 2)).toEqual([0, 1]);
});

it('reads a text alike with its places and without', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'B', ' ', '\n', '\t', 'é', 'ß', 'Σ', '#') });
  fc.assert(
    fc.property(texts, (text) => {
      const places = searchedPlaces(text);
      expect(places.text).toBe(searchedText(text));
      expect(places.at).toHaveLength(places.text.length);
      for (const [index, at] of places.at.entries()) {
        expect(searchedText(text[at] ?? '')).toBe(places.text[index]);
      }
    }),
  );
});
