import { expect, it } from 'vitest';
import { asMessage, readCommandLine } from '../../../../src/base/text/commandLine.js';

it.each([
  ['!ls', { command: 'ls', isPrivate: false }],
  ['! ls -l \n', { command: 'ls -l', isPrivate: false }],
  ['!!env', { command: 'env', isPrivate: true }],
  ['!!', { command: '', isPrivate: true }],
  ['!!!x', { command: '!x', isPrivate: true }],
  [
    '!for i in 1 2\ndo echo $i; done',
    { command: 'for i in 1 2\ndo echo $i; done', isPrivate: false },
  ],
  [' !ls', undefined],
  ['\n!ls', undefined],
  ['\uff01ls', undefined],
  ['ls!', undefined],
  ['', undefined],
])('reads %j', (text, line) => {
  expect(readCommandLine(text)).toEqual(line);
});

it.each(['!ls', '!!env', '!', ' !ls', 'hello', ''])('makes no line to be run of %j', (text) => {
  expect(readCommandLine(asMessage(text))).toBeUndefined();
  expect(asMessage(text).trim()).toBe(text.trim());
});
