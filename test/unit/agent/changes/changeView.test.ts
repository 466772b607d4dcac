import { expect, it } from 'vitest';
import {
  changeView,
  readChangeView,
  type TextChange,
  wantedChange,
} from '../../../../src/agent/changes/changeView.js';
import type { FileChangeView } from '../../../../src/protocol/fileChanges.js';

/** One line a row, hunks apart. */
function drawn({ hunks }: FileChangeView): string {
  const signs = { same: ' ', added: '+', removed: '-' };
  return hunks
    .map((hunk) =>
      hunk.map(({ kind, number, text }) => `${number ?? ''}${signs[kind]}${text}`).join('\n'),
    )
    .join('\n@@\n');
}

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_item, index) => `line ${from + index}\n`).join('');

it('shows what differs with three lines around it, by the numbers of each text', () => {
  const before = numbered(1, 30);
  const after = before.replace('line 5\n', 'five\n').replace('line 20\n', '');
  const view = changeView('a.txt', 'edit', { before, after });
  expect(view).toMatchObject({ path: 'a.txt', kind: 'edit', added: 1, removed: 2, omitted: 0 });
  expect(drawn(view)).toBe(
    [
      '2 line 2',
      '3 line 3',
      '4 line 4',
      '5-line 5',
      '5+five',
      '6 line 6',
      '7 line 7',
      '8 line 8',
      '@@',
      '17 line 17',
      '18 line 18',
      '19 line 19',
      '20-line 20',
      '20 line 21',
      '21 line 22',
      '22 line 23',
    ].join('\n'),
  );
});

it('joins parts that lie close together, and no others', () => {
  const before = numbered(1, 13);
  const changed = before.replace('line 3\n', 'three\n');
  const apart = changed.replace('line 11\n', 'eleven\n');
  expect(changeView('a', 'edit', { before, after: apart }).hunks).toHaveLength(2);
  const after = changed.replace('line 10\n', 'ten\n');
  expect(changeView('a', 'edit', { before, after }).hunks).toHaveLength(1);
  expect(drawn(changeView('a', 'edit', { before, after })).split('\n')).toHaveLength(15);
});

it('shows a new file as additions', () => {
  const view = changeView('new.txt', 'create', { before: undefined, after: 'one\ntwo\n' });
  expect(drawn(view)).toBe('1+one\n2+two');
  expect(view).toMatchObject({ added: 2, removed: 0, notes: [] });
});

it('bounds what it shows and says how much is left out', () => {
  const view = changeView('a', 'create', { before: undefined, after: numbered(1, 5000) });
  const shown = view.hunks.flat().length;
  expect(shown).toBe(400);
  expect(view).toMatchObject({ added: 5000, omitted: 4600 });
  const wide = changeView('a', 'create', {
    before: undefined,
    after: `${'x'.repeat(3000)}\n`.repeat(200),
  });
  expect(JSON.stringify(wide).length).toBeLessThan(60_000);
  expect(wide.omitted).toBeGreaterThan(0);
});

it.each([
  ['as long as may be', 'x'.repeat(500), 'x'.repeat(500)],
  ['longer', 'x'.repeat(501), `${'x'.repeat(500)}…`],
  ['that would end with half a character', `${'x'.repeat(499)}😀`, `${'x'.repeat(499)}…`],
])('shows a line %s', (_how, after, text) => {
  expect(drawn(changeView('a', 'create', { before: undefined, after }))).toBe(`1+${text}`);
});

it('shows as many characters as may be, and no more', () => {
  const after = (lines: number) => `${'x'.repeat(500)}\n`.repeat(lines);
  const omitted = [80, 81].map(
    (lines) => changeView('a', 'create', { before: undefined, after: after(lines) }).omitted,
  );
  expect(omitted).toEqual([0, 1]);
});

it('does not compare what is huge', () => {
  const after = 'x'.repeat(2 * 1024 * 1024);
  const view = changeView('a', 'overwrite', { before: 'y', after });
  expect(view.hunks).toEqual([]);
  expect(view.notes).toHaveLength(1);
});

it('compares long texts that have nothing in common at once', () => {
  const other = numbered(1, 9000).replaceAll('line', 'row');
  const view = changeView('a', 'overwrite', { before: numbered(1, 9000), after: other });
  expect(view).toMatchObject({ added: 9000, removed: 9000 });
});

it.each<[string, TextChange, string]>([
  ['line ends', { before: 'a\r\nb\r\n', after: 'a\nc\n' }, 'CRLF to LF'],
  ['a byte order mark', { before: '\uFEFFa\n', after: 'b\n' }, 'byte order mark is removed'],
  ['the last line break', { before: 'a\nc\n', after: 'b' }, 'loses its line break'],
])('says in words what lines do not show: %s', (_what, texts, note) => {
  const view = changeView('a', 'edit', texts);
  expect(changeView('a', 'overwrite', texts).notes).toEqual(view.notes);
  expect(changeView('a', 'write', texts).notes).toEqual([]);
  expect(view.notes).toEqual([expect.stringContaining(note)]);
  expect(drawn(view)).not.toMatch(/\r|\uFEFF/);
});

it('says nothing in words of a file that was empty', () => {
  const texts = { before: '', after: '\uFEFFa\r\n' };
  expect(changeView('a', 'overwrite', texts).notes).toEqual([]);
});

it('shows what would be hidden, and tabs as they are', () => {
  const after = 'if (a\u202e\u2066// b\u2069 \u2066) {\n\tc\u200b\n';
  const view = changeView('x\u202ey\nz', 'create', { before: undefined, after });
  expect(drawn(view)).toBe('1+if (a\\u202e\\u2066// b\\u2069 \\u2066) {\n2+\tc\\u200b');
  expect(view.path).toBe('x\\u202ey\\nz');
});

it('reads from arguments what a call wants to change, in every form that Pi takes', () => {
  const edit = { oldText: 'a\nb', newText: 'a\nc' };
  const expected = ' a\n-b\n+c';
  for (const args of [
    { edits: [edit] },
    { edits: edit },
    { edits: JSON.stringify([edit]) },
    edit,
  ]) {
    expect(drawn(wantedChange('edit', { path: 'f', ...args }) as FileChangeView)).toBe(expected);
  }
  const write = wantedChange('write', { path: 'f', content: 'a\n' });
  expect(write).toMatchObject({ kind: 'write', added: 1 });
});

it('leaves other calls and arguments without a text to be shown as they are', () => {
  for (const [tool, args] of [
    ['read', { path: 'a' }],
    ['edit', { path: 'a' }],
    ['edit', { path: 'a', edits: '[' }],
    ['edit', { path: 'a', edits: [{ oldText: 1 }] }],
    ['write', { path: 1, content: '' }],
    ['write', 'text'],
  ] as const) {
    expect(wantedChange(tool, args)).toBeUndefined();
  }
});

it('reads back what it made, and nothing else', () => {
  const view = changeView('a', 'edit', { before: 'a\nb\n', after: 'a\nc' });
  for (const kind of ['edit', 'create', 'overwrite', 'write'] as const) {
    expect(readChangeView(JSON.parse(JSON.stringify({ ...view, kind })))).toEqual({
      ...view,
      kind,
    });
  }
  for (const other of [undefined, null, 1, [], {}, { ...view, kind: 'x' }, { ...view, hunks: 1 }]) {
    expect(readChangeView(other)).toBeUndefined();
  }
  const odd = readChangeView({ ...view, hunks: [1, [null, { kind: 'added', text: 2 }]] });
  expect(odd?.hunks).toEqual([[], []]);
});

it('shows texts of as many lines as may be compared', () => {
  const before = 'a\n'.repeat(400_000);
  const { added, removed } = changeView('a', 'overwrite', { before, after: 'b\n' });
  expect([added, removed]).toEqual([1, 400_000]);
});
