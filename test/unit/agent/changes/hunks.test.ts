/** Which parts of a file an editor means by its lines. */
import { expect, it } from 'vitest';
import { type FileHunk, hunksAt, lineOfHunk } from '../../../../src/agent/changes/hunks.js';

const hunk = (id: string, bStart: number, bEnd: number): FileHunk => ({
  id,
  region: { aStart: bStart, aEnd: bStart + 1, bStart, bEnd },
  before: [],
  now: [],
  isMixed: false,
});
const changed = hunk('changed', 2, 4);
const takenOut = hunk('taken out', 6, 6);
const atEnd = hunk('at the end', 9, 9);
const at = (from: number, to: number) =>
  hunksAt([changed, takenOut, atEnd], from, to).map(({ id }) => id);

it.each([
  { from: 1, to: 1, ids: [] },
  { from: 2, to: 2, ids: ['changed'] },
  { from: 3, to: 3, ids: ['changed'] },
  { from: 4, to: 4, ids: [] },
  { from: 5, to: 5, ids: ['taken out'] },
  { from: 6, to: 6, ids: ['taken out'] },
  { from: 7, to: 7, ids: [] },
  { from: 0, to: 8, ids: ['changed', 'taken out', 'at the end'] },
])('finds the parts at lines $from to $to', ({ from, to, ids }) => {
  expect(at(from, to)).toEqual(ids);
});

it('finds what the gutter calls lines taken out after a line, which is a range without lines', () => {
  expect(at(6, 5)).toEqual(['taken out']);
  expect(at(5, 4)).toEqual([]);
});

it('shows what was taken out at the end of a text at its last line', () => {
  expect(lineOfHunk(changed, 9)).toBe(2);
  expect(lineOfHunk(atEnd, 9)).toBe(8);
  expect(lineOfHunk(hunk('all', 0, 0), 0)).toBe(0);
});
