import { expect, it } from 'vitest';
import { ToolCatalog, type ToolCatalogOptions } from '../../../../src/mcp/catalog/toolCatalog.js';
import type { McpTool } from '../../../../src/mcp/mcpTypes.js';
import { CallableServer } from '../../../helpers/fakes/fakeAgentMcp.js';

const options: ToolCatalogOptions = {
  countTokens: (text) => text.length,
  budget: 10_000,
  reserved: ['files__write'],
  directTools: undefined,
  isOn: (_server, tool) => tool !== 'off',
};

function serverOf(...tools: readonly McpTool[]): CallableServer {
  return new CallableServer('files', tools, () => Promise.reject(new Error('not called')));
}

function tool(name: string, inputSchema: McpTool['inputSchema'] = {}): McpTool {
  return { name, inputSchema };
}

it('keeps a tool whose schema no provider takes from the model, and the others with it', () => {
  const huge = { properties: { a: { description: 'x'.repeat(100_001) } } };
  const [bad, good] = new ToolCatalog().list([serverOf(tool('bad', huge), tool('good'))], options);
  expect(bad).toMatchObject({ name: 'files__bad', exposure: 'hidden' });
  expect(bad?.problem).toContain('The parameters of tool bad');
  expect(good).toMatchObject({ exposure: 'direct' });
  expect(good?.problem).toBeUndefined();
});

it('lists hidden tools too, so that a switch renames no other tool', () => {
  const catalog = new ToolCatalog();
  const listed = catalog.list([serverOf(tool('off'), tool('write'))], options);
  expect(listed.map(({ exposure }) => exposure)).toEqual(['hidden', 'direct']);
  expect(listed[1]?.name).toMatch(/^files__write_[0-9a-f]{8}$/);
  const on = catalog.list([serverOf(tool('off'), tool('write'))], { ...options, isOn: () => true });
  expect(on[1]?.name).toBe(listed[1]?.name);
});

it('makes each tool once as long as its server lists the same object', () => {
  const catalog = new ToolCatalog();
  const server = serverOf(tool('read'));
  const [first] = catalog.list([server], options);
  const [again] = catalog.list([server], options);
  expect(again?.model).toBe(first?.model);
});

it('describes a tool that its server does not describe', () => {
  const [listed] = new ToolCatalog().list([serverOf(tool('read'))], options);
  expect(listed?.model.description).toBe("MCP tool 'read' from server 'files'.");
  expect(listed?.model.tokens(options.countTokens)).toBeGreaterThan(50);
});

it('counts what is sent, not what its server wrote', () => {
  const schema = {
    properties: { 'a<': { $ref: '#/$defs/id' } },
    minProperties: 1,
    $defs: { id: { type: 'string' }, unused: { description: 'x'.repeat(5_000) } },
  };
  const [listed] = new ToolCatalog().list([serverOf(tool('read', schema))], options);
  const { name = '', description = '', schema: parameters } = listed?.model ?? {};
  expect(description).toContain('Also: {"minProperties":1}');
  expect(parameters).toEqual({
    type: 'object',
    properties: { a_: { type: 'string', description: 'The server calls it "a<".' } },
  });
  const { length } = JSON.stringify({ name, description, parameters });
  expect(listed?.model.tokens(options.countTokens)).toBe(length);
});

/** Counts letters, and how often it is asked in one turn. */
function turnCounter() {
  const seen = { inTurn: 0, most: 0, counted: 0 };
  const countTokens = (text: string) => {
    if (seen.inTurn === 0) {
      setImmediate(() => {
        seen.inTurn = 0;
      });
    }
    seen.inTurn++;
    seen.counted++;
    seen.most = Math.max(seen.most, seen.inTurn);
    return text.length;
  };
  return { seen, countTokens };
}

const many = () => serverOf(...Array.from({ length: 200 }, (_, index) => tool(`tool${index}`)));

it('counts many tools with turns for others in between, and has them ready then', async () => {
  const { seen, countTokens } = turnCounter();
  const server = many();
  const catalog = new ToolCatalog();
  const all = { ...options, budget: 1_000_000, countTokens };
  const listed = await catalog.listWithPauses([server], all);
  expect(listed.map(({ exposure }) => exposure)).toEqual(Array(200).fill('direct'));
  expect(seen.counted).toBe(200);
  expect(seen.most).toBeLessThan(20);
  expect(catalog.list([server], all)).toEqual(listed);
  expect(seen.counted).toBe(200);
});

it('counts no more tools than it takes to know that they are too many', async () => {
  const { seen, countTokens } = turnCounter();
  const server = many();
  const few = { ...options, budget: 300, countTokens };
  const [first] = await new ToolCatalog().listWithPauses([server], few);
  expect(first?.exposure).toBe('search');
  expect(seen.counted).toBeLessThan(10);
  const { seen: fixed, countTokens: countFixed } = turnCounter();
  const isOn = () => false;
  await new ToolCatalog().listWithPauses([server], { ...few, isOn, countTokens: countFixed });
  expect(fixed.counted).toBe(0);
});
