import { sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isWithin, isWithinAnyCase } from '../../../src/platform/withinFolder.js';

describe('what is within a folder', () => {
  it.each([
    ['/work/a', '/work/a', true],
    ['/work/a', '/work/a/', true],
    ['/work/a', '/work/a/b/c', true],
    ['/work/a', '/work/a/..b', true],
    ['/work/a', '/work/a/..b/c', true],
    ['/work/a', '/work/a/...', true],
    ['/work/a', '/work/a/b/../c', true],
    ['/', '/work', true],
    ['/work/a', '/work', false],
    ['/work/a', '/work/ab', false],
    ['/work/a', '/work/..a', false],
    ['/work/a', '/work/a/../b', false],
    ['/work/a', '/work/A/b', false],
  ])('%s: %s, %s', (folder, path, expected) => {
    expect(isWithin(folder, path.replaceAll('/', sep))).toBe(expected);
  });

  it('may make no difference between cases', () => {
    expect(isWithinAnyCase('/work/a', '/WORK/A/b')).toBe(true);
    expect(isWithinAnyCase('/work/a', '/WORK/AB')).toBe(false);
  });
});
