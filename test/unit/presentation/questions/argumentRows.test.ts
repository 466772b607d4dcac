import { describe, expect, it } from 'vitest';
import {
  type ArgumentRow,
  ArgumentRows,
} from '../../../../src/presentation/questions/argumentRows.js';

const cities = ['Paris', 'Parma', 'Oslo'];

function texts(rows: readonly ArgumentRow[]): readonly string[] {
  return rows.map((row) => (row.kind === 'suggestion' ? row.value : `<${row.kind}>`));
}

/** A list after what happened to it, step by step. */
function listAfter(rows: ArgumentRows, ...steps: readonly ((rows: ArgumentRows) => void)[]) {
  return steps.map((step) => {
    step(rows);
    return texts(rows.rows);
  });
}

const type = (text: string) => (rows: ArgumentRows) => rows.type(text);
const answer = (text: string, values: readonly string[]) => (rows: ArgumentRows) =>
  rows.answer(text, values);

describe('the rows for an argument', () => {
  it('have one row above the suggestions, whatever is typed and required', () => {
    for (const [isRequired, first] of [
      [true, '<hint>'],
      [false, '<empty>'],
    ] as const) {
      const rows = new ArgumentRows(isRequired);
      expect(texts(rows.rows)).toEqual([first]);
      expect(listAfter(rows, answer('', cities), type('p'), type('Paris'), type(''))).toEqual([
        [first, 'Paris', 'Parma', 'Oslo'],
        ['<typed>', 'Paris', 'Parma'],
        ['<typed>'],
        [first],
      ]);
    }
  });

  it('say at once what is left for the typed text, and never move for an answer', () => {
    const rows = new ArgumentRows(true);
    expect(
      listAfter(
        rows,
        answer('', cities),
        type('PA'),
        answer('PA', ['Pamplona', 'Parma', 'Paris', 'Parma']),
        type('par'),
        answer('par', []),
      ),
    ).toEqual([
      ['<hint>', 'Paris', 'Parma', 'Oslo'],
      ['<typed>', 'Paris', 'Parma'],
      ['<typed>', 'Paris', 'Parma', 'Pamplona'],
      ['<typed>', 'Paris', 'Parma'],
      ['<typed>', 'Paris', 'Parma'],
    ]);
  });

  it('take no answer for a text that is no longer typed', () => {
    const rows = new ArgumentRows(true);
    rows.type('os');
    const before = rows.rows;
    expect(rows.answer('', cities)).toBe(false);
    expect(rows.rows).toBe(before);
    expect(rows.answer('os', ['Oslo'])).toBe(true);
    expect(rows.rows).toEqual([
      { kind: 'typed', value: 'os' },
      { kind: 'suggestion', value: 'Oslo' },
    ]);
  });

  it('stay the same for an answer that says nothing new', () => {
    const rows = new ArgumentRows(true);
    rows.answer('', cities);
    rows.type('os');
    const before = rows.rows;
    expect(rows.answer('os', ['Oslo', 'os'])).toBe(true);
    expect(rows.rows).toBe(before);
  });
});
