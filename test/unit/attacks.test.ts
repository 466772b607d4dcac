import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const folder = 'test/attacks';

it('lists every group of attacks in its table', () => {
  const [, groups = ''] = readFileSync(`${folder}/README.md`, 'utf8').split('## Groups');
  const listed = [...groups.matchAll(/^\| `(\w+)` \|/gm)].map(([, file]) => `${file}.test.ts`);
  const present = readdirSync(folder).filter((name) => name.endsWith('.test.ts'));
  expect(listed.sort()).toEqual(present.sort());
});
