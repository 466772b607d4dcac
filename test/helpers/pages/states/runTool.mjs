// @ts-check
/** Sample states of the page that runs a tool. */
import { pixel } from './parts.mjs';

const runToolSchema = {
  type: 'object',
  properties: {
    path: {
      type: 'string',
      title: 'Path',
      description: 'Where the notes are, from the folder of the project.',
      examples: ['notes/today.md'],
    },
    limit: {
      type: 'integer',
      description: 'At most so many.',
      default: 20,
      minimum: 1,
      maximum: 100,
    },
    order: { type: 'string', enum: ['newest', 'oldest', 'title'] },
    deep: { type: 'boolean', description: 'Folders inside of it too.' },
    tags: { type: 'array', items: { enum: ['work', 'home', 'later'] } },
    zone: { type: 'string', enum: Array.from({ length: 600 }, (_, at) => `Zone/${at}`) },
    color: { enum: Array.from({ length: 40 }, (_, at) => `color ${at}`) },
    note: {
      anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }],
      description: 'A day, or none.',
    },
    token: { type: 'string', format: 'password' },
    version: { const: 2 },
    picture: { type: 'string', contentEncoding: 'base64' },
    where: {
      oneOf: [
        {
          title: 'In a Box',
          type: 'object',
          properties: { width: { type: 'number' }, height: { type: 'number' } },
          required: ['width', 'height'],
        },
        {
          title: 'By Name',
          type: 'object',
          properties: { name: { type: 'string' } },
          required: ['name'],
        },
      ],
    },
    rows: {
      type: 'array',
      items: {
        type: 'object',
        properties: { id: { type: 'integer' }, text: { type: 'string' } },
        required: ['id'],
      },
    },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    any: {},
  },
  required: ['path'],
};

export const runToolView = {
  name: 'search_notes',
  title: 'Search Notes',
  description:
    'Finds notes by their words, and tells where they are.\nIt reads at most a hundred of them.',
  inputSchema: runToolSchema,
  warning: 'The tool may change something. It runs without a question.',
  timeoutMs: 60_000,
  hasGateway: true,
  history: [
    {
      id: '2',
      outcome: 'done',
      ms: 240,
      when: '3 minutes ago',
      args: { path: 'notes', limit: 5 },
      lacksSecrets: false,
    },
    {
      id: '1',
      outcome: 'failed',
      ms: 31,
      when: 'yesterday',
      args: { path: 'nowhere' },
      lacksSecrets: true,
    },
  ],
};

export const runOutcome = {
  end: 'done',
  ms: 1240,
  tokens: 312,
  structured: {
    shape: {
      kind: 'table',
      columns: ['id', 'title'],
      rows: [
        ['1', 'Milk'],
        ['2', 'A longer title of a note'],
      ],
    },
    mismatch:
      'The result of "search_notes" does not match its output schema: data/rows/1 lacks the property day',
  },
  blocks: [
    { kind: 'text', text: 'Found 2 notes.\n- Milk\n- A longer title of a note' },
    { kind: 'image', source: pixel },
    { kind: 'link', uri: 'notes://today', name: 'Today' },
    { kind: 'resource', uri: 'notes://1', text: 'Buy milk.' },
    { kind: 'file', mimeType: 'audio/wav', size: 5120, file: 0 },
  ],
};
