/** What `npm test` runs, and what it says in the end. */
import { expect, it } from 'vitest';
import { chooseRings } from '../ringTable.mjs';
import { failedFiles, Tally } from '../tally.mjs';

type Tests = Readonly<Record<string, 'passed' | 'failed' | 'pending' | 'todo'>>;

/** A report about files by their names. */
function run(files: Readonly<Record<string, Tests>>, isPassed?: boolean) {
  const testResults = Object.entries(files).map(([name, tests]) => ({
    name,
    // a file without a result of a test did not load
    status:
      Object.values(tests).some((status) => status !== 'failed') && !fails(tests)
        ? 'passed'
        : 'failed',
    assertionResults: Object.entries(tests).map(([fullName, status]) => ({ fullName, status })),
  }));
  return {
    isPassed: isPassed ?? testResults.every(({ status }) => status === 'passed'),
    report: { testResults },
  };
}

const fails = (tests: Tests) => Object.values(tests).includes('failed');

function linesOf(...runs: readonly Parameters<Tally['add']>[]): readonly string[] {
  const tally = new Tally();
  for (const args of runs) {
    tally.add(...args);
  }
  return tally.lines;
}

it('counts the tests of all rings', () => {
  const unit = run({ a: { one: 'passed', two: 'passed' }, b: { three: 'failed', four: 'passed' } });
  const faults = run({ c: { five: 'passed' } });
  expect(linesOf(['unit', unit], ['faults', faults])).toEqual([
    'Failed:',
    '  unit › b › three',
    '4 passed, 1 failed',
  ]);
});

it('counts what was not run', () => {
  const unit = run({ a: { one: 'passed', two: 'pending', three: 'todo' } });
  expect(linesOf(['unit', unit])).toEqual(['1 passed, 0 failed, 2 skipped']);
});

it('names what passes only the second time, and does not count it as failed', () => {
  const first = run({ a: { one: 'passed' }, b: { one: 'failed', two: 'passed', three: 'failed' } });
  const second = run({ b: { one: 'passed', two: 'passed', three: 'passed' } });
  expect(failedFiles(first.report)).toEqual(['b']);
  expect(linesOf(['e2e', first, second])).toEqual([
    '2 passed only the second time:',
    '  e2e › b › one',
    '  e2e › b › three',
    '4 passed, 0 failed',
  ]);
});

it('shows files from the root of the repository on', () => {
  const tally = new Tally('/w/repository');
  const path = '/w/repository/test/a.test.ts';
  tally.add('e2e', run({ [path]: { one: 'failed' } }), run({ [path]: { one: 'passed' } }));
  expect(tally.lines[1]).toBe('  e2e › test/a.test.ts › one');
});

it('counts what fails twice once, and what breaks in the second run', () => {
  const first = run({ a: { one: 'passed' }, b: { one: 'failed', two: 'passed', three: 'failed' } });
  const second = run({ b: { one: 'failed', two: 'failed', three: 'passed' } });
  expect(linesOf(['e2e', first, second])).toEqual([
    '1 passed only the second time:',
    '  e2e › b › three',
    'Failed:',
    '  e2e › b › one',
    '  e2e › b › two',
    '2 passed, 2 failed',
  ]);
});

it('tells tests of one name in different files apart', () => {
  const first = run({ a: { one: 'failed' }, b: { one: 'failed' } });
  const second = run({ a: { one: 'passed' }, b: { one: 'failed' } });
  expect(linesOf(['e2e', first, second])).toEqual([
    '1 passed only the second time:',
    '  e2e › a › one',
    'Failed:',
    '  e2e › b › one',
    '1 passed, 1 failed',
  ]);
});

it('names a file whose preparation failed only the first time', () => {
  const second = run({ a: { one: 'passed' } });
  expect(linesOf(['e2e', run({ a: {} }), second])).toEqual([
    '1 passed only the second time:',
    '  e2e › a',
    '1 passed, 0 failed',
  ]);
});

it('counts and names a file that does not load or whose preparation failed', () => {
  expect(linesOf(['unit', run({ a: {} })])).toEqual([
    'Failed:',
    '  unit › a',
    '0 passed, 1 failed',
  ]);
  const tally = new Tally();
  const prepared = {
    name: 'b',
    status: 'failed',
    message: 'TimeoutError: no view\n    at b.test.ts:1',
    assertionResults: [{ fullName: 'one', status: 'skipped' }],
  };
  const report = { testResults: [...run({ a: { two: 'failed' } }).report.testResults, prepared] };
  tally.add('e2e', { isPassed: false, report });
  expect(tally.lines).toEqual([
    'Failed:',
    '  e2e › a › two',
    '  e2e › b: TimeoutError: no view',
    '0 passed, 2 failed, 1 skipped',
  ]);
});

it('counts an error outside of any test', () => {
  expect(linesOf(['unit', run({ a: { one: 'passed' } }, false)])).toEqual([
    'Failed:',
    '  unit › outside of any test',
    '1 passed, 1 failed',
  ]);
  const outside = ['no answer of a worker\n    at pool.js:1', 'close'];
  expect(linesOf(['unit', { ...run({ a: { one: 'passed' } }, false), outside }])[1]).toBe(
    '  unit › outside of any test: no answer of a worker: close',
  );
});

it('counts a run that ended without a report, the second time too', () => {
  const ended = { isPassed: false, report: undefined };
  expect(linesOf(['unit', ended]).at(-1)).toBe('0 passed, 1 failed');
  const first = run({ a: { one: 'passed' }, b: { one: 'failed' } });
  expect(linesOf(['e2e', first, ended]).at(-1)).toBe('1 passed, 1 failed');
});

it('says why a test failed, in one line', () => {
  const tally = new Tally();
  const failureMessages = ['Error: no row\n    at a.test.ts:1', 'second'];
  const assertionResults = [{ fullName: 'one', status: 'failed', failureMessages }];
  const testResults = [{ name: 'a', status: 'failed', assertionResults }];
  tally.add('unit', { isPassed: false, report: { testResults } });
  expect(tally.lines[1]).toBe('  unit › a › one: Error: no row');
});

it('counts and names a step that is no test', () => {
  const tally = new Tally();
  tally.count(true, 'types');
  tally.count(false, 'format and lint');
  expect(tally.lines).toEqual(['Failed:', '  format and lint', '1 passed, 1 failed']);
});

const files = {
  unit: ['test/unit/base.test.ts', 'test/unit/growth.slow.test.ts'],
  e2e: ['test/e2e/signIn.test.ts', 'test/e2e/deviceSignIn.test.ts'],
};
const choose = (...words: readonly string[]) => {
  const choice = chooseRings(words, (ring) => (ring in files ? files[ring as 'unit'] : []));
  return typeof choice === 'string'
    ? choice
    : {
        ...choice,
        parts: choice.parts.map(({ ring, slow, files: some }) => [ring, slow, ...some].join(' ')),
      };
};

const usual = ['unit', 'pages', 'attacks', 'faults', 'integration', 'conformance', 'e2e'].map(
  (ring) => `${ring} without`,
);
const slow = ['unit only', 'accounts with'];
const unasked = { hasServers: false, isStrict: false };

it.each([
  [[], { hasChecks: true, ...unasked, parts: usual }],
  [['all'], { hasChecks: true, hasServers: true, isStrict: true, parts: [...usual, ...slow] }],
  [['slow'], { hasChecks: false, hasServers: true, isStrict: true, parts: slow }],
  [['e2e', 'unit'], { hasChecks: false, ...unasked, parts: ['e2e without', 'unit without'] }],
  [
    ['unit', 'e2e', 'signIn', 'device'],
    { hasChecks: false, ...unasked, parts: ['unit without', 'e2e with signIn device'] },
  ],
  [['unit', 'slow'], { hasChecks: false, ...unasked, parts: ['unit with slow'] }],
  [['quick'], { hasChecks: true, ...unasked, parts: ['unit without'] }],
  [['quick', 'base'], { hasChecks: true, ...unasked, parts: ['unit without base'] }],
])('runs for the words %j what they ask for', (words, choice) => {
  expect(choose(...words)).toEqual(choice);
});

it('lists the rings where a name is neither a ring nor a file', () => {
  const list =
    /Rings: quick, all, slow, unit, pages, integration, .*, e2e, windows, host, screenshots\.$/;
  expect(choose('signIn')).toMatch(/^No test ring is called signIn\./);
  expect(choose('signIn')).toMatch(list);
  expect(choose('unit', 'signIn')).toMatch(/^No test ring and no file of unit is called signIn\./);
  expect(choose('toString')).toMatch(list);
});
