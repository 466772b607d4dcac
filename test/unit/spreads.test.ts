/** Arguments of a call lie on the stack: what spreads into one a list that others make long ends it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { argumentsAt } from '../helpers/textCalls.js';

/** Built-in functions that take any number of arguments. */
const callee =
  /(?:\.(?:push|unshift|splice|toSpliced|concat|append|prepend|replaceWith|replaceChildren|of|fromCharCode|fromCodePoint|max|min|hypot|assign|apply)|\bReflect\.apply)\(/g;

/** File → what it may spread, and who bounds it. */
const allowed: Readonly<Record<string, readonly (readonly [what: string, why: string])[]>> = {
  'src/base/pictures/imageHeader.ts': [['bytes.subarray(at, at + length)', 'six letters at most']],
  'src/webview/agent/markdown/markdown.ts': [['codeButtons(language)', 'four buttons']],
};

/** What is spread into calls of such functions, as it is written. */
function spreadsIn(code: string): readonly string[] {
  return [...code.matchAll(callee)].flatMap(({ 0: start, index }) =>
    argumentsAt(code, index + start.length).flatMap((argument) =>
      argument.startsWith('...') && !isLiteral(argument.slice(3)) ? [argument.slice(3)] : [],
    ),
  );
}

/** As many as stand there: a list, or one of two. */
function isLiteral(text: string): boolean {
  const bare = text.replace(/^\((.*)\)$/s, '$1').trim();
  const lists = /(?:^|[?:]\s*)\[[^\]]*\](?=\s*(?:$|:))/g;
  const choices = bare.split(/\s\?\s|\s:\s/).length;
  const count = [...bare.matchAll(lists)].length;
  return (
    !bare.includes('...') &&
    (choices === 1 ? bare.startsWith('[') && count === 1 : count === choices - 1)
  );
}

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((file) => join('src', file).replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts'));

it('spreads nothing of unknown length into a call', () => {
  const found = Object.fromEntries(
    files.flatMap((file) => {
      const known = (allowed[file] ?? []).map(([what]) => what);
      const spreads = spreadsIn(readFileSync(file, 'utf8'));
      const odd = spreads.filter((one) => !known.includes(one));
      return odd.length > 0 ? [[file, odd]] : [];
    }),
  );
  expect(found).toEqual({});
});

it('excuses nothing that is not there', () => {
  const gone = Object.entries(allowed).flatMap(([file, spreads]) => {
    const found = spreadsIn(readFileSync(file, 'utf8'));
    return spreads.filter(([what]) => !found.includes(what)).map(([what]) => [file, what]);
  });
  expect(gone).toEqual([]);
});

it('would notice one', () => {
  const odd = [
    'a.push(...b)',
    'Math.max(0, ...c.map((d) => f(d, ")")))',
    'x.append(\n  y,\n  ...z.flat(),\n)',
    'Math.min(...(a.match(/`+/g) ?? []))',
  ];
  expect(odd.flatMap(spreadsIn)).toEqual([
    'b',
    'c.map((d) => f(d, ")"))',
    'z.flat()',
    '(a.match(/`+/g) ?? [])',
  ]);
  const plain = [
    'a.push({ ...b })',
    'a.push(...(b ? [c] : []))',
    'a.push([...b])',
    'f(...args)',
    'a.push(...[b])',
  ];
  expect(plain.flatMap(spreadsIn)).toEqual([]);
  expect(spreadsIn('a.push(...(b ? c : []))')).toHaveLength(1);
});
