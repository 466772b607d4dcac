// @ts-check
/** Sample states of the page of a server. */

/** @typedef {import('../../../../src/protocol/server/serverProtocol.js').ServerView} ServerView */
/** @typedef {import('../../../../src/protocol/server/serverProtocol.js').ServerTab} ServerTab */

/** @type {ServerView} */
export const serverView = {
  subject: { server: 'global#notes', name: 'notes' },
  name: 'notes',
  state: 'connected',
  icon: 'pass-filled',
  reason: 'Connected',
  place: 'shop',
  isEnabled: true,
  lifecycle: ['stop', 'restart'],
  sections: [
    {
      title: 'State',
      facts: [
        { label: 'state', text: 'The server is connected.' },
        { label: 'connected in', text: '0.4 s, by stdio' },
        {
          label: 'calls',
          text: '12 calls, 1 failed, median 8 ms, 95 % within 31 ms, 4120 bytes, 980 tokens',
        },
      ],
      actions: [{ action: 'log', title: 'Show Log' }],
    },
    {
      title: 'Launch',
      facts: [
        {
          label: 'command',
          text: "npx -y @acme/notes-server@1.4.2 --folder '/home/me/My Notes' --token ***REDACTED***",
          isCode: true,
        },
        { label: 'environment', text: 'NOTES_TOKEN=***REDACTED***' },
        {
          label: 'is told of the folders',
          text: 'the workspace folder, or none if the arguments name a folder outside',
        },
      ],
      actions: [],
    },
    {
      title: 'Version',
      facts: [
        { label: 'Package', text: '@acme/notes-server', isCode: true },
        { label: 'Version', text: '1.4.2; 1.5.0 is available' },
        {
          label: 'would run',
          text: "npx -y @acme/notes-server@1.5.0 --folder '/home/me/My Notes' --token ***REDACTED***",
          isCode: true,
        },
        { label: 'registry asked', text: '2 hours ago' },
        {
          label: 'changed',
          text: 'search_notes\nbefore: description: Finds notes by their words.\nnow: description: Finds notes by their words, and those that are like them.',
        },
        { label: 'new', text: 'move_note\nnow: description: Moves a note to another vault.' },
        { label: 'gone', text: 'delete_note' },
      ],
      actions: [
        { action: 'compareTools', title: 'Compare Tools…' },
        { action: 'update', title: 'Update…' },
        { action: 'skipVersion', title: 'Skip This Version' },
        { action: 'checkUpdates', title: 'Check for Updates' },
      ],
    },
    {
      title: 'Entry',
      facts: [
        { label: 'saved in', text: '/home/me/work/shop/.mcp.json' },
        { label: 'note', text: 'Hides the entry in /home/me/.pi/agent/mcp.json' },
      ],
      actions: [
        { action: 'openFile', title: 'Open File' },
        { action: 'move', title: 'Change Scope…' },
      ],
    },
    {
      title: 'Server',
      facts: [
        { label: 'name', text: 'Acme Notes 1.4.2' },
        { label: 'protocol', text: '2025-11-25' },
        { label: 'offers', text: 'tools: 3, resources: 2, prompts: 1' },
        { label: 'cost', text: '840 tokens, 310 of them in every request' },
      ],
      actions: [],
    },
    {
      title: 'Trust',
      facts: [{ label: 'trust', text: 'You trust the configuration of this folder.' }],
      actions: [{ action: 'trust', title: 'Manage Trust…' }],
    },
  ],
  suggestions: ['The package has no fixed version. Add one.'],
  instructions: 'Search before you read.\nA note is Markdown.',
  tools: [
    {
      name: 'search_notes',
      title: 'Search Notes',
      description: 'Finds notes by their words.',
      badges: ['read-only'],
      figures: '310 tokens · 12 calls · 1 failed · 8 ms',
      isOn: true,
    },
    {
      name: 'read_note',
      badges: ['read-only'],
      figures: '210 tokens, 290 before',
      override: 'The file says: description · fixed: vault, token',
      isOn: true,
    },
    { name: 'delete_note', badges: ['destructive', 'off'], figures: '320 tokens', isOn: false },
  ],
  noTools: 'No tools',
  offers: [
    { kind: 'resource', key: 'notes://today', name: 'Notes of Today', detail: 'notes://today' },
    { kind: 'resource', key: 'notes://{day}', name: 'Notes of a Day', detail: 'notes://{day}' },
    { kind: 'prompt', key: 'summarize', name: 'summarize', detail: 'Sums up a note.' },
    {
      kind: 'skill',
      key: 'tidy',
      name: 'tidy',
      detail: 'Sorts notes into folders, and names them by what is in them.',
    },
  ],
};

/** @type {ServerView} */
export const failingView = {
  ...serverView,
  sections: serverView.sections.filter(({ title }) => title !== 'State'),
  state: 'error',
  icon: 'error',
  reason: 'Cannot find module notes',
  lifecycle: ['start'],
  fix: 'Run in Terminal',
  banner: {
    isError: true,
    sentence: 'The server exited before it answered.',
    more: ['Run its command in a terminal to see why.', 'Next try at 10:42:07'],
    evidence: [
      '$ npx -y @acme/notes-server@1.4.2',
      ...Array.from({ length: 10 }, (_, at) => `    at frame ${at} (/home/me/notes/index.js)`),
      "Error: Cannot find module '/home/me/notes/dist/a-very-long-name-that-does-not-end-where-it-should.js'",
      'Exit code 1',
    ],
  },
  tools: [],
  noTools: 'Tools are known once the server has run.',
  offers: [],
};

/** @type {ServerView} */
export const goneView = {
  subject: { server: 'global#notes', name: 'notes' },
  name: 'notes',
  state: 'gone',
  icon: 'circle-slash',
  reason: '',
  place: '',
  isEnabled: false,
  lifecycle: [],
  banner: {
    isError: false,
    sentence: 'The MCP server does not exist any more.',
    more: [],
    evidence: [],
  },
  sections: [],
  suggestions: [],
  tools: [],
  noTools: '',
  offers: [],
};

/**
 * What the page is told when it asks what it is about.
 * @param {{ tab?: ServerTab, tool?: string, view?: ServerView }} [place]
 */
export const serverStart = ({ view = serverView, ...place } = {}) => ({
  open: { kind: 'server', view, ...place },
  measure: { facts: [] },
});

/** With the form of its first tool open. */
export const toolStart = serverStart({ tab: 'tools', tool: 'search_notes' });

/** What is said of `read_note` in place of its server. */
const override = {
  description: 'Reads one note.',
  arguments: { vault: 'home', token: '***REDACTED***' },
};
export const overrideReplies = {
  readOverride: {
    path: '/home/me/.pi/agent/pi-mcp/folders/shop-1f2e3d4c5b6a7980/mcp.json',
    override,
    schema: {
      type: 'object',
      properties: {
        description: {
          type: 'string',
          title: 'Description',
          examples: ['Reads a note from one of the vaults that the server was given.'],
        },
        descriptionPrefix: { type: 'string', title: 'Before the description' },
        title: { type: 'string', title: 'Title' },
        readOnly: { type: 'boolean', title: 'Only reads' },
        arguments: {
          type: 'object',
          title: 'Fixed arguments',
          description: 'Arguments with fixed values, which go with every call.',
          properties: {
            vault: { type: 'string', description: 'Name of the vault' },
            limit: { type: 'integer' },
            token: {
              oneOf: [
                { title: 'Hidden, as it is in the file', const: '***REDACTED***' },
                { type: 'string' },
              ],
            },
          },
        },
        hidden: { type: 'boolean', title: 'Hidden from models and clients' },
      },
      additionalProperties: false,
    },
  },
  weighOverride: {
    cost: '210 tokens, 290 before',
    kept: { description: 'Half', arguments: { vault: 'home' } },
  },
  saveOverride: null,
};
