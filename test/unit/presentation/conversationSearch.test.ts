import { expect, it } from 'vitest';
import { excerptOf } from '../../../src/presentation/conversationSearch.js';

it('shows where a text holds the query, in one line, whatever its case', () => {
  expect(excerptOf('We ran the Tests.', ' the\n TESTS ')).toBe('We ran the Tests.');
  const long = `${'a '.repeat(100)}needle${' b'.repeat(100)}`;
  expect(excerptOf(long, 'needle')).toMatch(/^…(a )+needle( b)+…$/);
  expect(excerptOf(long, 'needle')?.length).toBeLessThan(100);
});

it('finds nothing for a query that is empty or absent', () => {
  expect(excerptOf('words', ' ')).toBeUndefined();
  expect(excerptOf('words', 'sword')).toBeUndefined();
});
