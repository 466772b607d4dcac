import { expect, it } from 'vitest';
import { ParameterHelp } from '../../../../../src/mcp/catalog/schema/parameterHelp.js';

const schema = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Where it is' },
    depth: { type: 'integer' },
  },
  required: ['path'],
};

it('tells the parameters of each tool once', () => {
  const help = new ParameterHelp();
  expect(help.textFor('s__t', schema)).toBe(
    'Parameters of s__t: \n  path (string, required): Where it is\n  depth (integer)',
  );
  expect(help.textFor('s__t', schema)).toBeUndefined();
  expect(help.textFor('s__other', schema)).toContain('Parameters of s__other');
  // another conversation has read nothing yet
  expect(new ParameterHelp().textFor('s__t', schema)).toBeDefined();
});

it('stays short for a tool of many parameters', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [
      `p${index}`,
      { type: 'string', description: 'x'.repeat(1000) },
    ]),
  );
  const text = new ParameterHelp().textFor('s__wide', { type: 'object', properties });
  expect(text?.length).toBeLessThan(8_000);
});
