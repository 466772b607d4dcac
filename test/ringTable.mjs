// @ts-check
/** The test rings, in the order in which they run: their files and what they need. */

/** @typedef {'package' | 'code-server' | 'browser'} Need */

/**
 * @param {string} files
 * @param {Need[]} needs installed or built before its tests run
 */
const ring = (files, ...needs) => ({ files, needs });

/**
 * A vitest project each. A ring with windows of VS Code shares one window and one focus among the tests of a file,
 * which a loaded machine may move between two keys: a file that failed runs once more, in a VS Code of its own, and
 * only what fails twice has failed.
 */
export const rings = {
  unit: ring('test/unit/**/*.test.ts'),
  pages: ring('test/pages/**/*.test.ts', 'browser'),
  integration: ring('test/integration/*.test.ts', 'package'),
  faults: ring('test/integration/faults/**/*.test.ts'),
  attacks: ring('test/attacks/*.test.ts', 'code-server'),
  conformance: ring('test/conformance/**/*.test.ts'),
  accounts: ring('test/accounts/*.test.ts'),
  e2e: ring('test/e2e/**/*.test.ts', 'package', 'code-server', 'browser'),
  host: ring('test/bench/host/*.host.ts', 'package', 'code-server', 'browser'),
  screenshots: ring('test/e2e/screenshots.ts', 'package', 'code-server', 'browser'),
};
/** @typedef {keyof typeof rings} RingName */

/** Whether its tests look at VS Code in a browser. @param {RingName} name */
export const hasWindows = (name) =>
  rings[name].needs.includes('code-server') && rings[name].needs.includes('browser');

/** The static checks and the unit tests: what takes less than a minute and needs no package. */
const quick = 'quick';

/** Those that run when none is named: the others make files. @type {readonly RingName[]} */
const usual = [
  'unit',
  'pages',
  'integration',
  'faults',
  'attacks',
  'conformance',
  'accounts',
  'e2e',
];

/**
 * @typedef {object} Choice
 * @property {boolean} hasChecks whether the static checks run before
 * @property {ReadonlyMap<RingName, readonly string[]>} rings in the order in which they run, with parts of the paths of the
 *   files that run; none means all
 */

/**
 * What `npm test -- unit e2e signIn` asks for: all of `unit`, and of `e2e` the files that have `signIn` in their paths.
 * @param {readonly string[]} words
 * @param {(ring: RingName) => readonly string[]} filesOf paths from the root of the repository
 * @returns {Choice | string} or what is wrong
 */
export function chooseRings(words, filesOf) {
  /** @type {Map<RingName, string[]>} */
  const chosen = new Map();
  /** @type {RingName | undefined} */
  let last;
  for (const word of words) {
    const name = word === quick ? 'unit' : word;
    if (isRing(name)) {
      last = name;
      chosen.set(name, chosen.get(name) ?? []);
    } else if (last && filesOf(last).some((path) => path.includes(word))) {
      chosen.get(last)?.push(word);
    } else {
      const what = last ? `No test ring and no file of ${last}` : 'No test ring';
      return `${what} is called ${word}. Rings: ${[quick, ...Object.keys(rings)].join(', ')}.`;
    }
  }
  const hasChecks = words.length === 0 || words.includes(quick);
  return { hasChecks, rings: words.length > 0 ? chosen : new Map(usual.map((name) => [name, []])) };
}

/**
 * @param {string} name
 * @returns {name is RingName}
 */
function isRing(name) {
  return Object.hasOwn(rings, name);
}
