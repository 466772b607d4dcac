/** To search thousands of tools takes linear time. */
import { describe, expect, it } from 'vitest';
import { ToolIndex } from '../../../src/mcp/catalog/search/toolIndex.js';
import { searchableTools } from '../../helpers/capturedTools.js';
import { generateServers } from '../../helpers/generatedTools.js';
import { growthOf, maxRatio } from '../../helpers/growth.js';

const toolCount = 5_000;
const timeoutMs = 120_000;
const query = 'create a draft invoice';
// one is too fast to be measured
const searches = 20;

const all = searchableTools(generateServers(100, toolCount / 100));
const toolsOf = (size: number) => all.slice(0, size);

const searchCold = (tools: typeof all) => new ToolIndex(tools).search(query);
const searchOften = (index: ToolIndex<(typeof all)[number]>) => {
  for (let count = 0; count < searches; count++) {
    index.search(query);
  }
};
const readIndex = (size: number) => {
  const index = new ToolIndex(toolsOf(size));
  index.search(query);
  return index;
};

describe('a search of 5,000 tools', () => {
  it(
    'takes linear time the first time',
    async () => {
      expect((await growthOf(searchCold, toolsOf, toolCount)).ratio).toBeLessThanOrEqual(maxRatio);
    },
    timeoutMs,
  );

  it(
    'takes linear time from then on',
    async () => {
      expect((await growthOf(searchOften, readIndex, toolCount)).ratio).toBeLessThanOrEqual(
        maxRatio,
      );
    },
    timeoutMs,
  );

  it(
    'would be found if it compared each tool with the others',
    async () => {
      const run = (tools: typeof all) =>
        tools.map(({ tool }) => tools.filter((other) => other.tool === tool).length);
      expect((await growthOf(run, toolsOf, toolCount)).ratio).toBeGreaterThan(maxRatio);
    },
    timeoutMs,
  );
});
