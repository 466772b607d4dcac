import { expect, it } from 'vitest';
import {
  quoteJsonPart,
  quoteWord,
  shellLine,
  shellWord,
} from '../../../../src/presentation/runTool/shellWords.js';

it.each([
  ['plain.name-1', 'plain.name-1', 'plain.name-1'],
  ['two words', "'two words'", "'two words'"],
  ['--trust', "'--trust'", "'--trust'"],
  ['', "''", "''"],
  ["it's", "'it'\\''s'", "'it''s'"],
  ['$(id) `id`', "'$(id) `id`'", "'$(id) `id`'"],
  // PowerShell takes each of these for a quotation mark
  ['a\u2018b', "'a\u2018b'", "'a\u2018\u2018b'"],
  ['a\u2019; calc', "'a\u2019; calc'", "'a\u2019\u2019; calc'"],
  ['a\u201ab', "'a\u201ab'", "'a\u201a\u201ab'"],
  ['a\u201bb', "'a\u201bb'", "'a\u201b\u201bb'"],
])('quotes %j', (text, posix, windows) => {
  expect(shellWord(text, 'posix')).toBe(posix);
  expect(shellWord(text, 'windows')).toBe(windows);
});

it('has PowerShell call a program in quotes, which it would print instead', () => {
  const words = ['C:\\tools\\node.exe', 'a b'];
  expect(shellLine(words, 'windows')).toBe("& 'C:\\tools\\node.exe' 'a b'");
  expect(shellLine(['node', 'a b'], 'windows')).toBe("node 'a b'");
  expect(shellLine(['/my tools/node', 'a'], 'posix')).toBe("'/my tools/node' a");
});

it.each(['a\nb', 'a\r\ncalc', '%PATH%', 'a!b!', 'a^b', 'a & calc', 'a|b', 'a>b', '"', 'a\u2028b'])(
  'refuses for Windows what cmd cannot carry: %j',
  (text) => {
    expect(() => quoteWord(text, 'windows')).toThrow('A command line of Windows cannot hold this');
    expect(quoteWord(text, 'posix')).toBe(`'${text}'`);
  },
);

it.each([
  'plain text, 1 + 1 = 2.',
  `"; & calc & echo "`,
  '\\" & calc',
  '%PATH% !x! ^& <in >out |pipe',
  "'; \u2018\u2019\u201a\u201b; calc; '",
  '$(calc) `calc` @(calc)',
  'line\nline\r\u2028\u0000',
  'Grüße 👋',
])('writes JSON for Windows with nothing that a shell reads: %j', (text) => {
  const json = JSON.stringify({ [text]: [text, 1, true, null] });
  const quoted = quoteJsonPart(json, 'windows');
  expect(quoted).toMatch(/^'[\x20-\x7e]*'$/);
  const inner = quoted.slice(1, -1);
  expect(inner).not.toMatch(/['`$%!^&|<>()]/);
  // quotation marks are those around keys and strings alone, as cmd counts them
  expect(inner).not.toContain('\\"');
  expect(JSON.parse(inner)).toEqual(JSON.parse(json));
});
