import { expect, it } from 'vitest';
import { assertPassable } from '../../../../src/mcp/connection/processOpening.js';

const batch = 'C:\\tools\\npx.CMD';

it.each([
  ['a sign of the shell behind a quotation mark', ['"&calc&"']],
  ['a quotation mark in one argument and a sign in another', ['say "hi"', 'a|b']],
  ['a redirection', ['{"a":">b"}']],
  ['a line break', ['a\nb']],
])('no batch file is given %s', (_what, args) => {
  for (const file of [batch, 'C:\\tools\\run.cmd.', 'C:\\tools\\run.cmd ', 'C:\\tools\\run']) {
    expect(() => assertPassable(file, args, 'win32')).toThrow('cannot be given these arguments');
  }
  expect(() => assertPassable('C:\\tools\\node.exe', args, 'win32')).not.toThrow();
  expect(() => assertPassable('/tools/run.cmd', args, 'linux')).not.toThrow();
});

it.each([[['{"a":1}']], [['a&b', 'c|d']], [['two words', '%PATH%', '']]])(
  'a batch file is given %j',
  (args) => {
    expect(() => assertPassable(batch, args, 'win32')).not.toThrow();
  },
);
