/** What `npm test` says in the end. */
import { expect, it } from 'vitest';
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
  expect(linesOf(['unit', unit], ['faults', faults])).toEqual(['4 passed, 1 failed']);
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
    '2 passed, 2 failed',
  ]);
});

it('tells tests of one name in different files apart', () => {
  const first = run({ a: { one: 'failed' }, b: { one: 'failed' } });
  const second = run({ a: { one: 'passed' }, b: { one: 'failed' } });
  expect(linesOf(['e2e', first, second])).toEqual([
    '1 passed only the second time:',
    '  e2e › a › one',
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

it('counts a file that does not load, and an error outside of any test', () => {
  expect(linesOf(['unit', run({ a: {} })])).toEqual(['0 passed, 1 failed']);
  expect(linesOf(['unit', run({ a: { one: 'passed' } }, false)])).toEqual(['1 passed, 1 failed']);
});

it('counts a run that ended without a report, the second time too', () => {
  const ended = { isPassed: false, report: undefined };
  expect(linesOf(['unit', ended])).toEqual(['0 passed, 1 failed']);
  const first = run({ a: { one: 'passed' }, b: { one: 'failed' } });
  expect(linesOf(['e2e', first, ended])).toEqual(['1 passed, 1 failed']);
});

it('counts a step that is no test', () => {
  const tally = new Tally();
  tally.count(true);
  tally.count(false);
  expect(tally.lines).toEqual(['1 passed, 1 failed']);
});
