/** The matrix of `growth`: no parser takes more than linear time of any piece that comes again and again. */
import { expect, it } from 'vitest';
import { type GrowthCase, ordinarySize, steepCases } from '../../helpers/growth.js';
import type { Parser } from '../../helpers/parsers/kinds.js';
import { parsers } from '../../helpers/parsers/parsers.js';

/** Pieces at which scanners stumble when they come again and again. */
const units = [
  ' ',
  '\t',
  '\n',
  '\r\n',
  '\0',
  '\u001b[',
  'a',
  'A',
  '1',
  'é',
  '\ud800',
  'a ',
  'aA',
  ' a;',
  '{',
  '}',
  '{}',
  '[',
  ']',
  '(',
  ')',
  '<',
  '>',
  '</',
  '<!--',
  '-->',
  '<!-- -->',
  '<!doctype ',
  '$',
  '${',
  '${A:-',
  '$env:',
  '$env:A',
  '{env:',
  '{env:A',
  ':-',
  '"',
  "'",
  '\\',
  '\\"',
  '`',

  ';',
  ';a',
  '; ',
  '=',
  'a=',
  ';a=',
  'A=',
  ':',
  'a: ',
  ',',
  ', ',
  '.',
  '-',
  '--',
  '_',
  '/',
  '//',

  '?',
  '?a',
  '&',
  '&a',
  '#',
  '%',
  '@',
  '!',
  '*',
  '|',
  '~',
  '^',
  '+',
  'eyJ',
  'Bearer ',
  'id:',
  '\nid:',
];

const frames = [
  ['', ''],
  ['', '\u0001'],
] as const;

function casesOf({ frames: own = [], maxSize = ordinarySize }: Parser): readonly GrowthCase[] {
  return units.flatMap((unit) =>
    [...frames, ...own].map(([before, after]) => ({
      name: JSON.stringify(`${before}(${unit})*${after}`),
      input: (size: number) => before + unit.repeat(Math.ceil(size / unit.length)) + after,
      maxSize,
    })),
  );
}

it.each(parsers)(
  'growth of $name is linear with each piece',
  async (parser) => {
    expect(await steepCases(parser.run, casesOf(parser))).toEqual([]);
  },
  120_000,
);
