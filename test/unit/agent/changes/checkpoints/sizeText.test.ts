import { expect, it } from 'vitest';
import { sizeText } from '../../../../../src/agent/changes/checkpoints/sizeText.js';

it.each([
  [1, '1 KB'],
  [1536, '2 KB'],
  [1024 * 1024 - 1, '1024 KB'],
  [1.44 * 1024 * 1024, '1.4 MB'],
  [200 * 1024 * 1024, '200.0 MB'],
])('says %d bytes in words', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});
