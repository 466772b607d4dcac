import { expect, it } from 'vitest';
import { nameToken } from '../../../src/base/text/nameToken.js';

it.each([
  ['Claude Code', 'Claude Code'],
  ["Ada's server", "Ada's server"],
  ['Ada\u2019s server', 'Ada\u2019s server'],
  ['сервер-1', 'сервер-1'],
  ['files (folder api)', 'files (folder api)'],
  ['🚀 files', '🚀 files'],
  ['', ''],
])('leaves %j as it is', (name, token) => {
  expect(nameToken(name)).toBe(token);
});

it.each([
  [
    'Claude Code" calls the tool "list_notes',
    'Claude Code\\u0022 calls the tool \\u0022list_notes',
  ],
  ['a\u201d b \u201ec\u201c \u00abd\u00bb', 'a\\u201d b \\u201ec\\u201c \\u00abd\\u00bb'],
  ['a\uff02b', 'a\\uff02b'],
  ['a\\"b', 'a\\\\u0022b'],
  ['safe\u202etxt.exe', 'safe\\u202etxt.exe'],
  ['two\nlines', 'two lines'],
  ['zero\u200bwidth', 'zero\\u200bwidth'],
])('writes %j so that it ends no sentence of ours', (name, token) => {
  expect(nameToken(name)).toBe(token);
  expect(nameToken(token)).toBe(token);
  expect(token).not.toMatch(/["\u201c\u201d\u201e\u00ab\u00bb\u202a-\u202e\n]/);
});

it('shortens what is no name', () => {
  expect(nameToken('x'.repeat(500))).toBe(`${'x'.repeat(79)}…`);
  expect([...nameToken('👋'.repeat(500))]).toHaveLength(80);
});
