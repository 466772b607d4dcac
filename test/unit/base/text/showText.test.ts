import { describe, expect, it } from 'vitest';
import { hasHidden, quoteText, shownParts, showText } from '../../../../src/base/text/showText.js';
import { commandLine } from '../../../../src/platform/commandLine.js';

describe('text that somebody decides by', () => {
  it.each([
    'node',
    'two words',
    'a\\b',
    "it's",
    'Grüße, 世界',
    '/home/иван/Документы/под',
    'サーバー「一つ」',
    'café naïve Łódź',
    'שלום',
    'e\u0301',
    'हिन्दी',
    'e\u0323\u0302',
    '\u0438\u0306\u0434',
    '\u05e9\u05b8\u05c1\u05dc\u05d5\u05b9\u05dd',
    '\u0e17\u0e35\u0e48\u0e19\u0e35\u0e48',
    '\u0939\u0901\u0938',
    '\u0643\u064e\u062a\u064e\u0628\u064e',
    '\u304b\u3099',
    'a=b;c|d>e$`',
  ])('shows %j as it is', (text) => expect(showText(text)).toBe(text));

  it.each([
    ['', '""'],
    ['a\nb', '"a\\nb"'],
    ['a\u2028b', '"a\\u{2028}b"'],
    ['a\u202eb', '"a\\u{202e}b"'],
    ['\u2800', '"\\u{2800}"'],
    ['a\u3164', '"a\\u{3164}"'],
    ['\u115f', '"\\u{115f}"'],
    ['\uffa0', '"\\u{ffa0}"'],
    ['a\u200bb', '"a\\u{200b}b"'],
    ['a\u{e0041}', '"a\\u{e0041}"'],
    ['\u0301', '"\\u{301}"'],
    ['a\u0301\u0301\u0301\u0301', '"a\u0301\\u{301}\\u{301}\\u{301}"'],
    ['a\ufe0f', '"a\\u{fe0f}"'],
    ['\ud800a', '"\\u{d800}a"'],
    ['a\u00a0b', '"a\\u{a0}b"'],
    ['a\u001b[31m', '"a\\u{1b}[31m"'],
    ['\u{13441}', '"\\u{13441}"'],
    // what looks like ASCII: letters of other scripts, digits, wide and mathematical forms, punctuation, marks
    ['n\u043ede', '"n\\u{43e}de"'],
    ['\u0440\u0430\u0443\u0440\u0430', '"\\u{440}\\u{430}\\u{443}\\u{440}\\u{430}"'],
    ['\u03bfs', '"\\u{3bf}s"'],
    ['\u13a1', '"\\u{13a1}"'],
    ['f\u0131le', '"f\\u{131}le"'],
    ['\u212a', '"\\u{212a}"'],
    ['\uff52\uff4d', '"\\u{ff52}\\u{ff4d}"'],
    ['世\uff52\uff4d', '"世\\u{ff52}\\u{ff4d}"'],
    ['\u{1d5c7}ode', '"\\u{1d5c7}ode"'],
    ['v\u0661', '"v\\u{661}"'],
    ['①', '"\\u{2460}"'],
    ['a\u2215b', '"a\\u{2215}b"'],
    ['a\u2044b', '"a\\u{2044}b"'],
    ['a\u29f8b', '"a\\u{29f8}b"'],
    ['\u2010x', '"\\u{2010}x"'],
    ['\u2013x', '"\\u{2013}x"'],
    ['a\u2024b', '"a\\u{2024}b"'],
    ['\u2019', '"\\u{2019}"'],
    ['a\u037e', '"a\\u{37e}"'],
    ['rm\u4e28x', '"rm\\u{4e28}x"'],
    ['\u4e00', '"\\u{4e00}"'],
    ['a\u0338', '"a\\u{338}"'],
    ['s\u0336t', '"s\\u{336}t"'],
    // marks of a script that is not the letter's
    ['n\u05b4ode', '"n\\u{5b4}ode"'],
    ['rm\u05bd', '"rm\\u{5bd}"'],
    ['n\u0e34ode', '"n\\u{e34}ode"'],
    ['n\u0901ode', '"n\\u{901}ode"'],
    ['a\u0488', '"a\\u{488}"'],
    ['a\u0483b', '"a\\u{483}b"'],
    ['1\u05b4', '"1\\u{5b4}"'],
    ['\u0434\u0483', '"\u0434\\u{483}"'],
    ['\u03b8\u05b4', '"\u03b8\\u{5b4}"'],
    ['\u00e9\u0e34', '"\u00e9\\u{e34}"'],
    ['\u05e9\u0901', '"\u05e9\\u{901}"'],
    ['\u0915\u05b4', '"\u0915\\u{5b4}"'],
    ['a\u3000b', '"a\\u{3000}b"'],
    ['a\u1680b', '"a\\u{1680}b"'],
    [`a${' '.repeat(300)}b`, '"a\\u{20}×300b"'],
    [`a${'\u200b'.repeat(9)}`, '"a\\u{200b}×9"'],
    [' a', '" a"'],
    ['a  b', '"a  b"'],
    ['"a\\', '"\\"a\\\\"'],
  ])('shows %j as %s', (text, shown) => expect(showText(text)).toBe(shown));

  it('gives two texts one look only if they are one text', () => {
    expect(showText('\u202e')).not.toBe(showText('"\\u{202e}"'));
    expect(quoteText('\\u{202e}')).not.toBe(quoteText('\u202e'));
  });

  it('shows where each argument of a command line ends', () => {
    expect(commandLine(['a', 'b c', 'd\u202e', "e'", ''])).toBe('a "b c" "d\\u{202e}" "e\'" ""');
  });
});

describe('text in pieces', () => {
  it('tells what is shown in place of what, and why; together they are the text', () => {
    const text = `  a\u202e\u200bb${' '.repeat(5)}\u0430c\td `;
    const parts = shownParts(text);
    expect(parts.map((part) => part.text).join('')).toBe(text);
    expect(parts.map(({ text: own, instead }) => instead?.text ?? own)).toEqual([
      '\\u{20}\\u{20}',
      'a',
      '\\u{202e}\\u{200b}',
      'b',
      '\\u{20}×5\\u{430}',
      'c',
      '\\t',
      'd',
      '\\u{20}',
    ]);
    expect(parts.flatMap(({ instead }) => (instead ? [instead.kinds] : []))).toEqual([
      ['blanks'],
      ['direction', 'invisible'],
      ['blanks', 'lookAlike'],
      ['control'],
      ['blanks'],
    ]);
  });

  it('escapes every character beside ASCII that is not known to be unmistakable', () => {
    let odd = 0;
    for (let code = 0; code <= 0x10ffff; code += 7) {
      const character = String.fromCodePoint(code);
      const isShown = !hasHidden(`n${character}e`);
      odd += isShown ? 0 : 1;
      const isPlain = /[ -~]|[\p{L}«»¿¡§¶「」『』【】、。]|\p{M}/u.test(character);
      expect([code.toString(16), !isShown || isPlain]).toEqual([code.toString(16), true]);
      if (isShown && code > 0x7f) {
        expect([code.toString(16), /\p{C}|\p{Z}|\p{N}|\p{S}/u.test(character)]).toEqual([
          code.toString(16),
          false,
        ]);
      }
    }
    expect(odd).toBeGreaterThan(100_000);
  });

  it('shows a mark on an ASCII letter or digit only if both make one character', () => {
    for (let code = 0x80; code <= 0x10ffff; code++) {
      const mark = String.fromCodePoint(code);
      if (/\p{M}/u.test(mark)) {
        for (const letter of 'an1') {
          const isOne = [...(letter + mark).normalize('NFC')].length === 1;
          expect([letter, code.toString(16), hasHidden(letter + mark)]).toEqual([
            letter,
            code.toString(16),
            !isOne,
          ]);
        }
      }
    }
  });

  it('reads texts without end in no time', () => {
    for (const piece of [' ', 'a', '\u0430', '\u200b', '/ ', 'a\u0301', '    x']) {
      const text = piece.repeat(50_000);
      expect(
        shownParts(text)
          .map((part) => part.text)
          .join(''),
      ).toBe(text);
    }
  });
});
