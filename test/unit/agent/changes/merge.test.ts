import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mergeTexts } from '../../../../src/agent/changes/merge.js';

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
