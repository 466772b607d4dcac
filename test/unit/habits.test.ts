/** Habits that grow by themselves, counted in the sources. */
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  conditionalSpreads,
  exportedNames,
  largeBags,
  moduleState,
  twins,
} from '../helpers/habits.js';

/** Objects that take a key under a condition, in all of `src/`; those where keys are seen stay. */
const maxSpreads = 60;
/** Names that two files export. */
const maxTwins = 5;
/** Interfaces of options with more than seven of their own. */
const maxBags = 8;

const files = globSync('src/**/*.ts').sort();
const source = (file: string) => readFileSync(file, 'utf8');

it('are left where a plain key says the same', () => {
  const spreads = files.flatMap((file) =>
    conditionalSpreads(source(file)).map((spread) => `${file}: ${spread}`),
  );
  expect(spreads.length, spreads.join('\n')).toBeLessThanOrEqual(maxSpreads);
});

it('are left where one name stands for two things', () => {
  const found = twins(new Map(files.map((file) => [file, exportedNames(source(file))])));
  const named = [...found].map(([name, all]) => `${name}: ${all.join(', ')}`);
  expect(named.length, named.join('\n')).toBeLessThanOrEqual(maxTwins);
});

it('are left where a module keeps what its objects could', () => {
  const kept = files.flatMap((file) => moduleState(source(file)).map((name) => `${file}: ${name}`));
  // of what VS Code or a browser starts, and there is one of it
  expect(kept).toEqual([
    'src/extension.ts: entry',
    'src/webview/questions/main.ts: cards',
    'src/webview/questions/main.ts: failure',
  ]);
});

it('are left where one object takes many options', () => {
  const bags = files.flatMap((file) => largeBags(source(file)).map((name) => `${file}: ${name}`));
  expect(bags.length, bags.join('\n')).toBeLessThanOrEqual(maxBags);
});

it('would be found', () => {
  expect(
    moduleState(
      'let a = 1;\nexport let b;\nconst c = new Map();\nconst d: ReadonlySet<string> = new Set();\nconst e = new WeakMap();\nconst f = new Set([1]);\nfunction g() {\n  let h = 1;\n}',
    ),
  ).toEqual(['a', 'b', 'c']);
  const eight = 'a: 1; b: 1; c: 1; d: 1; e: 1; f: 1; g(): void;';
  expect(
    largeBags(
      `interface AOptions { ${eight} h?: 1 }\nexport interface BParts { ${eight} readonly h: 1 }\ninterface COptions { ${eight} }\nexport interface View { ${eight} h: 1 }`,
    ),
  ).toEqual(['AOptions', 'BParts']);
  expect(
    conditionalSpreads(
      'const a = { ...(b && { b }), ...(c ? { c } : {}), ...(d ?? {}), ...e(), f: [...(g ? [g] : [])] };',
    ),
  ).toEqual(['...(b && { b })', '...(c ? { c } : {})']);
  const names = exportedNames(
    'export interface A {}\nexport const b = 1, c = 2;\nexport function d(): void;\nexport function d() {}\nclass E {}\nexport class F {}\nexport type G = A;',
  );
  expect(names).toEqual(['A', 'b', 'c', 'd', 'F', 'G']);
  const all = new Map([
    ['x.ts', ['a', 'b']],
    ['y.ts', ['b', 'c']],
  ]);
  expect([...twins(all)]).toEqual([['b', ['x.ts', 'y.ts']]]);
});
