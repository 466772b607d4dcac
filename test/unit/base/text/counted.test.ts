import { expect, it } from 'vitest';
import { counted } from '../../../../src/base/text/counted.js';

it('has a form for one, and one for none and many', () => {
  const texts = [0, 1, 2].map((count) => counted('1 file|{0} files', count));
  expect(texts).toEqual(['0 files', '1 file', '2 files']);
  expect(counted('1 file|{0} files', 1_200, '1,200')).toBe('1,200 files');
});
