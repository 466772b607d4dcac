import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, it } from 'vitest';
import {
  countToolTokens,
  loadTokenCounter,
} from '../../../../../src/mcp/catalog/tokens/tokenEstimate.js';
import { SeededRandom } from '../../../../helpers/seededRandom.js';

it('counts real tokens, special ones as text', async () => {
  const count = await loadTokenCounter();
  expect(count('hello world')).toBe(2);
  expect(count('<|endoftext|>')).toBeGreaterThan(1);
  const tool = { name: 'a', inputSchema: { type: 'object' } };
  const longer = { ...tool, description: 'Reads a file and returns all of its lines.' };
  expect(countToolTokens(longer, count) - countToolTokens(tool, count)).toBeGreaterThan(5);
});

/** All kinds of letters, numbers, spaces, halves of pairs and what no token begins with. */
const alphabets = [
  'abcdefghijklmnopqrstuvwxyz',
  'The quick brown fox, the lazy dog: {"type":"object","description":""} ',
  "ABCdeFGH 'll 's 've 0123456789 \t\n\r\n  /* */ _-./\\",
  'äöüßéèñçøåЖждкΣσωअआइ価格日本語한국어ไทย',
  '🙂🏽👩‍👩‍👧‍👦🇩🇪\u200D\uFE0F\u0301\uFFFD\u0000\u00A0\u3000',
  'a\uD83D\uDE42\uD83D b\uDE42',
];

it('counts whatever stands in a text as the package does that the vocabulary is from', async () => {
  const count = await loadTokenCounter();
  const random = new SeededRandom(1);
  for (let round = 0; round < 1500; round++) {
    const alphabet = [...(alphabets[round % alphabets.length] ?? ''), ...(round % 5 ? '' : 'e t')];
    const text = Array.from({ length: random.below(120) }, () => random.pick(alphabet)).join('');
    expect(count(text), JSON.stringify(text)).toBe(
      countTokens(text, { disallowedSpecial: new Set() }),
    );
  }
});

it('counts a long word in a time that grows with its length', async () => {
  const count = await loadTokenCounter();
  // the package takes minutes, since it looks at all pairs for each one that it joins
  expect(count('a'.repeat(1_000_000))).toBe(count('a'.repeat(1000)) * 1000);
});
