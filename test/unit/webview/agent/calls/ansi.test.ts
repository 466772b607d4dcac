import { describe, expect, it } from 'vitest';
import { ansiSpans } from '../../../../../src/webview/agent/calls/ansi.js';

const esc = '\u001b';
const shown = (text: string) =>
  ansiSpans(text).map(({ text: part, classes, colors }) => {
    const used = colors.replaceAll(/--ansi-(fg|bg): var\(--vscode-terminal-ansi(\w+)\);/g, '$1 $2');
    return used === '' ? [part, classes] : [part, classes, used];
  });

describe('the output of a command', () => {
  it('has the colours that it asks for, in those of the theme', () => {
    expect(shown(`a${esc}[31mred${esc}[0m b`)).toEqual([
      ['a', ''],
      ['red', 'ansi-fg', 'fg Red'],
      [' b', ''],
    ]);
    expect(shown(`${esc}[1;97;44mx${esc}[22;39m y${esc}[49m`)).toEqual([
      ['x', 'ansi-bold ansi-fg ansi-bg', 'fg BrightWhite bg Blue'],
      [' y', 'ansi-bg', 'bg Blue'],
    ]);
  });

  it('takes the nearest colour of the theme for any other', () => {
    expect(shown(`${esc}[38;5;196mx`)).toEqual([['x', 'ansi-fg', 'fg BrightRed']]);
    expect(shown(`${esc}[38;2;0;120;0mx`)).toEqual([['x', 'ansi-fg', 'fg Green']]);
    expect(shown(`${esc}[48:5:250mx`)).toEqual([['x', 'ansi-bg', 'bg White']]);
    expect(shown(`${esc}[38;5mx${esc}[38mz`)).toEqual([
      ['x', 'ansi-fg', 'fg Black'],
      ['z', ''],
    ]);
  });

  it('obeys nothing else: no movement, no title, no link', () => {
    expect(
      shown(`${esc}]0;title\u0007a${esc}[2J${esc}[10;3H${esc}]8;;http://x\u001b\\b${esc}(Bc`),
    ).toEqual([['abc', '']]);
    expect(shown(`end${esc}`)).toEqual([['end', '']]);
  });

  it('shows what a line of progress has come to', () => {
    expect(shown('1 %\r50 %\r100 %\r\ndone')).toEqual([['100 %\ndone', '']]);
  });

  it('ends with its colours where there are too many', () => {
    const many = ansiSpans(`${esc}[31mx${esc}[32my`.repeat(20_000));
    expect(many.length).toBeLessThanOrEqual(2_000);
    expect(many.map(({ text }) => text).join('')).toHaveLength(40_000);
  });
});
