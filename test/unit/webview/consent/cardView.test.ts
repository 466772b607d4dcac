import { expect, it } from 'vitest';
import type { ConsentCard } from '../../../../src/protocol/consent/consentProtocol.js';
import { cardView } from '../../../../src/webview/consent/cardView.js';
import type { ConsentPage } from '../../../../src/webview/consent/consentPage.js';

const hidden = 'a\u202eb';
const value = (text: string) => [{ text, isValue: true }];

const plain: ConsentCard = {
  id: 'id',
  hash: 'hash',
  name: 'server',
  folderUri: 'file:///work',
  folder: 'work',
  lines: [
    { kind: 'command', label: 'runs', rows: [value('node'), value('server.js')], change: 'same' },
    { kind: 'trait', label: 'odd', rows: [value('PATH')], change: 'same' },
  ],
  source: { path: '/work/.mcp.json', line: 1 },
  commit: value('Somebody'),
  isPlain: false,
};

/** The texts in a template, in their order. */
function textsOf(view: unknown): readonly string[] {
  if (Array.isArray(view)) {
    return view.flatMap(textsOf);
  }
  if (typeof view === 'string') {
    return [view];
  }
  return view !== null && typeof view === 'object' && 'values' in view ? textsOf(view.values) : [];
}

const sentences = (card: ConsentCard) =>
  textsOf(cardView(card, false, {} as ConsentPage)).filter((text) =>
    text.startsWith('Drawn as escapes'),
  );

it.each<[string, Partial<ConsentCard>]>([
  ['its name', { name: hidden }],
  ['its folder', { folder: hidden }],
  [
    'its program',
    { lines: [{ kind: 'command', label: 'runs', rows: [value(hidden)], change: 'same' }] },
  ],
  [
    'an argument',
    {
      lines: [
        { kind: 'command', label: 'runs', rows: [value('node'), value(hidden)], change: 'same' },
      ],
    },
  ],
  ['a trait', { lines: [{ kind: 'trait', label: 'odd', rows: [value(hidden)], change: 'same' }] }],
  ['the path of its file', { source: { path: `/work/${hidden}/.mcp.json` } }],
  ['the last commit of its file', { commit: value(hidden) }],
])('a card says that it draws escapes, where they are in %s', (_place, odd) => {
  expect(sentences({ ...plain, ...odd })).toEqual([
    'Drawn as escapes: characters that turn the direction of reading. Copying gives the text itself.',
  ]);
});

it('a card without them does not', () => {
  expect(sentences(plain)).toEqual([]);
});
