import { describe, expect, it } from 'vitest';
import {
  checkElicitation,
  type ElicitationField,
  maxFields,
  parseElicitationFields,
  uncheckedRule,
} from '../../../../../src/mcp/connection/reading/elicitationForm.js';
import { compilePattern } from '../../../../../src/mcp/validation/patterns.js';

function fieldsOf(properties: object, required: readonly string[] = []) {
  return parseElicitationFields({ type: 'object', properties, required }, compilePattern) ?? [];
}

function problems(property: object, value: unknown): readonly object[] {
  return checkElicitation(fieldsOf({ f: property }, ['f']), { f: value }).problems;
}

describe('the fields of a form', () => {
  it('are read in each kind that servers may ask for', () => {
    const fields = fieldsOf(
      {
        text: { type: 'string', title: 'Text', format: 'email', maxLength: 9 },
        whole: { type: 'integer', minimum: 1 },
        flag: { type: 'boolean', default: true },
        old: { type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'] },
        one: { type: 'string', oneOf: [{ const: 'x', title: 'X' }] },
        many: { type: 'array', items: { anyOf: [{ const: 'p', title: 'P' }] }, maxItems: 1 },
      },
      ['text'],
    );
    expect(fields).toEqual<readonly ElicitationField[]>([
      {
        kind: 'text',
        name: 'text',
        title: 'Text',
        isRequired: true,
        format: 'email',
        maxLength: 9,
      },
      {
        kind: 'number',
        name: 'whole',
        title: 'whole',
        isRequired: false,
        isInteger: true,
        minimum: 1,
      },
      { kind: 'boolean', name: 'flag', title: 'flag', isRequired: false, defaultValue: true },
      {
        kind: 'choice',
        name: 'old',
        title: 'old',
        isRequired: false,
        options: [
          { value: 'a', label: 'A' },
          { value: 'b', label: 'B' },
        ],
      },
      {
        kind: 'choice',
        name: 'one',
        title: 'one',
        isRequired: false,
        options: [{ value: 'x', label: 'X' }],
      },
      {
        kind: 'choices',
        name: 'many',
        title: 'many',
        isRequired: false,
        options: [{ value: 'p', label: 'P' }],
        maxItems: 1,
      },
    ]);
  });

  it.each([
    [undefined],
    [{ type: 'object' }],
    [{ type: 'object', properties: { a: { type: 'object' } } }],
    [{ type: 'object', properties: { a: { type: 'string', enum: [] } } }],
    [{ type: 'object', properties: { a: { type: 'string', enum: [1] } } }],
    [{ type: 'object', properties: { a: { type: 'string', description: 'x'.repeat(70_000) } } }],
  ])('are none for %#', (schema) => {
    expect(parseElicitationFields(schema, compilePattern)).toBeUndefined();
  });

  it('are bounded in number', () => {
    const names = Array.from({ length: maxFields + 1 }, (_, index) => `f${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'boolean' }]));
    expect(parseElicitationFields({ type: 'object', properties }, compilePattern)).toBeUndefined();
  });
});

describe('an answer', () => {
  it('stays without what the user took out, and loses what was not asked for', () => {
    const properties = { a: { type: 'string', default: 'd' }, b: { type: 'number', default: 1 } };
    expect(checkElicitation(fieldsOf(properties), { a: undefined, c: 3 })).toEqual({
      content: {},
      problems: [],
      unchecked: [],
    });
    expect(checkElicitation(fieldsOf(properties, ['a']), { b: 2 })).toEqual({
      content: { b: 2 },
      problems: [{ field: 'a', text: '"a" is required.' }],
      unchecked: [],
    });
  });

  it.each([
    [{ type: 'string', minLength: 2 }, 'a'],
    [{ type: 'string', maxLength: 2 }, 'abc'],
    [{ type: 'string', pattern: '^\\d$' }, 'x'],
    [{ type: 'string', pattern: '^(a|a)*$' }, `${'a'.repeat(30)}!`],
    [{ type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(900)}!`],
    [{ type: 'string', format: 'email' }, 'nobody'],
    [{ type: 'string', format: 'uri' }, 'no uri'],
    [{ type: 'string', format: 'date' }, '2026-13-40'],
    [{ type: 'string', format: 'date-time' }, '2026-01-01'],
    [{ type: 'string' }, 1],
    [{ type: 'integer' }, 1.5],
    [{ type: 'number', minimum: 2 }, 1],
    [{ type: 'number', maximum: 2 }, 3],
    [{ type: 'boolean' }, 'yes'],
    [{ type: 'string', enum: ['a'] }, 'b'],
    [{ type: 'array', items: { enum: ['a'] }, minItems: 1 }, []],
    [{ type: 'array', items: { enum: ['a'] } }, ['b']],
    [{ type: 'string' }, undefined],
  ])('that does not fit %j is named: %j', (property, value) => {
    expect(problems(property, value)).toHaveLength(1);
  });

  it.each([
    [{ type: 'string', format: 'email' }, 'a@b.example'],
    [{ type: 'string', format: 'date' }, '2026-02-01'],
    [{ type: 'string', format: 'date-time' }, '2026-02-01T10:00:00Z'],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, ['b']],
  ])('that fits %j is taken: %j', (property, value) => {
    expect(problems(property, value)).toEqual([]);
  });

  it.each([
    ['is none', '('],
    ['looks ahead', '^(?=(a|a)*$)'],
    ['is too long', `^${'a'.repeat(1000)}`],
  ])('whose pattern %s is taken, and said not to have been checked', (_what, pattern) => {
    const [field, ...others] = fieldsOf({ f: { type: 'string', title: 'F', pattern } });
    const sentence = `"F" should match the pattern ${pattern}, which cannot be checked here.`;
    expect(field && uncheckedRule(field)).toBe(sentence);
    expect(checkElicitation(field ? [field] : [], { f: `${'a'.repeat(30)}!` })).toEqual({
      content: { f: `${'a'.repeat(30)}!` },
      problems: [],
      unchecked: [sentence],
    });
    expect(others).toEqual([]);
  });

  it('to many patterns is bounded in time', () => {
    const pattern = '(?:[\\p{L}\\p{N}]|\\p{Lu}\\p{Ll}){30}'.repeat(10);
    const many = Object.fromEntries(
      Array.from({ length: maxFields }, (_, index) => [`f${index}`, { type: 'string', pattern }]),
    );
    const { length } = fieldsOf(many).filter((field) => uncheckedRule(field) !== undefined);
    expect(length).toBeGreaterThan(maxFields / 2);
  });
});
