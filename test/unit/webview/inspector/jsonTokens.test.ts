import { expect, it } from 'vitest';
import { jsonTokens } from '../../../../src/webview/inspector/jsonTokens.js';
import { rowWindow } from '../../../../src/webview/inspector/timeline.js';
import { rowHeight } from '../../../../src/webview/shared/inputs.js';

const whole = (text: string) =>
  jsonTokens(text)
    .map((token) => token.text)
    .join('');

it('colours what JSON has, and loses nothing', () => {
  const text = JSON.stringify({ 'a\\"b': ['x: 1', -1.5e3, true, null] }, undefined, 2);
  expect(whole(text)).toBe(text);
  expect(
    jsonTokens('{"k": "v", "n": 1, "b": null}').filter(({ kind }) => kind !== 'plain'),
  ).toEqual([
    { kind: 'key', text: '"k"' },
    { kind: 'string', text: '"v"' },
    { kind: 'key', text: '"n"' },
    { kind: 'number', text: '1' },
    { kind: 'key', text: '"b"' },
    { kind: 'word', text: 'null' },
  ]);
});

it.each(['', '"open', '{"a": "…', 'no json at all', '\\"\\"\\', '<script>'])(
  'leaves %j as it is',
  (text) => {
    expect(whole(text)).toBe(text);
  },
);

it('does not colour without end', () => {
  const text = JSON.stringify(Array.from({ length: 40_000 }, () => 1));
  expect(whole(text)).toBe(text);
  expect(jsonTokens(text).at(-1)?.text.length).toBeGreaterThan(20_000);
});

it('draws the rows in sight and a few more', () => {
  expect(rowWindow(0, 10 * rowHeight, 5)).toEqual({ first: 0, end: 5 });
  expect(rowWindow(0, 10 * rowHeight, 0)).toEqual({ first: 0, end: 0 });
  const { first, end } = rowWindow(5_000 * rowHeight, 20 * rowHeight, 10_000);
  expect(first).toBeLessThan(5_000);
  expect(end).toBeGreaterThan(5_020);
  expect(end - first).toBeLessThan(50);
});
