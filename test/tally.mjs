// @ts-check
/** What the rings say in the end: how many tests passed and failed, which failed and which passed only the second time. */
import { sep } from 'node:path';

/**
 * @typedef {{ readonly fullName: string, readonly status: string, readonly failureMessages?: readonly string[] }} TestResult
 * @typedef {{ readonly name: string, readonly status: string, readonly message?: string, readonly assertionResults: readonly TestResult[] }} FileResult
 * @typedef {object} VitestReport as vitest's JSON reporter writes it
 * @property {readonly FileResult[]} testResults
 */

/**
 * @typedef {object} Run of the files of one ring
 * @property {boolean} isPassed whether vitest says so; errors outside of tests count there, too
 * @property {VitestReport | undefined} report none when vitest wrote none
 * @property {readonly string[]} [outside] messages of errors outside of any test, or how vitest ended without one
 */

export class Tally {
  /** @param {string} [root] that the paths of reports are shown from; default: as they are */
  constructor(root) {
    this.root = root;
  }

  passed = 0;
  failed = 0;
  skipped = 0;
  /** @type {string[]} what failed and then passed, as `ring › file › test` */
  flaky = [];
  /** @type {string[]} what failed, as `ring › file › test: why` or as the title of a step */
  failures = [];

  /**
   * A step that is not a vitest test counts as one.
   * @param {boolean} isPassed
   * @param {string} title
   */
  count(isPassed, title) {
    this[isPassed ? 'passed' : 'failed'] += 1;
    if (!isPassed) {
      this.failures.push(title);
    }
  }

  /**
   * @param {string} ring
   * @param {Run} first
   * @param {Run} [second] of the files that failed in the first
   */
  add(ring, first, second) {
    const last = second ?? first;
    const again = new Set(second ? failedFiles(first.report) : []);
    const results = [
      ...filesOf(first.report).filter(({ name }) => !again.has(name)),
      ...filesOf(second?.report),
    ];
    const statuses = results.flatMap(({ assertionResults }) =>
      assertionResults.map(({ status }) => status),
    );
    const failures = results.flatMap(failuresOf);
    this.failed += failures.length;
    this.passed += statuses.filter((status) => status === 'passed').length;
    this.skipped += statuses.filter((status) => !['passed', 'failed'].includes(status)).length;
    this.failures.push(...failures.map((title) => `${ring} › ${this.shown(title)}`));
    if (!last.isPassed && failures.length === 0) {
      // an error outside of any test is in no file's result
      const why = (last.outside ?? []).map((message) => firstLine(message)).join('');
      this.count(false, `${ring} › outside of any test${why}`);
    }
    if (second) {
      this.flaky.push(
        ...passedAgain(first, second).map((title) => `${ring} › ${this.shown(title)}`),
      );
    }
  }

  /** @param {string} title which begins with a path */
  shown(title) {
    const start = this.root === undefined ? '' : this.root + sep;
    return title.startsWith(start) ? title.slice(start.length) : title;
  }

  /** The last of them is read by tools: counts of passed and failed, in this form. */
  get lines() {
    const { passed, failed, skipped, flaky, failures } = this;
    const skips = skipped > 0 ? `, ${skipped} skipped` : '';
    return [
      ...listed(`${flaky.length} passed only the second time:`, flaky),
      ...listed('Failed:', failures),
      `${passed} passed, ${failed} failed${skips}`,
    ];
  }
}

/**
 * @param {string} heading
 * @param {readonly string[]} titles
 * @returns {readonly string[]} lines; none without titles
 */
function listed(heading, titles) {
  return titles.length > 0 ? [heading, ...titles.map((title) => `  ${title}`)] : [];
}

/**
 * @param {FileResult} file
 * @returns {readonly string[]} its failed tests, each with the first line of what was wrong; the file itself when it
 *   does not load or its preparation failed
 */
function failuresOf({ name, status, message = '', assertionResults }) {
  const tests = assertionResults.flatMap((test) =>
    test.status === 'failed'
      ? [`${name} › ${test.fullName}${firstLine(test.failureMessages?.[0])}`]
      : [],
  );
  return status === 'failed' && tests.length === 0 ? [`${name}${firstLine(message)}`] : tests;
}

/** @param {string} [text] */
function firstLine(text = '') {
  const [line] = text.split('\n', 1);
  return line ? `: ${line}` : '';
}

/**
 * @param {VitestReport | undefined} report
 * @returns {readonly string[]} absolute paths
 */
export function failedFiles(report) {
  return filesOf(report).flatMap(({ name, status }) => (status === 'failed' ? [name] : []));
}

/**
 * What failed and passed when its file ran again. A file that failed without a test, as it does when its preparation
 * fails, counts as one.
 * @param {Run} first
 * @param {Run} second
 * @returns {readonly string[]}
 */
function passedAgain(first, second) {
  const passed = new Set(filesOf(second.report).flatMap((file) => titlesOf(file, 'passed')));
  const failed = new Set(filesOf(second.report).flatMap((file) => titlesOf(file, 'failed')));
  const failures = filesOf(first.report).flatMap((file) => {
    const titles = titlesOf(file, 'failed');
    return titles.length > 1 ? titles.filter((title) => title !== file.name) : titles;
  });
  return failures.filter((title) => passed.has(title) && !failed.has(title));
}

/**
 * @param {FileResult} file
 * @param {string} wanted
 * @returns {readonly string[]} the file, if it ended so, and those of its tests that did
 */
function titlesOf({ name, status, assertionResults }, wanted) {
  const tests = assertionResults.filter((test) => test.status === wanted);
  return [
    ...(status === wanted ? [name] : []),
    ...tests.map((test) => `${name} › ${test.fullName}`),
  ];
}

/**
 * @param {VitestReport | undefined} report
 * @returns {readonly FileResult[]}
 */
function filesOf(report) {
  return report?.testResults ?? [];
}
