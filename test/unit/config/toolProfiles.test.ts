import { expect, it } from 'vitest';
import {
  isInProfile,
  isPatternKnown,
  patternsOf,
  readProfiles,
  unknownPatterns,
} from '../../../src/config/toolProfiles.js';

const isIn = (written: unknown, place: string, isReadOnly = false) => {
  const [profile] = readProfiles({ x: written }, 'user');
  const at = place.lastIndexOf('/');
  const tool = { server: place.slice(0, at), tool: place.slice(at + 1) };
  return profile !== undefined && isInProfile(profile, { ...tool, isReadOnly: () => isReadOnly });
};

it.each<[unknown, readonly string[], readonly string[]]>([
  [['github'], ['github/get'], ['files/read', 'github2/get']],
  [['github/get_*'], ['github/get_issue'], ['github/delete_issue', 'files/get_x']],
  [['*'], ['github/get', 'files/read'], []],
  [['*/read'], ['files/read'], ['files/write']],
  [['*read'], ['spread/x'], ['files/read']],
  [
    ['git*', '!github/delete_*'],
    ['github/get', 'git/log'],
    ['github/delete_x', 'files/read'],
  ],
  [['!github', 'github/get'], ['github/get', 'files/read'], ['github/delete']],
  [['github/get', '!github'], [], ['github/get', 'files/read']],
  [['!*', 'files'], ['files/read'], ['github/get']],
  [[], ['files/read'], []],
  [{}, ['files/read'], []],
  [{ tools: ['files'] }, ['files/read'], ['github/get']],
  [['GitHub/Get'], ['github/get'], []],
  [['a/b'], ['a/b', 'a/b/x'], ['a/c']],
])('%j leaves in and out', (written, inside, outside) => {
  expect(inside.filter((place) => !isIn(written, place))).toEqual([]);
  expect(outside.filter((place) => isIn(written, place))).toEqual([]);
});

it('narrows to what reads, whatever the patterns give', () => {
  expect(isIn({ tools: ['files'], readOnly: true }, 'files/read', true)).toBe(true);
  expect(isIn({ tools: ['files'], readOnly: true }, 'files/write')).toBe(false);
  expect(isIn({ tools: ['files'], readOnly: true }, 'github/get', true)).toBe(false);
});

it.each([
  'github',
  7,
  null,
  [7],
  [''],
  ['!'],
  ['x'.repeat(201)],
  Array.from({ length: 201 }, () => 'a'),
  { tools: 'a' },
  { tools: [], readOnly: 'yes' },
  { tools: [], readonly: true },
  { files: ['read'] },
])('leaves everything out where it is not understood: %j', (written) => {
  expect(patternsOf(written)).toBeUndefined();
  expect(isIn(written, 'files/read', true)).toBe(false);
});

it('reads no more than a bounded number of profiles, and no names that cannot be shown', () => {
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`p${at}`, ['a']]));
  expect(readProfiles(many, 'user')).toHaveLength(100);
  expect(readProfiles({ '': ['a'], ' ': ['a'], ['n'.repeat(101)]: ['a'] }, 'user')).toEqual([]);
  expect(readProfiles('x', 'user')).toEqual([]);
});

it('knows which patterns mean nothing', () => {
  const servers = [
    { server: 'github', tools: ['get_issue', 'delete_issue'] },
    { server: 'new', tools: undefined },
  ];
  const known = ['github', 'git*', '!github/delete_*', '*', 'new', 'new/any', '*/get_*'];
  const unknown = ['gitlab', 'github/create', '!gitlab', '*/create', ''];
  expect(known.filter((one) => !isPatternKnown(one, servers))).toEqual([]);
  // the tools of a server that nobody has read yet may be called so
  expect(unknown.filter((one) => isPatternKnown(one, servers))).toEqual(['*/create']);
  const [profile] = readProfiles({ x: [...known, ' !gitlab/* ', 'github/create'] }, 'user');
  expect(profile && unknownPatterns(profile, servers)).toEqual(['!gitlab/*', 'github/create']);
});
