import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const folder = 'test/integration/faults';
const rows = readFileSync(`${folder}/README.md`, 'utf8')
  .split('\n')
  .filter((line) => /^\| [A-Z]\d/.test(line))
  .map((line) => {
    const [id = '', , test = ''] = line.slice('| '.length, -' |'.length).split(' | ');
    return { id, test };
  });

it('has a test for every known fault', () => {
  expect(rows.length).toBeGreaterThan(80);
  const missing = rows.filter(({ test }) => {
    const [, file = '', title = ''] = /^`([^`]+)` › (.+)$/.exec(test) ?? [];
    const path = file.includes('/') ? `test/${file}.test.ts` : `${folder}/${file}.test.ts`;
    // the names of tests that run once per fault stand in a table
    const table =
      file === 'stateFaults' ? readFileSync('test/fixtures/stateFaults.ts', 'utf8') : '';
    return !existsSync(path) || !`${readFileSync(path, 'utf8')}${table}`.includes(`'${title}`);
  });
  expect(missing).toEqual([]);
});

it('names each fault once', () => {
  const ids = rows.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});
