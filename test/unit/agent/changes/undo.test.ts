import { expect, it } from 'vitest';
import { baselineOf, mergedRedo, planUndo } from '../../../../src/agent/changes/undo.js';
import type { Content } from '../../../../src/agent/changes/version.js';

/** `-`: no file, `?`: not known, `#`: no text, else a letter a line. */
function content(letters: string): Content {
  switch (letters) {
    case '-':
      return 'absent';
    case '?':
      return 'unread';
    case '#':
      return Buffer.from([0xff]);
    default:
      return Buffer.from(letters.replace(/./g, '$&\n'));
  }
}

const letters = (value: Content | undefined) =>
  Buffer.isBuffer(value) ? value.toString().replaceAll('\n', '') : value;

const links = (text: string) =>
  text.split(' ').map((link) => {
    const [before = '', after = ''] = link.split('>');
    return { before: content(before), after: content(after), isMixed: link.endsWith('!') };
  });

it.each([
  ['abc>axc', 'abc', 'nothing', undefined],
  ['abc>axc', 'axc', 'write', 'abc'],
  ['abc>axc', 'axcd', 'merged', 'abcd'],
  ['abc>axc', 'ayc', 'edited', 'abc'],
  ['->a', 'a', 'write', 'absent'],
  ['->a', 'ab', 'edited', 'absent'],
  ['->a', '-', 'nothing', undefined],
  ['a>b', '-', 'deleted', 'a'],
  ['a>-', '-', 'write', 'a'],
  ['a>#', 'b', 'edited', 'a'],
  ['#>a', 'b', 'edited', '#'],
  ['a>b', '#', 'edited', 'a'],
  ['a>b b>c', 'c', 'write', 'a'],
  ['?>b', 'b', 'impossible', undefined],
  ['a>b', '?', 'impossible', undefined],
])('undoes %s in %s: %s', (written, now, kind, result) => {
  const plan = planUndo(links(written), content(now));
  const found = plan.kind === 'conflict' ? plan.reason : plan.kind;
  const isMerged = plan.kind === 'write' && plan.isMerged;
  const wanted = result === '#' ? letters(content('#')) : result;
  expect([
    isMerged ? 'merged' : found,
    'content' in plan ? letters(plan.content) : undefined,
  ]).toEqual([kind, wanted]);
});

it.each([
  ['abc>axc', 'axcd', 'abcd'],
  ['abc>axc', 'abc', 'abc'],
  ['?>b', 'b', 'unread'],
])('compares %s in %s with %s', (written, now, baseline) => {
  expect(letters(baselineOf(links(written), content(now)))).toBe(baseline);
});

it.each([
  ['abc', 'axc', 'abcd', 'axcd'],
  ['abc', 'axc', 'ayc', undefined],
  ['#', 'a', 'b', undefined],
  ['a', '#', 'b', undefined],
  ['a', 'b', '#', undefined],
  ['a', 'b', '-', undefined],
])('brings back into %s, which was to be %s, what is now %s: %s', (undone, wanted, now, result) => {
  expect(letters(mergedRedo(content(undone), content(wanted), content(now)))).toBe(result);
});
