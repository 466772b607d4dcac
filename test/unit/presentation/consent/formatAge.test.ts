import { expect, it } from 'vitest';
import { formatAge } from '../../../../src/presentation/consent/formatAge.js';

it.each([
  [-5_000, 'now'],
  [59_000, 'now'],
  [60_000, '1 minute ago'],
  [3 * 3_600_000, '3 hours ago'],
  [25 * 3_600_000, 'yesterday'],
  [9 * 24 * 3_600_000, '9 days ago'],
])('says how long ago %i ms are', (ageMs, text) => {
  expect(formatAge(ageMs, 'en')).toBe(text);
});
