/** No parser takes more than linear time, whatever it is fed. */
import { describe, expect, it } from 'vitest';
import { growthOf, maxRatio } from '../../helpers/growth.js';
import { type Parser, parsers } from '../../helpers/parsers.js';

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

const defaultMaxSize = 64 * 1024;

const frames = [
  ['', ''],
  ['', '\u0001'],
] as const;

interface Case {
  readonly name: string;
  readonly input: (size: number) => string;
  readonly maxSize: number;
}

function casesOf({ frames: own = [], inputs = {}, maxSize, maxOwnSize }: Parser): readonly Case[] {
  const generic = units.flatMap((unit) =>
    [...frames, ...own].map(([before, after]) => ({
      name: JSON.stringify(`${before}(${unit})*${after}`),
      input: (size: number) => before + unit.repeat(Math.ceil(size / unit.length)) + after,
      maxSize: maxSize ?? defaultMaxSize,
    })),
  );
  const special = Object.entries(inputs).map(([name, input]) => ({
    name,
    input,
    maxSize: maxOwnSize ?? maxSize ?? defaultMaxSize,
  }));
  return [...generic, ...special];
}

describe('growth', () => {
  it.each(parsers)(
    'of $name is linear',
    async (parser) => {
      const steep: unknown[] = [];
      for (const { name, input, maxSize } of casesOf(parser)) {
        const growth = await growthOf(parser.run, input, maxSize);
        if (growth.ratio > maxRatio) {
          steep.push({ name, ...growth });
        }
      }
      expect(steep).toEqual([]);
    },
    120_000,
  );

  it('would be found if it were quadratic, or worse', async () => {
    const controls: readonly ((text: string) => unknown)[] = [
      (text) => / +$/.test(text),
      (text) => Array.from(text, (_character, index) => text.lastIndexOf('y', index)),
      (text) => /^(a|a)*$/.test(text),
    ];
    const input = (size: number) => `${' '.repeat(size)}x`;
    const letters = (size: number) => `${'a'.repeat(size)}x`;
    for (const [index, run] of controls.entries()) {
      const { ratio } = await growthOf(run, index === 2 ? letters : input, 64 * 1024);
      expect(ratio, `of control ${index}`).toBeGreaterThan(maxRatio);
    }
  }, 120_000);

  it('is not found where it is linear', async () => {
    const input = (size: number) => ' '.repeat(size);
    const { ratio } = await growthOf((text) => [...text].sort(), input, 4 * 1024 * 1024);
    expect(ratio).toBeGreaterThan(0);
    expect(ratio).toBeLessThan(maxRatio);
  }, 120_000);
});
