import { expect, it } from 'vitest';
import {
  countToolTokens,
  loadTokenCounter,
} from '../../../../../src/mcp/catalog/tokens/tokenEstimate.js';

it('counts real tokens, special ones as text', async () => {
  const count = await loadTokenCounter();
  expect(count('hello world')).toBe(2);
  expect(count('<|endoftext|>')).toBeGreaterThan(1);
  const tool = { name: 'a', inputSchema: { type: 'object' } };
  const longer = { ...tool, description: 'Reads a file and returns all of its lines.' };
  expect(countToolTokens(longer, count) - countToolTokens(tool, count)).toBeGreaterThan(5);
});
