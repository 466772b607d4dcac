// @ts-check
/** Sample states of the agent's page: everything that it can show at least once. */
import { changeSnapshots } from './agentChanges.mjs';
import { talkSnapshots } from './agentTalk.mjs';
import { folders } from './parts.mjs';

export { cartHunks } from './parts.mjs';

export const agentSnapshots = { ...changeSnapshots, ...talkSnapshots };

/** What is told to an empty conversation. */
export const startView = {
  folder: folders[0]?.uri,
  recent: [
    { id: 'one.jsonl', title: 'Fix login', facts: 'needs you, 5 minutes ago', icon: 'bell-dot' },
    {
      id: 'two.jsonl',
      title: 'Why is the total of the cart wrong when the tax is added twice?',
      facts: '2 hours ago',
      icon: 'comment-discussion',
    },
    { id: 'three.jsonl', title: 'Tidy the tests', facts: 'failed, yesterday', icon: 'error' },
  ],
  servers: {
    text: 'MCP servers: 3 of 6 ready',
    steps: [
      { kind: 'review', text: 'Review: files' },
      { kind: 'signIn', text: 'Sign In: github', server: 'global#github' },
      { kind: 'show', text: 'Failed: docs' },
    ],
  },
};

/** What fills the context of the snapshot `context`. */
export const contextView = {
  parts: [
    { kind: 'system', tokens: 2100, items: [] },
    {
      kind: 'instructions',
      tokens: 3400,
      items: [
        { name: 'AGENTS.md', tokens: 2600 },
        { name: '/home/dev/.pi/agent/AGENTS.md', tokens: 500 },
        { name: 'github', tokens: 300 },
      ],
    },
    {
      kind: 'tools',
      tokens: 14200,
      items: [
        { name: 'github', tokens: 9800 },
        { name: 'Built in', tokens: 2900 },
        { name: 'Search and gateway', tokens: 900 },
        { name: 'a-server-with-a-rather-long-name-for-a-row', tokens: 600 },
      ],
    },
    {
      kind: 'attachments',
      tokens: 5200,
      items: [
        { name: 'Images', tokens: 3600 },
        { name: 'Files and resources', tokens: 1600 },
      ],
    },
    {
      kind: 'conversation',
      tokens: 32700,
      items: [
        { name: 'Results of github: search_issues', tokens: 18300 },
        { name: 'Pi', tokens: 9100 },
        { name: 'Results of read', tokens: 4400 },
        { name: 'You', tokens: 900 },
      ],
    },
    { kind: 'summary', tokens: 10400, items: [] },
  ],
  lastTurn: { requests: 3, sent: 195120, cached: 158040, received: 1204, cost: 0.0412 },
  all: { requests: 48, sent: 2400310, cached: 1900010, received: 22410, cost: 0.4127 },
  turns: 14,
  limits: { isAutomatic: true, above: 180000, keeps: 20000, isOwn: false },
};

/** What a page is told beside its snapshot, and what is typed then. */
export const agentInputs = {
  asking: {
    draft: '/',
    inputs: {
      commands: [
        { command: '/mcp', description: 'List the MCP servers', arguments: [] },
        {
          command: '/mcp reconnect',
          description: 'Restart a server',
          arguments: ['server?'],
          parent: '/mcp',
        },
        {
          command: '/mcp reconnect shop',
          description: 'connected',
          arguments: [],
          parent: '/mcp reconnect',
        },
        {
          command: '/docs:summarize',
          description: 'Summarizes a page',
          arguments: ['page', 'tone?'],
        },
        ...['invoice', 'refund', 'order', 'track', 'return', 'rate'].map((name) => ({
          command: `/shop:${name}`,
          description: '',
          arguments: [],
        })),
      ],
      attachments: [
        {
          id: 'a',
          kind: 'resource',
          label: 'architecture.md',
          detail: 'docs: architecture.md',
        },
        {
          id: 'b',
          kind: 'file',
          label: 'checkout with a long name.test.ts',
          detail: 'packages/shop/test/checkout with a long name.test.ts',
          tokens: 2_310,
        },
        { id: 'c', kind: 'pasted', label: 'Pasted text, 120 lines', detail: '', tokens: 900 },
        {
          id: 'd',
          kind: 'image',
          label: 'screenshot.png',
          detail: 'screenshot.png',
          tokens: 1_290,
        },
      ],
      edited: [],
      questions: [{ id: 'q', server: 'shop', text: 'Which card do you want to pay with?' }],
      choices: [
        {
          id: 's',
          server: 'shop',
          title: 'Sign in in your browser. Does it end on a page that cannot be opened?',
          rows: [{ label: 'MCP server', text: 'shop' }],
          choices: ['Paste Its Address…', 'Sign In on Another Device', 'Cancel'].map((label) => ({
            label,
            isConsent: false,
          })),
        },
      ],
      forms: [],
    },
  },
};

/** What the page is told of what may be mentioned. */
export const mentionedRows = [
  {
    id: '1/0',
    kind: 'selection',
    label: 'Selection',
    detail: 'src/cart.ts:12-20',
    word: 'selection',
  },
  { id: '1/1', kind: 'file', label: 'cart.ts', detail: 'src/', word: 'cart.ts' },
  {
    id: '1/2',
    kind: 'file',
    label: 'my file#1.ts',
    detail: 'packages/with-a-long-name/test/integration/checkout/',
    word: '"my file#1.ts"',
  },
  { id: '1/3', kind: 'folder', label: 'src/', detail: '', word: 'src/' },
  { id: '1/4', kind: 'symbol', label: 'totalOfCart', detail: 'src/cart.ts:3', word: 'totalOfCart' },
  { id: '1/5', kind: 'problems', label: 'Problems (2)', detail: 'src/cart.ts', word: 'problems' },
  {
    id: '1/6',
    kind: 'terminal',
    label: 'Terminal: npm test',
    detail: 'bash, Exit code 1',
    word: 'terminal',
  },
  {
    id: '1/7',
    kind: 'changes',
    label: 'Git changes (2)',
    detail: 'main, src/cart.ts, README.md',
    word: 'changes',
  },
  {
    id: '1/8',
    kind: 'resource',
    label: 'architecture.md',
    detail: 'docs: demo://architecture.md',
    word: 'architecture.md',
  },
  {
    id: '1/9',
    kind: 'choose',
    label: 'Choose Files…',
    detail: 'from anywhere on this machine',
    word: '',
  },
];

/** A picture of one red pixel. */
export const redPixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

/** What the page is told when nothing waits in its composer. */
export const noInputs = {
  commands: [],
  attachments: [],
  questions: [],
  choices: [],
  forms: [],
  edited: [],
};
