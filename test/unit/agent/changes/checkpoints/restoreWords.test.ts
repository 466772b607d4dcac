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
  [{}, 'changed +1 -1', [], true],
  [{ now: 'absent' }, 'created +1 -0', [], true],
  [{ after: 'absent' }, 'deleted +0 -1', [], true],
  [{ after: 'unread' }, 'left +0 -0', ['What it held is not kept'], false],
  [{ now: 'unread', after: 'unread' }, 'left +0 -0', ['cannot be read'], false],
  [{ after: 'absent', conflict: 'edited' }, 'deleted +0 -1', ['that would go with it'], false],
  [{ conflict: 'edited' }, 'changed +1 -1', ['those would be replaced'], false],
  [{ now: 'absent', conflict: 'deleted' }, 'created +1 -0', ['Deleted or moved since'], true],
  [{ isMerged: true }, 'changed +1 -1', ['elsewhere in it stays'], true],
  [{ isUnsaved: true }, 'changed +1 -1', ['are saved too'], true],
])(
  'says of a file with %j what a restore makes of it: %s',
  (change, becomes, remarks, isChosen) => {
    const [view] = restoredFiles([{ ...plain, ...change } as never], '/w');
    expect(view).toMatchObject({ path: 'a', isChosen });
    expect(`${view?.becomes} +${view?.added} -${view?.removed}`).toBe(becomes);
    expect(view?.remarks).toEqual(remarks.map((text) => expect.stringContaining(text)));
  },
);
