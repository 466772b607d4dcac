import { expect, it } from 'vitest';
import { restoredFiles } from '../../../../../src/agent/changes/checkpoints/restoreView.js';
import { sizeText } from '../../../../../src/agent/changes/checkpoints/sizeText.js';

it.each([
  [1, '1 KB'],
  [1536, '2 KB'],
  [1024 * 1024 - 1, '1024 KB'],
  [1.44 * 1024 * 1024, '1.4 MB'],
  [200 * 1024 * 1024, '200.0 MB'],
])('says %d bytes in words', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});

const [one, other] = ['1\n', '2\n'].map((text) => Buffer.from(text)) as [Buffer, Buffer];
const plain = { path: '/w/a', now: one, after: other, isMerged: false };

it.each<[object, string, readonly string[], boolean]>([
  [{}, 'changed', [], true],
  [{ now: 'absent' }, 'created', [], true],
  [{ after: 'absent' }, 'deleted', [], true],
  [{ after: 'unread' }, 'left', ['What it held is not kept'], false],
  [{ now: 'unread', after: 'unread' }, 'left', ['cannot be read'], false],
  [{ after: 'absent', conflict: 'edited' }, 'deleted', ['that would go with it'], false],
  [{ conflict: 'edited' }, 'changed', ['those would be replaced'], false],
  [{ now: 'absent', conflict: 'deleted' }, 'created', ['Deleted or moved since'], true],
  [{ isMerged: true }, 'changed', ['elsewhere in it stays'], true],
  [{ isUnsaved: true }, 'changed', ['are saved too'], true],
])(
  'says of a file with %j what a restore makes of it: %s',
  (change, becomes, remarks, isChosen) => {
    const [view] = restoredFiles([{ ...plain, ...change } as never], '/w');
    expect(view).toMatchObject({ path: 'a', becomes, isChosen });
    expect(view?.remarks).toEqual(remarks.map((text) => expect.stringContaining(text)));
  },
);
