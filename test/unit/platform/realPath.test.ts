import { realpathSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { pathOnDisk, realPathNow } from '../../../src/platform/realPath.js';

it('takes the letters of the disk where either case names one file, and leaves links as they are', async () => {
  const disk = (real: string) => async () => real;
  expect(await pathOnDisk('c:\\work', 'win32', disk('C:\\Work'))).toBe('C:\\Work');
  expect(await pathOnDisk('/users/ada', 'darwin', disk('/Users/ada'))).toBe('/Users/ada');
  expect(await pathOnDisk('c:\\link', 'win32', disk('D:\\target'))).toBe('c:\\link');
  expect(await pathOnDisk('/work', 'linux', disk('/Work'))).toBe('/work');
  const missing = async (path: string) => {
    if (path.toLowerCase() === 'c:\\work') {
      return 'C:\\Work';
    }
    throw new Error('missing');
  };
  expect(await pathOnDisk('c:\\work\\sRC\\new', 'win32', missing)).toBe('C:\\Work\\sRC\\new');
  expect(await pathOnDisk('c:\\none', 'win32', missing)).toBe('c:\\none');
});

it('asks the system at once, too, which knows the letters of the disk', () => {
  const ask = vi.spyOn(realpathSync, 'native').mockReturnValue('C:\\Work');
  expect(realPathNow('c:\\work')).toBe('C:\\Work');
  ask.mockImplementation(() => {
    throw new Error('missing');
  });
  expect(realPathNow('c:\\none')).toBe('c:\\none');
  ask.mockImplementation((path) => {
    if (path === '/Users/ada') {
      return '/Users/Ada';
    }
    throw new Error('missing');
  });
  // what was deleted has the letters of its folder
  expect(realPathNow('/Users/ada/gone/file')).toBe('/Users/Ada/gone/file');
  ask.mockRestore();
});
