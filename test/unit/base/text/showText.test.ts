import { describe, expect, it } from 'vitest';
import { quoteText, showText } from '../../../../src/base/text/showText.js';
import { commandLine } from '../../../../src/platform/commandLine.js';

describe('text that somebody decides by', () => {
  it.each([
    'node',
    'two words',
    'a\\b',
    "it's",
    'Grüße, 世界 ①',
    'e\u0301',
    'हिन्दी',
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
    ['a\u0301\u0301\u0301\u0301', '"a\u0301\u0301\u0301\\u{301}"'],
    ['a\ufe0f', '"a\\u{fe0f}"'],
    ['\ud800a', '"\\u{d800}a"'],
    ['a\u00a0b', '"a\\u{a0}b"'],
    ['a\u001b[31m', '"a\\u{1b}[31m"'],
    ['\u{13441}', '"\\u{13441}"'],
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
