import { expect, it } from 'vitest';
import { assertPassable } from '../../../../src/mcp/connection/processOpening.js';

const batch = 'C:\\tools\\npx.CMD';
const env = { PATH: 'C:\\Windows' };
const pass = (executable: string, args: readonly string[], more: Record<string, string> = {}) =>
  assertPassable({ executable, args, env: { ...env, ...more } }, 'win32');

it.each([
  ['a sign of the shell behind a quotation mark', ['"&calc&"']],
  ['a quotation mark in one argument and a sign in another', ['say "hi"', 'a|b']],
  ['a redirection', ['{"a":">b"}']],
  ['a line break', ['a\nb']],
  ['a part of a variable', ['%CMDCMDLINE:~-1%']],
  ['a variable with some of it replaced, in two arguments', ['%PATH:a', 'b%']],
])('no batch file is given %s', (_what, args) => {
  for (const file of [batch, 'C:\\tools\\run.cmd.', 'C:\\tools\\run.cmd ', 'C:\\tools\\run']) {
    expect(() => pass(file, args)).toThrow('cannot be given these arguments');
  }
  const request = { executable: 'C:\\tools\\node.exe', args, env };
  expect(() => assertPassable(request, 'win32')).not.toThrow();
  expect(() => assertPassable({ ...request, executable: '/tools/run.cmd' }, 'linux')).not.toThrow();
});

it.each([
  ['a caret', 'X^'],
  ['a caret and what quotes an argument', 'b^" ^"c^'],
  ['a percent sign', 'X%'],
])('no batch file is given percent signs beside a variable whose name has %s', (_what, name) => {
  const more = { [name]: '"&calc&"' };
  for (const args of [['%X%'], ['a%b', 'c%d'], ['20%', '30%']]) {
    expect(() => pass(batch, args, more)).toThrow('cannot be given these arguments');
    expect(() => pass('C:\\tools\\node.exe', args, more)).not.toThrow();
  }
  expect(() => pass('C:\\100%\\run.cmd', ['%'], more)).toThrow('cannot be given these arguments');
  expect(() => pass(batch, ['100%'], more)).not.toThrow();
});

it.each([
  [['{"a":1}']],
  [['a&b', 'c|d']],
  [['two words', '%PATH%', '']],
  [['https://host/a%20b', '--header', 'X: 100%']],
  [['%20 x:%']],
])('a batch file is given %j', (args) => {
  expect(() => pass(batch, args)).not.toThrow();
});
