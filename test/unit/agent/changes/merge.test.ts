import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countLines } from '../../../../src/agent/changes/changesSummary.js';
import { addLink, type Links } from '../../../../src/agent/changes/history.js';
import { mergeTexts } from '../../../../src/agent/changes/merge.js';
import {
  type Content,
  maxTextBytes,
  sameContent,
  textOfBytes,
} from '../../../../src/agent/changes/version.js';
import { changedRegions } from '../../../../src/config/edit/changedRegions.js';

const texts = fc
  .array(fc.constantFrom('a', 'b', 'c', '', 'd\r'), { maxLength: 9 })
  .chain((lines) => fc.boolean().map((isEnded) => lines.join('\n') + (isEnded ? '\n' : '')));

function lines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

it('takes what only one side changed', () => {
  fc.assert(
    fc.property(texts, texts, (base, changed) => {
      for (const preferred of ['ours', 'theirs'] as const) {
        expect(mergeTexts(base, changed, base, preferred)).toEqual({ text: changed, conflicts: 0 });
        expect(mergeTexts(base, base, changed, preferred)).toEqual({ text: changed, conflicts: 0 });
        expect(mergeTexts(base, changed, changed, preferred).text).toBe(changed);
      }
    }),
  );
});

it('is the same from both sides', () => {
  fc.assert(
    fc.property(texts, texts, texts, (base, ours, theirs) => {
      expect(mergeTexts(base, ours, theirs, 'ours')).toEqual(
        mergeTexts(base, theirs, ours, 'theirs'),
      );
    }),
  );
});

it('never loses what one side wrote, unless the other one is preferred', () => {
  const inserted = fc.array(fc.tuple(fc.nat(12), fc.boolean()), { maxLength: 4 });
  fc.assert(
    fc.property(texts, texts, inserted, (base, ours, marks) => {
      const theirs = [...lines(base)];
      marks.forEach(([at, isReplacing], index) => {
        theirs.splice(Math.min(at, theirs.length), isReplacing ? 1 : 0, `mine ${index}\n`);
      });
      const text = theirs.join('');
      const written = lines(text).filter((line) => line.includes('mine'));
      const { text: kept } = mergeTexts(base, ours, text, 'theirs');
      expect(written.filter((line) => !kept.includes(line.trimEnd()))).toEqual([]);
      const merged = mergeTexts(base, ours, text, 'ours');
      if (merged.conflicts === 0) {
        expect(written.filter((line) => !merged.text.includes(line.trimEnd()))).toEqual([]);
      }
    }),
  );
});

it.each([
  ['1\n2\n3\n', '1\n2b\n3\n', '1\n2\n3b\n', '1\n2b\n3b\n', 0],
  ['1\n2\n3\n', '1\n3\n', '1\n2\nnew\n3\n', '1\nnew\n3\n', 0],
  ['1\n2\n3\n', '1\n3\n', '1\n2b\n3\n', '1\n3\n', 1],
  ['1\n', '1\nours\n', '1\ntheirs\n', '1\nours\n', 1],
  ['1\n2\n3\n4\n5\n', '1\nours\n4\n5\n', '1\n2\ntheirs\n5\n', '1\nours\n4\n5\n', 1],
  ['1\n2\n3\n4\n', '1\n4\n', '1\n2\nin between\n3\n4\n', '1\n4\n', 1],
  ['a\r\nb\r\n', 'A\r\nb\r\n', 'a\r\nB\r\n', 'A\r\nB\r\n', 0],
])('merges %j with %j and %j', (base, ours, theirs, text, conflicts) => {
  expect(mergeTexts(base, ours, theirs, 'ours')).toEqual({ text, conflicts });
});

it('takes texts of as many lines as a file may have', () => {
  const text = 'a\n'.repeat(300_000);
  const merged = mergeTexts(text, `${text}end\n`, `mine\n${text}`, 'ours');
  expect(merged).toEqual({ text: `mine\n${text}end\n`, conflicts: 0 });
});

it('compares texts that differ too much as one region, but for what they begin and end with', () => {
  const rows = (name: string, count: number) =>
    Array.from({ length: count }, (_, at) => `${name} ${at}\n`);
  const [a, b] = ['line', 'row'].map((name) => [
    ...rows('start', 3),
    ...rows(name, 3000),
    ...rows('end', 2),
  ]) as [string[], string[]];
  expect(changedRegions(a, b)).toEqual([{ aStart: 3, aEnd: 3003, bStart: 3, bEnd: 3003 }]);
  expect(changedRegions(a, a)).toEqual([]);
  expect(changedRegions(a, [])).toEqual([{ aStart: 0, aEnd: 3005, bStart: 0, bEnd: 0 }]);
  expect(changedRegions(a, a.toSpliced(5, 2))).toEqual([
    { aStart: 5, aEnd: 7, bStart: 5, bEnd: 5 },
  ]);
});

it.each<[string, Content, string | undefined]>([
  ['a text', Buffer.from('ä\r\n'), 'ä\r\n'],
  ['nothing', Buffer.alloc(0), ''],
  ['bytes that are no UTF-8', Buffer.from([0x61, 0xff]), undefined],
  ['a text with a zero', Buffer.from('a\0b'), undefined],
  ['as much as is read', Buffer.alloc(maxTextBytes, 'x'), 'x'.repeat(maxTextBytes)],
  ['more than is read', Buffer.alloc(maxTextBytes + 1, 'x'), undefined],
  ['no file', 'absent', undefined],
  ['what is not known', 'unread', undefined],
])('reads and counts %s', (_what, content, text) => {
  expect(textOfBytes(content) === text).toBe(true);
  const lines = text === undefined && content !== 'absent' ? undefined : text ? 1 : 0;
  const other = Buffer.from('b\n');
  expect(countLines(other, content)).toEqual(
    lines === undefined ? lines : { added: lines, removed: 1 },
  );
  expect(countLines(content, other)).toEqual(
    lines === undefined ? lines : { added: 1, removed: lines },
  );
  // what is not known is like nothing else, not even like itself
  expect(sameContent(content, content)).toBe(content !== 'unread');
  expect(sameContent(content, other)).toBe(false);
  expect(sameContent(Buffer.from('b\n'), other)).toBe(true);
});

it.each<[string, Links, Links]>([
  [
    'what goes on where the last one ended is joined',
    [link('a', 'b'), link('b', 'c', 2)],
    [link('a', 'c', 1, 2)],
  ],
  ['what comes back to where it began is nothing', [link('a', 'b'), link('b', 'a')], []],
  [
    'others wrote in between',
    [link('a', 'b'), link('x', 'c', 2)],
    [link('a', 'b'), link('x', 'c', 2)],
  ],
  ['nothing was written', [link('a', 'a')], []],
  [
    'what was there is not known',
    [link('a', 'unread'), link('unread', 'c')],
    [link('a', 'unread'), link('unread', 'c')],
  ],
  ['it is never known', [link('unread', 'unread')], [link('unread', 'unread')]],
])('keeps of the writes of a file what can be undone: %s', (_why, writes, kept) => {
  expect(writes.reduce(addLink, [] as Links)).toEqual(kept);
});

function link(before: string, after: string, ...runs: readonly number[]) {
  return { before, after, runs: runs.length > 0 ? runs : [1] };
}
