/** What `npm run mutate` changes, and how a copy notes what runs. */
import { describe, expect, it } from 'vitest';
import { applyMutant, findFunctions, findMutants } from '../mutation/mutants.js';
import { instrument } from '../mutation/seenFunctions.js';

const mutate = (code: string) => findMutants(code).map((mutant) => applyMutant(code, mutant));

describe('a mutant', () => {
  it.each([
    ['x = a < b;', ['x = a <= b;', 'x = a >= b;']],
    ['x = a === b;', ['x = a !== b;']],
    ['x = a && b;', ['x = a || b;']],
    ['x = a ?? b;', ['x = a && b;']],
    ['x = a + b;', ['x = a - b;']],
    // a difference of texts is no small change
    ["const x = 'a' + b;", ["const x = '' + b;"]],
    ['x = !a;', ['x = (a);']],
    ['x = true;', ['x = false;']],
    ['x = 0;', ['x = 1;']],
    ['x = 1;', ['x = 0;']],
    ['x = 300;', ['x = 600;']],
    ["x = 'a';", ["x = '';"]],
    ["x = '';", ["x = 'mutant';"]],
    ['x = [a];', ['x = [];']],
    ['x = a ? b : c;', ['x = !(a) ? b : c;', 'x = false ? b : c;']],
    ['x = a.some(b);', ['x = a.every(b);']],
    ['if (a) b();', ['if (!(a)) b();', 'if (false) b();', 'if (a) ;']],
    ['while (a) b();', ['while (false) b();', 'while (a) ;']],
    ['const f = () => { return a; };', ['const f = () => { return undefined; };']],
    // offsets are those of the text, whatever characters are before
    ["x = '…😀'; y = a < 2;", ["x = '…😀'; y = a >= 2;", "x = '…😀'; y = a < 4;"]],
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

it('notes each function that runs, those within others by themselves', () => {
  const code = 'return ((f) => { const g = () => { return 1; }; return f ? g() : 0; })(flag);';
  const seenWith = (flag: boolean) => {
    const seen = new Set<string>();
    Object.assign(globalThis, { piMcpSeen: seen });
    try {
      new Function('flag', instrumented)(flag);
    } finally {
      Object.assign(globalThis, { piMcpSeen: undefined });
    }
    return seen.size;
  };
  const wrapped = `const all = (flag) => { ${code} };`;
  const instrumented = `${instrument(wrapped, 'a.ts')} return all(flag);`;
  expect(findFunctions(wrapped)).toHaveLength(3);
  expect([seenWith(false), seenWith(true)]).toEqual([2, 3]);
});
