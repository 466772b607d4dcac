// @ts-check
/** What several sample states are made of. */

export const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC';

export const folders = [
  { uri: 'file:///work/shop', name: 'shop', waiting: 0 },
  { uri: 'file:///work/empty', name: 'empty', waiting: 0 },
];
export const model = {
  provider: 'anthropic',
  id: 'large',
  label: 'Large Model 5',
  takesImages: true,
};

export const readyState = {
  status: 'ready',
  folders,
  folder: folders[0],
  model,
  thinking: { text: 'High' },
  tools: { mcp: 12, builtIn: 7, all: 19, stamp: 1 },
  approvals: [],
  waiting: [],
  queue: { messages: [] },
  // what cards show is looked at without opening each
  cards: 'full',
  mode: 'ask',
  modes: [
    [
      'ask',
      'Ask',
      'Reads this folder. Asks before it edits, runs commands or calls tools.',
      'shield',
    ],
    [
      'acceptEdits',
      'Accept Edits',
      'Edits files of this folder without asking. Asks before the rest.',
      'edit',
    ],
    ['plan', 'Plan', 'Only reads, and shows you a plan that you start.', 'checklist'],
    [
      'runFreely',
      'Run Freely',
      'Runs commands and tools without asking. What is hard to undo asks still.',
      'warning',
    ],
  ].map(([mode, name, text, icon]) => ({ mode, name, text, icon })),
  isRestricted: false,
};

/** @param {string} text one line each, with its sign and number */
export const diffOf = (text) =>
  text.split('\n').map((line) => ({
    kind: line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same',
    number: Number(/\d+/.exec(line)?.[0]),
    text: line.replace(/^.\d+ /, ''),
  }));

export const editedCart = {
  path: 'src/cart.ts',
  kind: 'edit',
  added: 2,
  removed: 1,
  hunks: [
    diffOf(
      ' 11 export function total(items) {\n-12   return items.length;\n+12   const sum = items.reduce((all, { price }) => all + price, 0);\n+13   return sum * (1 + tax);\n 14 }',
    ),
  ],
  omitted: 0,
  notes: ['Your unsaved changes are saved too.'],
  callId: 'call-1',
};

export const changedFile = {
  id: '/home/dev/app/src/cart.ts',
  path: 'src/cart.ts',
  added: 2,
  removed: 1,
  kind: 'edited',
  isMixed: false,
  isOfLastRun: true,
};

/** What the page is told of the file of {@link agentSnapshots}.changes. */
export const cartHunks = [
  {
    id: 'h1',
    isMixed: false,
    lines: editedCart.hunks[0]?.filter(({ kind }) => kind !== 'same'),
  },
];
