import { describe, expect, it } from 'vitest';
import {
  jsonText,
  markdownText,
  oneLine,
  terminalText,
} from '../../../../src/base/text/plainText.js';

const obeyed = '\u001b[2J\u009b31m\u0007\u202ex\u200b\u{e0041}';

describe('text for a terminal', () => {
  it('keeps lines and writes out what a terminal would obey', () => {
    expect(terminalText(`a\n\tb é 日本 👍 ${obeyed}`)).toBe(
      'a\n\tb é 日本 👍 \\u{1b}[2J\\u{9b}31m\\u{7}\\u{202e}x\\u{200b}\\u{e0041}',
    );
    expect(terminalText('a\r\nb\rc')).toBe('a\\r\nb\\rc');
  });

  it('is one line where one is meant', () => {
    expect(oneLine('a\nglobal  [fine]\tb\u2028c')).toBe('a\\nglobal  [fine]\\tb\\u{2028}c');
  });

  it('stays the same document for programs', () => {
    const document = { [obeyed]: `${obeyed}\n` };
    const text = jsonText(document);
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    expect(JSON.parse(text)).toEqual(document);
  });
});

describe('Markdown', () => {
  it.each([
    ['my server 1.0', 'my server 1.0'],
    ['state error: gone (2)', 'state error: gone (2)'],
    ['/a/b', '` /a/b `'],
    ['a\n# b', '` a\\n# b `'],
    ['![](https://evil.example/x.png)', '` ![](https://evil.example/x.png) `'],
    ['<img src=x>', '` <img src=x> `'],
    ['@somebody', '` @somebody `'],
    ['a`b``c`', '``` a`b``c` ```'],
    ['1 - x', '1 - x'],
    ['see https://evil.example', '` see https://evil.example `'],
    ['', ''],
  ])('shows %j', (text, expected) => {
    expect(markdownText(text)).toBe(expected);
  });
});
