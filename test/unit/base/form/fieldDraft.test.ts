import { describe, expect, it } from 'vitest';
import { draftAt } from '../../../../src/base/form/draftPlace.js';
import type { Field } from '../../../../src/base/form/field.js';
import { FieldDraft, readDraft } from '../../../../src/base/form/fieldDraft.js';
import { formField } from '../../../../src/base/form/fieldModel.js';
import { fitness } from '../../../../src/base/form/fitness.js';
import { isJsonObject } from '../../../../src/base/json.js';

function draftOf(schema: object): FieldDraft {
  return new FieldDraft(formField(schema));
}

function child(draft: FieldDraft | undefined, name: string): FieldDraft {
  const found = (draft?.branch ?? draft)?.children.find(({ field }) => field.name === name);
  if (!found) {
    throw new Error(`no field ${name}`);
  }
  return found;
}

const problemsOf = (draft: FieldDraft) => readDraft(draft).problems.map(({ kind }) => kind);
const sentBy = (draft: FieldDraft) => readDraft(draft).value;

describe('a form', () => {
  const schema = {
    type: 'object',
    properties: {
      path: { type: 'string' },
      depth: { type: 'integer', default: 2 },
      level: { enum: [1, 2] },
      note: { type: ['string', 'null'] },
      flag: { type: 'boolean' },
      any: {},
    },
    required: ['path'],
  };

  it('sends what was set alone, with the defaults that it began with', () => {
    const draft = draftOf(schema);
    expect(problemsOf(draft)).toEqual(['required']);
    child(draft, 'path').type('/tmp');
    expect(readDraft(draft)).toEqual({ value: { path: '/tmp', depth: 2 }, problems: [] });
    child(draft, 'path').type('');
    expect(problemsOf(draft)).toEqual(['required']);
    child(draft, 'path').open();
    expect(sentBy(draft)).toEqual({ path: '', depth: 2 });
  });

  it('does not force a default upon a box that is cleared', () => {
    const draft = draftOf(schema);
    const depth = child(draft, 'depth');
    for (const text of ['2', '', '7', '']) {
      depth.type(text);
      expect(depth.text).toBe(text);
    }
    expect(sentBy(draft)).toEqual({});
  });

  it('sends null only where it was asked for', () => {
    const draft = draftOf(schema);
    expect(sentBy(draft)).not.toHaveProperty('note');
    child(draft, 'note').setNull();
    expect(sentBy(draft)).toHaveProperty('note', null);
    child(draft, 'note').type('x');
    expect(sentBy(draft)).toHaveProperty('note', 'x');
  });

  it('keeps the type of a chosen number', () => {
    const draft = draftOf(schema);
    child(draft, 'level').type('2');
    expect(sentBy(draft)).toHaveProperty('level', 2);
    child(draft, 'level').type('two');
    expect(problemsOf(draft)).toContain('notChoice');
  });

  it.each([
    ['1.', 'notNumber'],
    ['-', 'notNumber'],
    ['1e999', 'notNumber'],
    ['0x10', 'notNumber'],
    ['1.5', 'notInteger'],
    ['9007199254740993', 'inexact'],
    ['-9007199254740993', 'inexact'],
  ])('names what is wrong with the number %s, and keeps its text', (text, kind) => {
    const draft = draftOf(schema);
    child(draft, 'path').type('x');
    child(draft, 'depth').type(text);
    expect(problemsOf(draft)).toEqual([kind]);
    expect(child(draft, 'depth').text).toBe(text);
  });

  it.each([
    ['[1,', 'notJson'],
    ['{"a": 9007199254740993}', 'inexact'],
    // it would be sent as null
    ['{"a": 1e999}', 'inexact'],
  ])('keeps the text %s of a JSON box as it is', (text, kind) => {
    const draft = draftOf(schema);
    child(draft, 'path').type('x');
    child(draft, 'any').type(text);
    expect(problemsOf(draft)).toEqual([kind]);
    expect(child(draft, 'any').text).toBe(text);
    child(draft, 'any').type('"9007199254740993 \\" 1"');
    expect(problemsOf(draft)).toEqual([]);
  });

  it.each([
    [{ path: 'x', depth: 1, level: 2, note: null, flag: false, any: { a: [1] } }],
    [{ path: 'x' }],
    [{ path: 7, depth: 'deep', level: 3, other: [1], flag: 'yes' }],
    [JSON.parse('{"path": "x", "__proto__": {"a": 1}, "constructor": 2}')],
  ])('takes over %j and gives it back', (value) => {
    const draft = draftOf(schema);
    draft.write(value);
    expect(JSON.parse(JSON.stringify(sentBy(draft)))).toEqual(value);
    expect(Object.keys(sentBy(draft) as object).sort()).toEqual(Object.keys(value).sort());
    expect(({} as { a?: unknown }).a).toBeUndefined();
  });
});

describe('a field that is changed', () => {
  const schema = {
    properties: {
      level: { enum: [1, 2] },
      note: { type: ['string', 'null'] },
      many: { type: 'array', items: { enum: ['a', 'b', 'c'] } },
      pair: { prefixItems: [{ type: 'string' }, { type: 'number' }] },
      any: {},
    },
  };

  it('shows the chosen option by its label', () => {
    const level = child(draftOf(schema), 'level');
    level.choose(1);
    expect([level.text, level.state]).toEqual(['2', 'set']);
    level.choose(undefined);
    expect([level.text, level.state]).toEqual(['', 'absent']);
    level.choose(7);
    expect(level.text).toBe('');
  });

  it('has the state and the text of what it takes over', () => {
    const draft = draftOf(schema);
    draft.write({ level: 2, note: 'x', many: ['c', 'a'], pair: ['p', 3] });
    const [level, note, many, pair] = draft.children;
    expect(level).toMatchObject({ text: '2', chosen: 1, state: 'set', isRaw: false });
    expect(note).toMatchObject({ text: 'x', state: 'set', isRaw: false });
    expect(many).toMatchObject({ picked: [2, 0], state: 'set', isRaw: false });
    expect(pair?.children.map(({ text }) => text)).toEqual(['p', '3']);
    expect(pair).toMatchObject({ rows: [], isRaw: false });
    pair?.write(['q']);
    expect(pair?.children.map(({ text, state }) => [text, state])).toEqual([
      ['q', 'set'],
      ['', 'absent'],
    ]);
  });

  it('forgets all when it is cleared', () => {
    const draft = draftOf(schema);
    draft.write({ many: ['b'], note: 7, level: 2 });
    for (const one of draft.children) {
      one.clear();
      expect(one).toMatchObject({ state: 'absent', text: '', picked: [], isRaw: false });
    }
    expect(sentBy(draft)).toEqual({});
    child(draft, 'many').open();
    expect(sentBy(draft)).toEqual({ many: [] });
  });

  it('says of a text that is no JSON what is wrong with it', () => {
    const draft = draftOf(schema);
    child(draft, 'any').type('[1,');
    const [problem] = readDraft(draft).problems;
    expect(problem).toMatchObject({ kind: 'notJson', draft: child(draft, 'any') });
  });
});

describe('a union', () => {
  it.each<[branch: object, value: unknown]>([
    [{ type: 'array', items: { type: 'string' } }, []],
    [{ type: 'array', items: { enum: ['a'] } }, []],
    [{ type: 'object', properties: { a: { type: 'string' } } }, {}],
    [{ const: 'x', type: 'string' }, 'x'],
  ])('whose branch %j is chosen has it without more ado', (branch, value) => {
    const draft = draftOf({ properties: { u: { anyOf: [{ type: 'number' }, branch] } } });
    child(draft, 'u').choose(1);
    expect(readDraft(draft)).toEqual({ value: { u: value }, problems: [] });
    child(draft, 'u').choose(0);
    expect(problemsOf(draft)).toEqual(['required']);
  });

  const circle = { properties: { kind: { const: 'circle' }, r: { type: 'number' } } };
  const square = { properties: { kind: { const: 'square' }, side: { type: 'number' } } };
  const shape = {
    anyOf: [
      { ...circle, type: 'object', required: ['kind', 'r'] },
      { ...square, type: 'object', required: ['kind', 'side'] },
    ],
  };

  it('at the root has branches, each with fields and its constant', () => {
    const draft = draftOf(shape);
    expect(problemsOf(draft)).toEqual(['required']);
    draft.open();
    expect(problemsOf(draft)).toEqual(['required']);
    draft.choose(1);
    child(draft, 'side').type('3');
    expect(readDraft(draft)).toEqual({ value: { kind: 'square', side: 3 }, problems: [] });
    draft.choose(0);
    expect(problemsOf(draft)).toEqual(['required']);
    draft.choose(1);
    expect(child(draft, 'side').text).toBe('3');
  });

  it('takes a value over into the branch that it belongs to', () => {
    const draft = draftOf(shape);
    draft.write({ kind: 'square', side: 3 });
    expect(draft.chosen).toBe(1);
    draft.write({ kind: 'star' });
    expect(draft.isRaw).toBe(true);
    expect(sentBy(draft)).toEqual({ kind: 'star' });
  });

  it('is an item of a list', () => {
    const draft = draftOf({ properties: { all: { type: 'array', items: shape } } });
    const all = child(draft, 'all');
    const first = all.addRow();
    all.addRow()?.choose(0);
    first?.choose(1);
    child(first, 'side').type('3');
    expect(readDraft(draft)).toMatchObject({
      value: { all: [{ kind: 'square', side: 3 }, { kind: 'circle' }] },
      problems: [{ kind: 'required' }],
    });
  });
});

describe('lists and free objects', () => {
  it('are nested', () => {
    const matrix = { type: 'array', items: { type: 'array', items: { type: 'integer' } } };
    const draft = draftOf({ properties: { m: matrix } });
    draft.write({ m: [[1, 2], []] });
    child(draft, 'm').rows[1]?.draft.addRow()?.type('3');
    expect(sentBy(draft)).toEqual({ m: [[1, 2], [3]] });
    const [row] = child(draft, 'm').rows;
    if (row) {
      child(draft, 'm').removeRow(row.draft);
    }
    expect(sentBy(draft)).toEqual({ m: [[3]] });
  });

  it('have first items of their own, without holes', () => {
    const items = [{ type: 'string' }, { type: 'number' }];
    const draft = draftOf({ properties: { t: { prefixItems: items, items: false } } });
    const tuple = child(draft, 't');
    tuple.open();
    expect(tuple.addRow()).toBeUndefined();
    tuple.children[1]?.type('2');
    expect(problemsOf(draft)).toEqual(['gap']);
    tuple.children[0]?.type('a');
    expect(sentBy(draft)).toEqual({ t: ['a', 2] });
    // one that is there, but wrong, is no hole
    tuple.children[1]?.type('two');
    expect(problemsOf(draft)).toEqual(['notNumber']);
    // nor is one that nothing comes after
    tuple.children[1]?.type('');
    expect(readDraft(draft)).toEqual({ value: { t: ['a'] }, problems: [] });
  });

  it('have rows that say themselves that they are empty', () => {
    const draft = draftOf({ properties: { t: { type: 'array', items: { type: 'string' } } } });
    const list = child(draft, 't');
    list.addRow();
    list.addRow()?.type('b');
    expect(problemsOf(draft)).toEqual(['required']);
  });

  it('have names that the user gives', () => {
    const draft = draftOf({ properties: { env: { additionalProperties: { type: 'string' } } } });
    const env = child(draft, 'env');
    env.addRow('__proto__')?.type('a');
    env.addRow()?.type('b');
    env.addRow('__proto__')?.type('c');
    expect(problemsOf(draft)).toEqual(['noName', 'sameName']);
    env.rows = env.rows.slice(0, 1);
    expect(JSON.stringify(sentBy(draft))).toBe('{"env":{"__proto__":"a"}}');
  });

  it('offer a list of values to pick from', () => {
    const draft = draftOf({ properties: { many: { type: 'array', items: { enum: [3, 'b'] } } } });
    child(draft, 'many').pick([1, 0]);
    expect(sentBy(draft)).toEqual({ many: [3, 'b'] });
    for (const many of [
      [3, 3],
      ['b', 3],
    ]) {
      draft.write({ many });
      expect(sentBy(draft)).toEqual({ many });
    }
  });

  it('open by themselves a few at a time', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [`p${at}`, { $ref: '#' }]),
    );
    const draft = draftOf({ properties, required: Object.keys(properties) });
    const count = (one: FieldDraft): number =>
      one.state === 'set' ? one.children.reduce((sum, inner) => sum + count(inner), 1) : 1;
    expect(count(draft)).toBeLessThan(10_000);
  });

  it('open by themselves until sixty are open', () => {
    const names = Array.from({ length: 100 }, (_, at) => `p${at}`);
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'object' }]));
    const draft = draftOf({ properties, required: names });
    expect(draft.children.filter(({ state }) => state === 'set')).toHaveLength(59);
  });

  it('open by themselves a few levels deep', () => {
    const draft = draftOf({ properties: { next: { $ref: '#' } }, required: ['next'] });
    let depth = 0;
    for (let one = draft; one.state === 'set'; one = child(one, 'next')) {
      depth++;
    }
    expect(depth).toBe(4);
  });

  it('are found by the place that a check names', () => {
    const draft = draftOf({
      properties: {
        'a/b': { type: 'array', items: { properties: { c: { type: 'string' } } } },
      },
    });
    draft.write({ 'a/b': [{ c: 'x' }] });
    expect(draftAt(draft, 'data/a/b/0/c').field.name).toBe('c');
    expect(draftAt(draft, 'data/a/b/7').field.name).toBe('a/b');
    expect(draftAt(draft, 'data')).toBe(draft);
    expect(isJsonObject(sentBy(draft))).toBe(true);
  });
});

describe('how well a value suits a field', () => {
  const text = (name: string, isRequired: boolean): Field => ({
    kind: 'text',
    name,
    title: name,
    isRequired,
  });
  const object = (...properties: readonly Field[]): Field => ({
    kind: 'object',
    name: '',
    title: '',
    isRequired: true,
    properties: () => properties,
    others: undefined,
    invitesOthers: false,
  });

  it('is more the more of it is known, and nothing without what is required', () => {
    const field = object(text('a', true), text('b', false));
    const values = [{ a: 'x', b: 'y' }, { a: 'x' }, { b: 'y' }, {}, { a: 'x', c: 'z' }, { a: 1 }];
    expect(values.map((value) => fitness(field, value))).toEqual([5, 3, 0, 0, 0, 0]);
  });

  const list = (item: Field | undefined): Field => ({
    kind: 'array',
    name: '',
    title: '',
    isRequired: true,
    leading: () => [],
    item: item && (() => item),
  });
  const many = (length: number) => [...Array.from({ length }, () => 'x'), 1];

  it.each<[what: string, field: Field, value: unknown, levels: number | undefined, fit: number]>([
    ['null of what may be null', { ...text('', true), isNullable: true }, null, undefined, 1],
    ['a text of what may be null', { ...text('', true), isNullable: true }, 'x', undefined, 2],
    ['the null that is fixed', formField({ const: null }), null, undefined, 4],
    ['the one value', formField({ const: 'x' }), 'x', undefined, 4],
    ['a known option', formField({ enum: ['x', 'y'] }), 'y', undefined, 3],
    ['an integer', formField({ type: 'integer' }), 2, undefined, 2],
    ['no integer', formField({ type: 'integer' }), 2.5, undefined, 0],
    ['a number', formField({ type: 'number' }), 2.5, undefined, 2],
    ['anything', formField({}), 2.5, undefined, 0.5],
    ['an object too deep to look into', object(text('a', true)), { b: 1 }, 0, 1],
    ['a list', list(text('', true)), ['x', 'y'], undefined, 2],
    ['a list of others', list(text('', true)), ['x', 1], undefined, 0],
    ['a list too deep to look into', list(text('', true)), [1], 0, 2],
    ['a list whose lists are of others', list(list(text('', true))), [[1]], undefined, 0],
    ['a list of lists, one level deep', list(list(text('', true))), [[1]], 1, 2],
    ['a list of anything', list(undefined), [1], undefined, 2],
    ['a list with a wrong item that is looked at', list(text('', true)), many(19), undefined, 0],
    ['a list with a wrong item behind those', list(text('', true)), many(20), undefined, 2],
  ])('%s', (_, field, value, levels, fit) => {
    expect(fitness(field, value, levels)).toBe(fit);
  });

  it('is asked of a union that holds itself only a few levels deep', () => {
    const union: Field = {
      kind: 'union',
      name: '',
      title: '',
      isRequired: true,
      branches: [
        { label: 'itself', field: () => union },
        { label: 'text', field: () => text('', true) },
      ],
    };
    expect(fitness(union, 'x')).toBe(2);
  });
});
