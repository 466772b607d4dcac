import { expect, it } from 'vitest';
import {
  folderPrefix,
  mentionWord,
  remotePath,
} from '../../../../src/presentation/mentions/placeNames.js';

const folder = (fsPath: string, name = fsPath.split(/[\\/]/).at(-1) ?? '') => ({ name, fsPath });

it.each<readonly [string, readonly string[], readonly string[]]>([
  ['one folder', ['/w/api'], ['']],
  ['two folders', ['/w/api', '/w/web'], ['api/', 'web/']],
  ['two of one name', ['/w/a/api', '/w/b/api', '/w/web'], ['a/api/', 'b/api/', 'web/']],
  ['two that differ far above', ['/a/w/api', '/b/w/api'], ['a/w/api/', 'b/w/api/']],
  ['one within another', ['/api', '/w/api'], ['api/', 'w/api/']],
  ['folders of Windows', ['c:\\a\\my api', 'c:\\b\\my api'], ['a/my api/', 'b/my api/']],
])('tells paths of %s apart', (_what, paths, wanted) => {
  const all = paths.map((path) => folder(path));
  expect(all.map((one) => folderPrefix(one, all))).toEqual(wanted);
});

it('tells folders apart that the user gave one name', () => {
  const all = [folder('/w/one', 'shop'), folder('/w/two', 'shop')];
  expect(all.map((one) => folderPrefix(one, all))).toEqual(['w/one/', 'w/two/']);
});

it('writes a name with blanks so that it ends where it ends', () => {
  expect(['cart.ts', 'a#1.ts', 'my notes #1.md', 'my folder/'].map(mentionWord)).toEqual([
    'cart.ts',
    'a#1.ts',
    '"my notes #1.md"',
    '"my folder/"',
  ]);
});

it.each([
  ['the remote of the window', 'ssh-remote+box', 'ssh-remote', '/w/a.ts'],
  ['a remote without a host', 'localhost:8080', 'localhost:8080', '/w/a.ts'],
  ['a remote of another kind', 'wsl+ubuntu', 'ssh-remote', undefined],
  ['a remote, in a local window', 'ssh-remote+box', undefined, undefined],
  ['a remote that begins alike', 'ssh-remote2+box', 'ssh-remote', undefined],
])('takes a drop from %s for what it is', (_what, authority, remoteName, wanted) => {
  expect(remotePath({ authority, path: '/w/a.ts' }, remoteName)).toBe(wanted);
});
