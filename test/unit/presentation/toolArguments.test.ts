import { expect, it } from 'vitest';
import { parseArgumentFields } from '../../../src/mcp/connection/reading/elicitationForm.js';
import { compilePattern } from '../../../src/mcp/validation/patterns.js';
import { argumentsOf } from '../../../src/presentation/toolArguments.js';

const fields = parseArgumentFields(
  {
    type: 'object',
    properties: { text: { type: 'string' }, count: { type: 'number' }, more: {} },
  },
  compilePattern,
);

it('sends what was written, JSON as what it says, and nothing for an empty field', () => {
  expect(argumentsOf(fields, { text: '[1]', count: 0, more: '[1, null]' })).toEqual({
    text: '[1]',
    count: 0,
    more: [1, null],
  });
  expect(argumentsOf(fields, {})).toEqual({});
});

it('takes a field that is called as what every object has', () => {
  const odd = parseArgumentFields(
    { properties: JSON.parse('{"__proto__": {"type": "string"}}') },
    compilePattern,
  );
  const args = argumentsOf(odd, JSON.parse('{"__proto__": "x"}'));
  expect(Object.entries(args)).toEqual([['__proto__', 'x']]);
  expect(argumentsOf(odd, {})).toEqual({});
});
