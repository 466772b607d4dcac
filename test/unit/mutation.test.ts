/** What `npm run mutate` changes, and how one text holds all changes. */
import { describe, expect, it } from 'vitest';
import { findMutants } from '../mutation/mutants.js';
import { patienceOf } from '../mutation/plan.js';
import { instrument } from '../mutation/schemata.js';

const mutate = (code: string) =>
  findMutants(code).map(({ start, end, text }) => code.slice(0, start) + text + code.slice(end));

describe('a mutant', () => {
  it.each([
    ['x = a < b;', ['x = (a) <= (b);', 'x = (a) >= (b);']],
    ['x = a === b;', ['x = (a) !== (b);']],
    ['x = a && b;', ['x = (a) || (b);']],
    ['x = a ?? b;', ['x = (a) && (b);']],
    ['x = a + b;', ['x = (a) - (b);']],
    // a difference of texts is no small change
    ["const x = 'a' + b;", ["const x = '' + b;"]],
    ['x = !a;', ['x = a;']],
    ['x = true;', ['x = false;']],
    ['x = 0;', ['x = 1;']],
    ['x = 1;', ['x = 0;']],
    ['x = 300;', ['x = 600;']],
    ["x = 'a';", ["x = '';"]],
    ["x = '';", ["x = 'mutant';"]],
    ['x = [a];', ['x = [];']],
    ['x = a ? b : c;', ['x = !(a) ? b : c;', 'x = false ? b : c;']],
    ['x = a.some(b);', ['x = a.every(b);']],
    ['if (a) b();', ['if (!(a)) b();', 'if (false) b();', 'if (a) undefined;']],
    ['while (a) b();', ['while (false) b();', 'while (a) undefined;']],
    ['const f = () => { return a; };', ['const f = () => { return undefined; };']],
    // offsets are those of the text, whatever characters are before
    ["x = '…😀'; y = a < 2;", ["x = '…😀'; y = (a) >= (2);", "x = '…😀'; y = a < 4;"]],
  ])('of %s is %j', (code, expected) => {
    const found = mutate(code);
    expect(found).toEqual(expect.arrayContaining([...expected]));
    expect(new Set(found).size).toBe(found.length);
    expect(found).not.toContain(code);
  });

  it.each([
    'import { a } from "b";',
    'type A = "b" | 1 | true;',
    'interface A { b: "c"; }',
    'const f = (a: "b") => a;',
    'const x = { a };',
    'const x = a.b.c;',
    "const x = l10n.t('For people {0}', a);",
    "this.options.logger.log('warn', 'b');",
  ])('is not made of %s', (code) => {
    expect(mutate(code)).toEqual([]);
  });

  it('is made of the values of types and of what is within functions of classes', () => {
    const code = 'class A { b = 3 as number; c() { return this.d!.e(4); } }';
    expect(mutate(code)).toEqual([
      'class A { b = 6 as number; c() { return this.d!.e(4); } }',
      'class A { b = 3 as number; c() { return undefined; } }',
      'class A { b = 3 as number; c() { return this.d!.e(8); } }',
    ]);
  });
});

describe('one text of all mutants', () => {
  const within = (code: string) => `const all = () => { ${code} };`;
  const run = (code: string, wanted: number) => {
    const mutants = new Map(findMutants(within(code)).map((mutant, index) => [index + 1, mutant]));
    const asked: number[] = [];
    const ask = (number: number) => {
      asked.push(number);
      return number === wanted;
    };
    Object.assign(globalThis, { piMcpMutant: ask });
    try {
      const value: unknown = new Function(`${instrument(within(code), mutants)} return all();`)();
      return { value, asked };
    } finally {
      Object.assign(globalThis, { piMcpMutant: undefined });
    }
  };
  const runMutant = (code: string, mutant: string) => {
    const index = findMutants(within(code)).findIndex(({ kind }) => kind === mutant);
    return run(code, index + 1).value;
  };

  it.each<[code: string, mutant: string, before: unknown, after: unknown]>([
    ['return 3 < 3;', '< is <=', false, true],
    ['return 1 + 2 * 3;', '+ is -', 7, -5],
    // what is within a mutant is as it was
    ['return (() => { return 1 + 2; })();', 'nothing returned', 3, undefined],
    // a chain ends early as a whole
    ['const a = undefined; return a?.b.some((c) => c).d.e;', 'some is every', undefined, undefined],
    ['const a = [[true, false]]; return a[0].some((c) => c);', 'some is every', true, false],
    ['const a = { b: 2 }; a.b -= 1; return a.b;', '-= is +=', 1, 3],
    ["const a = { 'b': 'c' }; return a.b;", 'empty text', 'c', ''],
    ['const [a = 5] = []; return a;', 'another number', 5, 10],
    ['let a = 1; a = 2; return a;', 'statement removed', 2, 1],
    ['const a = new (class { b = [1]; })(); return a.b.length;', 'empty list', 1, 0],
    ['const a = (b, ...c) => c.length; return a`1${2}3`;', 'empty text', 1, 0],
  ])('%s is itself until asked to be another: %s', (code, mutant, before, after) => {
    expect(run(code, 0).value).toEqual(before);
    expect(runMutant(code, mutant)).toEqual(after);
  });

  it('says which mutants the program comes by', () => {
    const code = 'const a = (b) => { if (b) { return 1; } return 2; }; return a(false);';
    const numberOf = (was: string) =>
      findMutants(within(code)).findIndex(
        ({ start, end, kind }) =>
          kind === 'nothing returned' && within(code).slice(start, end) === was,
      ) + 1;
    const { asked } = run(code, 0);
    expect(asked).toContain(numberOf('2'));
    expect(asked).not.toContain(numberOf('1'));
  });

  it('keeps lines where they are', () => {
    const code = 'const a = 1;\nconst b = 2;\nthrow new Error(`${a}${b}`);\n';
    const mutants = new Map(findMutants(code).map((mutant, index) => [index, mutant]));
    const lines = instrument(code, mutants).split('\n');
    expect(lines.findIndex((line) => line.startsWith('throw'))).toBe(2);
  });
});

describe('how long nothing at all may happen', () => {
  it.each<[what: string, running: Parameters<typeof patienceOf>[0], ms: number]>([
    ['a quick test with a mutant', { mutant: 3, ms: 10 }, 9100],
    ['a slow test with a mutant', { mutant: 3, ms: 6000 }, 69_000],
    ['a mutant of loading', { mutant: 3, ms: null }, 9000],
    ['a test that nobody has timed', { mutant: 0, ms: null }, 120_000],
    ['a quick test after a mutant', { mutant: 0, ms: 10 }, 20_000],
    ['a slow test after a mutant', { mutant: 0, ms: 6000 }, 24_000],
  ])('in %s', (_what, running, ms) => {
    expect(patienceOf(running)).toBe(ms);
  });
});
