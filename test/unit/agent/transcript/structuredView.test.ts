import { expect, it } from 'vitest';
import {
  parseStructuredView,
  structuredView,
} from '../../../../src/agent/transcript/structuredView.js';

const view = (structuredContent: unknown, mismatch?: string) =>
  structuredView({
    content: [],
    isError: false,
    structuredContent,
    ...(mismatch !== undefined && { mismatch }),
  });

it('shows flat objects of a list as a table, also as the only field of an object', () => {
  const rows = [
    { id: 1, name: 'Ada' },
    { id: 2, tags: null },
  ];
  const shape = {
    kind: 'table',
    columns: ['id', 'name', 'tags'],
    rows: [
      ['1', 'Ada', ''],
      ['2', '', ''],
    ],
  };
  expect(view(rows)).toEqual({ shape });
  expect(view({ rows })).toEqual({ shape });
});

it('shows a flat object as fields and everything else as JSON', () => {
  expect(view({ a: 1, list: ['x', true] })?.shape).toEqual({
    kind: 'pairs',
    pairs: [
      { key: 'a', value: '1' },
      { key: 'list', value: 'x, true' },
    ],
  });
  for (const value of [{ a: { b: 1 } }, [], {}, 'text', 7, [[1]], [{ a: {} }]]) {
    expect(view(value)?.shape).toEqual({ kind: 'json', text: JSON.stringify(value, undefined, 2) });
  }
  expect(view(undefined)).toBeUndefined();
  expect(view(null)).toBeUndefined();
});

it('cuts what is too much and says how much is left out', () => {
  const wide = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`c${index}`, index]));
  const rows = Array.from({ length: 60 }, () => ({ ...wide, c0: 'x'.repeat(1000) }));
  const table = view(rows);
  expect(table?.omitted).toBe('600 of 1200 fields are shown.');
  expect(JSON.stringify(table).length).toBeLessThan(30_000);
  const many = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`k${index}`, 1]));
  expect(view(many)?.omitted).toBe('100 of 150 fields are shown.');
  expect(view(['x'.repeat(50_000)])?.omitted).toMatch(/^10000 of \d+ characters are shown\.$/);
});

it('carries the mismatch, and reads back what it made', () => {
  for (const value of [[{ a: 1 }], { a: 1, b: 2 }, 'text']) {
    const made = view(value, 'It does not match.');
    expect(made?.mismatch).toBe('It does not match.');
    expect(parseStructuredView(JSON.parse(JSON.stringify(made)))).toEqual(made);
  }
  for (const odd of [
    undefined,
    {},
    { shape: { kind: 'table', columns: 'a', rows: [] } },
    { shape: { kind: 'html' } },
  ]) {
    expect(parseStructuredView(odd)).toBeUndefined();
  }
});

it('shows rows that a server sends as text alone as a table, and no other text', () => {
  const ofText = (text: string, isError = false) =>
    structuredView({ content: [{ type: 'text', text }], isError });
  const rows = [{ id: 1 }, { id: 2 }];
  const shape = { kind: 'table', columns: ['id'], rows: [['1'], ['2']] };
  expect(ofText(JSON.stringify(rows))).toEqual({ shape });
  expect(ofText(JSON.stringify({ rows }, undefined, 2))).toEqual({ shape });
  const long = Array.from({ length: 60 }, (_item, id) => ({ id }));
  expect(ofText(JSON.stringify(long))?.omitted).toContain('50 of 60 fields');
  expect(ofText(JSON.stringify(rows), true)).toBeUndefined();
  const others = [
    '[error] it broke',
    '{ not json',
    '[1, 2]',
    '[{"id":1}]',
    '{"a":{"b":1}}',
    'text',
  ];
  for (const text of [...others, JSON.stringify(rows.concat(Array(30_000).fill({ id: 3 })))]) {
    expect(ofText(text)).toBeUndefined();
  }
});
