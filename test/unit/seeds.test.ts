/** The behaviours of the seeds, each with a test that exists or with the reason why it is different here. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { breaks, unbroken } from '../fixtures/seeds/breaks/breaks.js';
import { differences } from '../fixtures/seeds/differences.js';
import { seeds } from '../fixtures/seeds/seeds.js';
import { expectSection } from '../helpers/documents/sections.js';
import { citedTests, findBreakFaults, type SeedBreak } from '../helpers/seeds/seedBreaks.js';
import {
  comparison,
  findSeedFaults,
  findUnusedReasons,
  fullTable,
} from '../helpers/seeds/seedTable.js';
import type { Seed, SeedRow } from '../helpers/seeds/seedTypes.js';
import { parseTests, readTests } from '../helpers/seeds/testTitles.js';

describe('the table of the seeds', () => {
  it('has a test or a reason for every behaviour, and only tests that exist', () => {
    expect(seeds.flatMap(({ rows }) => rows).length).toBeGreaterThan(330);
    expect(findSeedFaults(seeds, readTests)).toEqual([]);
  });

  it('gives no reason for nothing', () => {
    expect(findUnusedReasons(seeds, differences)).toEqual([]);
    expect(findUnusedReasons([], { nothing: { here: '', why: '' } })).toEqual(['nothing']);
  });

  it('is the one that stands beside it (UPDATE_GOLDEN=1 rewrites it)', () => {
    expectSection('test/fixtures/seeds/README.md', 'table', fullTable(seeds));
  });

  it('is the one that the page of comparisons shows (UPDATE_GOLDEN=1 rewrites it)', () => {
    expectSection('docs/comparison.md', 'comparison', comparison(seeds));
  });
});

describe('the breaks of the code behind the table', () => {
  it('fit the code, and leave out no row of the table without a reason', () => {
    const read = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);
    // `npm run test:seeds` makes them
    expect(findBreakFaults(seeds, breaks, unbroken, read)).toEqual([]);
  });

  it('are noticed when they fit nothing', () => {
    const row = { id: 'forge.files.a', behaviour: 'It does.', tests: ['unit/a.test.ts › works'] };
    const seed: Seed = { id: 'forge', name: 'x', rows: [row] };
    const one = { rows: [row.id], file: 'a.ts', find: 'x === y', replace: 'x !== y' };
    const faultsOf = (changes: Partial<SeedBreak>, cited = row) =>
      findBreakFaults([{ ...seed, rows: [cited] }], [{ ...one, ...changes }], [], () => 'x === y');
    expect(faultsOf({})).toEqual([]);
    expect(faultsOf({ find: 'y' }, row)).toEqual([]);
    expect(faultsOf({ find: 'z' })).toEqual(['forge.files.a: a.ts has "z" 0 times']);
    expect(faultsOf({ replace: one.find })).toEqual(['forge.files.a: nothing is broken']);
    expect(faultsOf({ rows: ['forge.files.b'] })).toEqual([
      'there is no row forge.files.b',
      'forge.files.a has neither a break nor a reason',
    ]);
    expect(faultsOf({}, { ...row, tests: ['e2e/a.test.ts › works'] })).toEqual([
      'forge.files.a cites no test that a break could turn red',
    ]);
  });

  it('name the tests by titles in which what a table fills in is anything', () => {
    const tests = ['e2e/a.test.ts › x', 'integration/b.test.ts › one › reads %s (%j) # case'];
    expect(citedTests({ id: 'x', behaviour: 'y', tests })).toEqual([
      {
        ring: 'integration',
        file: 'test/integration/b.test.ts',
        pattern: 'one .*reads .* \\(.*\\)',
      },
    ]);
  });
});

describe('the check of the table', () => {
  const test = 'unit/a.test.ts › works';
  const titles: Readonly<Record<string, string>> = {
    'unit/a.test.ts':
      "describe('one', () => { it('works', () => {}); it('works too', () => {}); });",
    'unit/b.test.ts': "for (const x of ['one', 'two']) { it('works', x); it('works', x); }",
  };

  function faultsOf(changes: Partial<SeedRow>, code = titles): readonly string[] {
    const row = { id: 'forge.files.a', behaviour: 'It does.', tests: [test], ...changes };
    const seed: Seed = { id: 'forge', name: 'x', rows: [row] };
    return findSeedFaults([seed], (file) => {
      const text = code[file];
      return text === undefined ? undefined : parseTests(text);
    });
  }

  it('has nothing against a row whose test exists, or that gives a reason', () => {
    expect(faultsOf({})).toEqual([]);
    expect(faultsOf({ tests: ['unit/a.test.ts › one › works'] })).toEqual([]);
    expect(faultsOf({ tests: [], differentBecause: { here: 'x', why: 'y' } })).toEqual([]);
  });

  it('notices a test that is renamed, commented out or in another file', () => {
    const fault = ['forge.files.a: unit/a.test.ts has no test "works"'];
    const code = (text: string) => ({ 'unit/a.test.ts': text });
    expect(faultsOf({}, code("it('works otherwise', () => {});"))).toEqual(fault);
    expect(faultsOf({}, code("// it('works', () => {});\nconst text = 'works';"))).toEqual(fault);
    expect(faultsOf({}, {})).toEqual(['forge.files.a: there is no file of tests unit/a.test.ts']);
  });

  it('notices a title that several tests have', () => {
    expect(faultsOf({ tests: ['unit/b.test.ts › works'] })).toEqual([
      'forge.files.a: unit/b.test.ts has several tests "works"',
    ]);
  });

  it('notices a case that a table lost', () => {
    const code = (label: string) => ({
      'unit/a.test.ts': `it.each([['${label}', 1]])('reads %s', () => {});`,
    });
    const tests = ['unit/a.test.ts › reads %s # an answer'];
    expect(faultsOf({ tests }, code('an answer'))).toEqual([]);
    expect(faultsOf({ tests }, code('another answer'))).toEqual([
      'forge.files.a: unit/a.test.ts has no case "an answer"',
    ]);
  });

  it.each<[string, Partial<SeedRow>, string]>([
    ['neither a test nor a reason', { tests: [] }, 'has neither a test nor a reason'],
    ['an id of another seed', { id: 'pilot.files.a' }, 'is no id of forge'],
    ['an id without a theme', { id: 'forge.a' }, 'is no id of forge'],
    ['an unknown theme', { id: 'forge.things.a' }, 'is no id of forge'],
    ['no words', { behaviour: ' ' }, 'says nothing'],
    ['a test twice', { tests: [test, test] }, 'names a test twice'],
  ])('notices %s', (_what, changes, fault) => {
    expect(faultsOf(changes)).toEqual([expect.stringContaining(fault)]);
  });

  it('notices an id that is there twice', () => {
    const row = { id: 'forge.files.a', behaviour: 'x', tests: [test] };
    const seed: Seed = { id: 'forge', name: 'x', rows: [row, row] };
    expect(findSeedFaults([seed], () => parseTests("it('works', () => {});"))).toEqual([
      'forge.files.a is there twice',
    ]);
  });

  it('reads titles of tables, of skipped tests and of those that stand in a loop', () => {
    const code = `
      describe.each([1])('group %i', () => {
        it.each<[string]>([['a']])('reads %s', () => {});
        it.skipIf(true)('refuses', () => {});
        test('is no test of ours', () => {});
        run('is none either', () => {});
      });`;
    const { titles, texts } = parseTests(code);
    expect(titles).toEqual(['group %i › reads %s', 'group %i › refuses']);
    expect(texts.has('a')).toBe(true);
  });
});
