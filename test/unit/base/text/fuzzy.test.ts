import { describe, expect, it } from 'vitest';
import { fuzzyQuery, fuzzyScore, fuzzyText } from '../../../../src/base/text/fuzzy.js';

const best = (typed: string, texts: readonly string[]) =>
  texts
    .map((text) => ({ text, score: fuzzyScore(fuzzyQuery(typed), fuzzyText(text)) }))
    .filter(({ score }) => score !== undefined)
    .sort((a, b) => Number(b.score) - Number(a.score))
    .map(({ text }) => text);

describe('a fuzzy search', () => {
  it.each([
    ['cart', ['src/cart.ts', 'src/cart/tax.ts', 'docs/chart.md'], 'src/cart.ts'],
    ['ct', ['src/connect.ts', 'src/cartTotal.ts'], 'src/connect.ts'],
    ['srccart', ['src/cart.ts'], 'src/cart.ts'],
    ['src/cart', ['src/cart.ts', 'lib/src-cart.ts'], 'src/cart.ts'],
    ['SRC\\CART', ['src/cart.ts'], 'src/cart.ts'],
    ['my file#1', ['notes/my file#1.md', 'myfile.md'], 'notes/my file#1.md'],
    ['readme', ['packages/readme-tool/index.ts', 'README.md'], 'README.md'],
    ['größe', ['src/Größe.ts', 'src/grosse.ts'], 'src/Größe.ts'],
  ])('finds for %j the best of %j', (typed, texts, expected) => {
    expect(best(typed, texts)[0]).toBe(expected);
  });

  it('finds nothing whose letters are not there in order', () => {
    expect(best('trac', ['src/cart.ts'])).toEqual([]);
    expect(best('carts', ['cart'])).toEqual([]);
  });

  it('takes nothing typed for everything', () => {
    expect(fuzzyScore(fuzzyQuery('  '), fuzzyText('any'))).toBe(0);
  });

  it('names a folder by its last part', () => {
    expect(best('test', ['test/unit/a/', 'src/test/'])[0]).toBe('src/test/');
  });
});
