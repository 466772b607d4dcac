import { expect, it } from 'vitest';
import { hasNamedTest, rowsOf } from '../helpers/namedTests.js';

const rows = rowsOf('SECURITY.md', /^\| (?!asset|---)/);

it('has a test for every threat that SECURITY.md names', () => {
  expect(rows.length).toBeGreaterThan(25);
  const tests = rows.map((cells) => cells.at(-1) ?? '');
  expect(tests.filter((test) => !hasNamedTest(test))).toEqual([]);
});

it('says for every threat what is attacked, by whom, how and what stands in the way', () => {
  expect(rows.filter((cells) => cells.length !== 5 || cells.includes(''))).toEqual([]);
});
