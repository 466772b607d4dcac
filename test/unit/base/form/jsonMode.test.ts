import { describe, expect, it } from 'vitest';
import { FieldDraft, readDraft } from '../../../../src/base/form/fieldDraft.js';
import { formField } from '../../../../src/base/form/fieldModel.js';
import { HiddenValues } from '../../../../src/base/form/hiddenValues.js';
import {
  mayBeForm,
  mayBeJson,
  writeAsForm,
  writeAsJson,
} from '../../../../src/base/form/jsonMode.js';

const schema = {
  type: 'object',
  properties: {
    count: { type: 'number' },
    tags: { type: 'array', items: { type: 'string' } },
    where: {
      anyOf: [{ type: 'object', properties: { x: { type: 'number' } } }, { type: 'string' }],
    },
    login: {
      type: 'object',
      properties: { user: { type: 'string' }, password: { type: 'string' } },
    },
    password: { type: 'string' },
    note: { type: ['string', 'null'] },
    access: {
      anyOf: [{ type: 'object', properties: { token: { type: 'string' } } }, { type: 'string' }],
    },
  },
};

function open(value: object = {}) {
  const root = new FieldDraft(formField(schema));
  root.write(value);
  const field = (name: string) => {
    const found = root.children.find((child) => child.field.name === name);
    if (!found) {
      throw new Error(`no field ${name}`);
    }
    return found;
  };
  return { root, field };
}

describe('a field as JSON', () => {
  it.each([
    ['count', 1.5],
    ['tags', ['a', 'b']],
    ['where', { x: 3 }],
    ['where', 'here'],
  ])('comes back as it was: %s %j', (name, value) => {
    const { root, field } = open({ [name]: value });
    const draft = field(name);
    expect(mayBeJson(draft)).toBe(true);
    writeAsJson(draft);
    expect(draft.isRaw).toBe(true);
    expect(JSON.parse(draft.text)).toEqual(value);
    expect(readDraft(root).value).toEqual({ [name]: value });
    writeAsForm(draft);
    expect(draft.isRaw).toBe(false);
    expect(readDraft(root).value).toEqual({ [name]: value });
  });

  it('keeps what was half typed, and what was left out', () => {
    const { root, field } = open();
    const draft = field('count');
    draft.type('1.');
    writeAsJson(draft);
    expect(draft.text).toBe('1.');
    writeAsForm(draft);
    expect([draft.text, draft.isRaw]).toEqual(['1.', false]);
    const tags = field('tags');
    writeAsJson(tags);
    expect(tags.state).toBe('absent');
    writeAsForm(tags);
    draft.clear();
    expect(readDraft(root).value).toEqual({});
  });

  it('takes changes over, and stays JSON while the form has no place for it', () => {
    const { root, field } = open({ tags: ['a'] });
    const draft = field('tags');
    writeAsJson(draft);
    for (const text of ['[', '{"a": 1}', '7']) {
      draft.type(text);
      expect(mayBeForm(draft)).toBe(false);
      writeAsForm(draft);
      expect([draft.text, draft.isRaw]).toEqual([text, true]);
    }
    draft.type('["b", "c"]');
    writeAsForm(draft);
    expect(draft.rows).toHaveLength(2);
    expect(readDraft(root).value).toEqual({ tags: ['b', 'c'] });
  });

  it('may be null where the field may', () => {
    const { root, field } = open({ note: 'x' });
    const draft = field('note');
    writeAsJson(draft);
    draft.type('7');
    expect(mayBeForm(draft)).toBe(false);
    draft.type('null');
    expect(mayBeForm(draft)).toBe(true);
    writeAsForm(draft);
    expect(draft.state).toBe('null');
    expect(readDraft(root).value).toEqual({ note: null });
  });

  it('is as open as it was when nothing was written', () => {
    const where = open().field('where');
    where.open();
    writeAsJson(where);
    expect(where.state).toBe('absent');
    writeAsForm(where);
    expect([where.state, where.isRaw]).toEqual(['set', false]);
  });

  it('is refused where something would be lost or a secret seen', () => {
    const { field } = open({ tags: ['a'], login: { user: 'me', password: 'p4ss' } });
    expect(mayBeJson(field('login'))).toBe(false);
    expect(mayBeJson(field('password'))).toBe(false);
    field('note').setNull();
    expect(mayBeJson(field('note'))).toBe(false);
    const { field: signedIn } = open({ access: { token: 't' } });
    expect(mayBeJson(signedIn('access'))).toBe(false);
    const { field: other } = open({ where: { x: 3 } });
    const [x] = other('where').branch?.children ?? [];
    x?.type('no number');
    expect(mayBeJson(other('where'))).toBe(false);
  });
});

describe('secrets in the JSON of a form', () => {
  it('are hidden, and sent wherever their words are moved', () => {
    const { root } = open({
      count: 1,
      password: 's3cret',
      login: { user: 'me', password: 'p4ss' },
    });
    const hidden = new HiddenValues();
    const { value } = readDraft(root, hidden.hide);
    expect(value).toEqual({
      count: 1,
      login: { user: 'me', password: '‹hidden 1›' },
      password: '‹hidden 2›',
    });
    const edited = { tags: ['‹hidden 2›'], login: { password: '‹hidden 1›' } };
    expect(hidden.reveal(edited)).toEqual({ tags: ['s3cret'], login: { password: 'p4ss' } });
    expect(hidden.reveal({ a: '‹hidden 3›', b: 'x ‹hidden 1›', c: [null, 4] })).toEqual({
      a: '‹hidden 3›',
      b: 'x ‹hidden 1›',
      c: [null, 4],
    });
    expect(readDraft(root).value).toMatchObject({ password: 's3cret' });
  });
});
