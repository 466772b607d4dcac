// @ts-check
/**
 * The test rings, in the order in which they run: their files and what they need. A file `*.slow.test.ts` is slow by
 * nature, as the ring `accounts` is: `npm test` leaves both to `npm test -- all`.
 */

/** @typedef {'package' | 'code-server' | 'browser'} Need */

/**
 * @param {string} files
 * @param {Need[]} needs installed or built before its tests run
 */
const ring = (files, ...needs) => ({ files, needs });

/**
 * A vitest project each. A ring with windows of VS Code shares one window and one focus among the tests of a file,
 * which a loaded machine may move between two keys: a file that failed runs once more, in a VS Code of its own, and
 * only what fails twice has failed. With `all`, nothing runs twice.
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
  windows: ring('test/windows/*.test.ts', 'package'),
  host: ring('test/bench/host/*.host.ts', 'package', 'code-server', 'browser'),
  screenshots: ring('test/e2e/screenshots.ts', 'package', 'code-server', 'browser'),
};
/** @typedef {keyof typeof rings} RingName */

/** Whether its tests look at VS Code in a browser. @param {RingName} name */
export const hasWindows = (name) =>
  rings[name].needs.includes('code-server') && rings[name].needs.includes('browser');

/** The static checks and the unit tests: what takes less than a minute and needs no package. */
const quick = 'quick';
/** What is usual, and after it what is slow. */
const all = 'all';
/** What `all` adds to the usual. */
const slow = 'slow';

/** Those that run when none is named: the others are slow, or make files. @type {readonly RingName[]} */
const usual = ['unit', 'pages', 'attacks', 'faults', 'integration', 'conformance', 'e2e'];
/** @type {readonly RingName[]} */
const slowRings = ['accounts'];

/** @typedef {'without' | 'only' | 'with'} Slow which of its files run: those that are slow by nature, or the others */

/**
 * @typedef {object} Part of a ring
 * @property {RingName} ring
 * @property {readonly string[]} files parts of the paths of the files that run; none means all
 * @property {Slow} slow
 */

/**
 * @typedef {object} Choice
 * @property {boolean} hasChecks whether the static checks run before
 * @property {boolean} hasServers whether public servers are compared after
 * @property {boolean} isStrict whether nothing gets a second try
 * @property {readonly Part[]} parts in the order in which they run
 */

/** @param {string} path */
const isSlowFile = (path) => path.endsWith('.slow.test.ts');

/**
 * What `npm test -- unit e2e signIn` asks for: all of `unit`, and of `e2e` the files that have `signIn` in their paths.
 * @param {readonly string[]} words
 * @param {(ring: RingName) => readonly string[]} filesOf paths from the root of the repository
 * @returns {Choice | string} or what is wrong
 */
export function chooseRings(words, filesOf) {
  const [first] = words;
  if (words.length === 0 || (words.length === 1 && (first === all || first === slow))) {
    return {
      hasChecks: first !== slow,
      hasServers: first !== undefined,
      isStrict: first !== undefined,
      parts: [
        ...(first === slow ? [] : usual.map((ring) => part(ring, 'without'))),
        ...(first === undefined ? [] : slowParts(filesOf)),
      ],
    };
  }
  const parts = namedParts(words, filesOf);
  return typeof parts === 'string'
    ? parts
    : { hasChecks: words.includes(quick), hasServers: false, isStrict: false, parts };
}

/**
 * @param {RingName} ring
 * @param {Slow} slow
 */
const part = (ring, slow) => ({ ring, slow, files: [] });

/** @param {(ring: RingName) => readonly string[]} filesOf */
function slowParts(filesOf) {
  return [
    ...usual.filter((ring) => filesOf(ring).some(isSlowFile)).map((ring) => part(ring, 'only')),
    ...slowRings.map((ring) => part(ring, 'with')),
  ];
}

/**
 * @param {readonly string[]} words
 * @param {(ring: RingName) => readonly string[]} filesOf
 * @returns {readonly Part[] | string}
 */
function namedParts(words, filesOf) {
  /** @type {Map<RingName, Part & { files: string[] }>} */
  const chosen = new Map();
  /** @type {RingName | undefined} */
  let last;
  for (const word of words) {
    const name = word === quick ? 'unit' : word;
    if (isRing(name)) {
      last = name;
      chosen.set(name, chosen.get(name) ?? part(name, word === quick ? 'without' : 'with'));
    } else if (last && filesOf(last).some((path) => path.includes(word))) {
      chosen.get(last)?.files.push(word);
    } else {
      const what = last ? `No test ring and no file of ${last}` : 'No test ring';
      const names = [quick, all, slow, ...Object.keys(rings)].join(', ');
      return `${what} is called ${word}. Rings: ${names}.`;
    }
  }
  // what is slow by nature may build what the others test
  return [...chosen.values()].map((one) =>
    one.files.length === 0 ? { ...one, slow: 'without' } : one,
  );
}

/**
 * @param {string} name
 * @returns {name is RingName}
 */
function isRing(name) {
  return Object.hasOwn(rings, name);
}
