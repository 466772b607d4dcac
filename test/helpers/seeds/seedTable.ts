/** The table of the seeds: what is wrong with it, and what documents show of it. */
import type { Difference, Seed, SeedRow } from './seedTypes.js';
import { countMeant, type TestFile } from './testTitles.js';

/** Second part of the ids → what it is about, in the order of the documents. */
const themes: ReadonlyMap<string, string> = new Map([
  ['files', 'Configuration files'],
  ['fields', 'Fields and settings'],
  ['trust', 'Trust and approvals'],
  ['life', 'Starts, processes, recovery'],
  ['transport', 'Transports and accounts'],
  ['tools', 'What the model is offered'],
  ['results', 'Calls and results'],
  ['cache', 'What is remembered, `npx`'],
  ['surface', 'What the user sees'],
  ['api', 'Interfaces for programs'],
]);

/** @returns undefined for a file that is not there */
export type ReadTests = (file: string) => TestFile | undefined;

/** A line for each fault. */
export function findSeedFaults(seeds: readonly Seed[], readTests: ReadTests): readonly string[] {
  const files = new Map<string, TestFile | undefined>();
  const read = (name: string) => {
    const file = files.has(name) ? files.get(name) : readTests(name);
    files.set(name, file);
    return file;
  };
  const ids = seeds.flatMap(({ rows }) => rows.map(({ id }) => id));
  return [
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${id} is there twice`),
    ...seeds.flatMap((seed) => seed.rows.flatMap((row) => rowFaults(seed, row, read))),
  ];
}

function rowFaults(seed: Seed, row: SeedRow, readTests: ReadTests): readonly string[] {
  const { id, behaviour, tests = [], differentBecause } = row;
  const [first = '', theme = '', name = '', ...rest] = id.split('.');
  const faults: string[] = [];
  if (first !== seed.id || !themes.has(theme) || !/^[a-z]\w*$/i.test(name) || rest.length > 0) {
    faults.push(`${id} is no id of ${seed.id}`);
  }
  if (behaviour.trim() === '') {
    faults.push(`${id} says nothing`);
  }
  if (tests.length === 0 && !differentBecause) {
    faults.push(`${id} has neither a test nor a reason`);
  }
  if (new Set(tests).size !== tests.length) {
    faults.push(`${id} names a test twice`);
  }
  return [...faults, ...tests.flatMap((test) => testFaults(id, test, readTests))];
}

function testFaults(id: string, test: string, readTests: ReadTests): readonly string[] {
  const [, name = '', title = '', label] = /^(\S+) › (.+?)(?: # (.+))?$/.exec(test) ?? [];
  const file = readTests(name);
  if (!file) {
    return [`${id}: there is no file of tests ${name}`];
  }
  const count = countMeant(file.titles, title);
  if (count !== 1) {
    return [`${id}: ${name} has ${count === 0 ? 'no test' : 'several tests'} "${title}"`];
  }
  return label === undefined || file.texts.has(label)
    ? []
    : [`${id}: ${name} has no case "${label}"`];
}

/** Names of reasons that no row gives. */
export function findUnusedReasons(
  seeds: readonly Seed[],
  reasons: Readonly<Record<string, Difference>>,
): readonly string[] {
  const used = new Set(seeds.flatMap(({ rows }) => rows.map((row) => row.differentBecause)));
  return Object.keys(reasons).filter((name) => !used.has(reasons[name]));
}

/** Every row, for `test/fixtures/seeds/README.md`. */
export function fullTable(seeds: readonly Seed[]): string {
  const sections = seeds.map(({ name, rows }) => {
    const lines = rows.map((row) => `| ${rowCells(row).map(escapeCell).join(' | ')} |`);
    return `## ${name}\n\n| id | what it says | tests | different on purpose: why |\n| --- | --- | --- | --- |\n${lines.join('\n')}\n`;
  });
  return sections.join('\n');
}

function rowCells({ id, behaviour, tests = [], differentBecause }: SeedRow): readonly string[] {
  const reason = differentBecause ? `${differentBecause.here} ${differentBecause.why}` : '';
  return [`\`${id}\``, behaviour, tests.map((test) => `\`${test}\``).join('<br>'), reason];
}

/** The comparison of `docs/comparison.md`: how many behaviours by theme, and what is different. */
export function comparison(seeds: readonly Seed[]): string {
  return [
    `| | ${seeds.map(({ name }) => name).join(' | ')} |`,
    `| --- |${seeds.map(() => ' --- |').join('')}`,
    ...[...themes].map(([theme, title]) => {
      const counts = seeds.map(({ rows }) => countsOf(rows.filter((row) => isOf(row, theme))));
      return `| ${title} | ${counts.join(' | ')} |`;
    }),
    `| All | ${seeds.map(({ rows }) => countsOf(rows)).join(' | ')} |`,
    '',
    '<details>',
    '<summary>What is different on purpose, and why</summary>',
    '',
    ...[...themes].flatMap(([theme, title]) => differencesOf(seeds, theme, title)),
    '</details>',
    '',
  ].join('\n');
}

/** As there, and otherwise: `12 + 3`. */
function countsOf(rows: readonly SeedRow[]): string {
  const others = rows.filter((row) => row.differentBecause).length;
  const same = rows.length - others;
  return rows.length === 0 ? '' : others === 0 ? `${same}` : `${same} + ${others}`;
}

function differencesOf(seeds: readonly Seed[], theme: string, title: string): readonly string[] {
  const bySeed = new Map<Difference, Set<string>>();
  for (const { name, rows } of seeds) {
    for (const row of rows.filter((one) => isOf(one, theme))) {
      if (row.differentBecause) {
        const names = bySeed.get(row.differentBecause) ?? new Set();
        bySeed.set(row.differentBecause, names.add(name));
      }
    }
  }
  if (bySeed.size === 0) {
    return [];
  }
  const lines = [...bySeed].map(
    ([{ here, why }, names]) => `* ${here} *${why}* ${[...names].join(', ')}.`,
  );
  return [`**${title}**`, '', ...lines, ''];
}

function isOf({ id }: SeedRow, theme: string): boolean {
  return id.split('.')[1] === theme;
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|');
}
