import { expect, it } from 'vitest';
import {
  filePlaceOf,
  filePlaceOfCode,
} from '../../../../../src/webview/agent/markdown/fileLinks.js';

it.each([
  ['src/a.ts', { path: 'src/a.ts' }],
  ['src/a.ts:12', { path: 'src/a.ts', line: 12 }],
  ['src/a.ts:12:4', { path: 'src/a.ts', line: 12 }],
  ['src/a.ts:12-20', { path: 'src/a.ts', line: 12 }],
  ['./src/a.ts#L7', { path: './src/a.ts', line: 7 }],
  ['src/a.ts#L7-L9', { path: 'src/a.ts', line: 7 }],
  ['README.md', { path: 'README.md' }],
  ['dir/.env.local', { path: 'dir/.env.local' }],
  ['src\\a.ts', { path: 'src\\a.ts' }],
])('takes %s for a file', (text, place) => {
  expect(filePlaceOf(text)).toEqual(place);
  expect(filePlaceOfCode(text)).toEqual(place);
});

it.each([
  'npm test',
  'foo.bar',
  'a/b',
  'https://example.com/a.ts',
  'javascript:alert(1).ts',
  'vscode://file/a.ts',
  'file:///etc/passwd.txt',
  '//host/share/a.ts',
  'items.map(one)',
  '--out=a.ts',
  '../..',
  `${'x'.repeat(400)}.ts`,
])('takes %s for no file', (text) => {
  expect(filePlaceOfCode(text)).toBeUndefined();
});
