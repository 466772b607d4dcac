import { expect, it } from 'vitest';
import { wantsToon, writeAsToon } from '../../../../../src/mcp/catalog/results/toonResult.js';
import { loadTokenCounter } from '../../../../../src/mcp/catalog/tokens/tokenEstimate.js';

const countTokens = await loadTokenCounter();

async function toon(text: string): Promise<string> {
  const { content } = writeAsToon(
    { content: [{ type: 'text', text }], isError: false },
    countTokens,
  );
  return String(content[0]?.text);
}

it('writes JSON as TOON where that takes fewer tokens', async () => {
  const rows = Array.from({ length: 20 }, (_, id) => ({ id, name: `row ${id}`, isOpen: true }));
  const text = JSON.stringify(rows);
  const shorter = await toon(text);
  expect(shorter).toMatch(/^\[20\]\{id,name,isOpen\}:\n/);
  expect(countTokens(shorter)).toBeLessThan(countTokens(text));
});

it.each(['plain text', '[not json', '{"a":{"b":{"c":{"d":[1,{"e":2}]}}}}', '{}'])(
  'leaves %s as it is',
  async (text) => {
    expect(await toon(text)).toBe(text);
  },
);

it('is on for all servers or for some', () => {
  expect([wantsToon(true, 'a'), wantsToon(['a'], 'a'), wantsToon(['b'], 'a')]).toEqual([
    true,
    true,
    false,
  ]);
  expect(wantsToon(undefined, 'a')).toBe(false);
});
