import { expect, it } from 'vitest';
import { hasNamedTest, rowsOf } from '../helpers/namedTests.js';

const folder = 'integration/faults';
const rows = rowsOf(`test/${folder}/README.md`, /^\| [A-Z]\d/).map(([id = '', , test = '']) => ({
  id,
  test,
}));

it('has a test for every known fault', () => {
  expect(rows.length).toBeGreaterThan(80);
  const missing = rows.filter(({ test }) => {
    // files of the folder are named without it, and tests that run once per fault stand in a table
    const reference = test.replace(/^`(\w+)`/, `\`${folder}/$1\``);
    return !hasNamedTest(reference, 'test/fixtures/stateFaults.ts');
  });
  expect(missing).toEqual([]);
});

it('names each fault once', () => {
  const ids = rows.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});
