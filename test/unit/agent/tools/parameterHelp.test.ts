import { expect, it } from 'vitest';
import { ParameterHelp } from '../../../../src/agent/tools/parameterHelp.js';
import { ModelToolDefinition } from '../../../../src/mcp/catalog/toolCatalog.js';

const source = {
  name: 't',
  inputSchema: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Where it is' },
      depth: { type: 'integer' },
    },
    required: ['path'],
  },
};
const tool = { name: 's__t', model: new ModelToolDefinition('s__t', 's', source) };
const parameters =
  'Parameters of s__t: \n  path (string, required): Where it is\n  depth (integer)';

const result = (isError: boolean) => ({
  content: [{ type: 'text' as const, text: 'No such file' }],
  details: { isMcp: true, isError },
});

it('tells the parameters after a failed call, once', () => {
  const help = new ParameterHelp();
  expect(help.addTo(result(false), tool).content).toHaveLength(1);
  expect(help.addTo(result(true), tool).content).toEqual([
    { type: 'text', text: 'No such file' },
    { type: 'text', text: parameters },
  ]);
  expect(help.addTo(result(true), tool).content).toHaveLength(1);
  // another conversation has read nothing yet
  expect(new ParameterHelp().addTo(result(true), tool).content).toHaveLength(2);
});

it('tells them with arguments that do not fit', () => {
  const help = new ParameterHelp();
  expect(help.explain(new Error('path is missing'), tool).message).toBe(
    `path is missing\n${parameters}`,
  );
  expect(help.explain(new Error('path is missing'), tool).message).toBe('path is missing');
});

it('stays short for a tool of many parameters', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [
      `p${index}`,
      { type: 'string', description: 'x'.repeat(1000) },
    ]),
  );
  const wide = { name: 't', inputSchema: { type: 'object', properties } };
  const model = new ModelToolDefinition('s__wide', 's', wide);
  const { content } = new ParameterHelp().addTo(result(true), { name: 's__wide', model });
  expect(JSON.stringify(content).length).toBeLessThan(8_000);
});
