// @ts-check
/** Sample states of the Inspector: everything that it can show at least once. */
import { serverStart } from './server.mjs';

const start = Date.UTC(2026, 10, 22, 12, 0, 0);

/** @type {import('../../../../src/protocol/inspector/inspectorProtocol.js').InspectorRow[]} */
const rows = [
  { id: 1, gen: 1, kind: 'life', method: 'Connecting', target: 'stdio', t: start, status: 'none' },
  {
    id: 2,
    gen: 1,
    kind: 'request',
    dir: 'sent',
    method: 'initialize',
    target: '',
    t: start + 40,
    ms: 12.4,
    status: 'ok',
  },
  {
    id: 4,
    gen: 1,
    kind: 'stderr',
    dir: 'received',
    method: 'Output',
    target: 'Listening on stdio, 13 tools registered',
    t: start + 55,
    status: 'none',
  },
  {
    id: 5,
    gen: 1,
    kind: 'http',
    dir: 'sent',
    method: 'POST',
    target: 'https://docs.example.com/mcp',
    t: start + 60,
    ms: 48,
    status: 'ok',
    note: 'HTTP 200',
  },
  {
    id: 8,
    gen: 1,
    kind: 'request',
    dir: 'sent',
    method: 'tools/call',
    target: 'add',
    t: start + 70,
    ms: 1204,
    status: 'error',
    note: '-32602 Arguments do not fit',
    canReplay: true,
  },
  {
    id: 9,
    gen: 1,
    kind: 'request',
    dir: 'sent',
    method: 'tools/list',
    target: '',
    t: start + 80,
    ms: 6,
    status: 'faulty',
    note: 'Ignored: tools/list lists an item that is left out, since it cannot be used: sum',
    canReplay: true,
  },
  {
    id: 10,
    gen: 1,
    kind: 'request',
    dir: 'received',
    method: 'elicitation/create',
    target: 'Which account is meant?',
    t: start + 90,
    ms: 900,
    status: 'ok',
  },
  {
    id: 12,
    gen: 1,
    kind: 'notification',
    dir: 'received',
    method: 'notifications/tools/list_changed',
    target: '',
    t: start + 95,
    status: 'none',
  },
  {
    id: 13,
    gen: 1,
    kind: 'request',
    dir: 'sent',
    method: 'tools/call',
    target: 'longRunningOperation',
    t: start + 99,
    status: 'open',
    note: '3/10 half way there',
    canReplay: true,
  },
  {
    id: 15,
    gen: 1,
    kind: 'request',
    dir: 'sent',
    method: 'resources/read',
    target:
      'file:///work/shop/a/very/long/path/that/does/not/fit/into/the/line/of/a/narrow/window.ts',
    t: start + 120,
    ms: 3,
    status: 'cancelled',
    canReplay: true,
  },
  {
    id: 17,
    gen: 1,
    kind: 'request',
    dir: 'sent',
    method: 'ping',
    target: '',
    t: start + 150,
    ms: 8,
    status: 'lost',
    note: 'The connection was closed.',
    canReplay: true,
  },
];

/** @type {import('../../../../src/protocol/inspector/inspectorProtocol.js').InspectorView} */
const view = {
  isConnected: true,
  logLevels: ['debug', 'info', 'warning', 'error'],
  connections: [
    {
      gen: 2,
      facts: [
        { label: 'Server', text: 'Calculator 1.2.0' },
        { label: 'protocol', text: '2025-11-25' },
        { label: 'Transport', text: 'stdio' },
        { label: 'connected in', text: '182 ms' },
        { label: 'tools', text: '13' },
      ],
      instructions: 'Use add for sums.',
      server:
        '{\n  "id": 0,\n  "result": {\n    "capabilities": {\n      "tools": {}\n    }\n  }\n}',
      client: '{\n  "id": 0,\n  "method": "initialize"\n}',
      differences: [
        { kind: 'changed', path: 'serverInfo.version', before: '1.1.0', after: '1.2.0' },
        { kind: 'added', path: 'tools: multiply' },
        { kind: 'removed', path: 'capabilities.logging', before: '{}' },
      ],
    },
    { gen: 1, facts: [{ label: 'Server', text: 'Calculator 1.1.0' }] },
  ],
};

const frame = {
  seq: 8,
  title: 'To the server: tools/call',
  t: start + 70,
  text: JSON.stringify(
    {
      jsonrpc: '2.0',
      id: 1000000004,
      method: 'tools/call',
      params: { name: 'add', arguments: { a: 1, b: -2.5e3, exact: true, unit: null } },
    },
    undefined,
    2,
  ),
  isJson: true,
};

export const inspectorReplies = {
  ...serverStart({ tab: 'traffic' }),
  ready: { view, rows },
  details: {
    frames: [
      frame,
      {
        seq: 9,
        title: 'From the server: Error',
        t: start + 1274,
        text: '{"jsonrpc": "2.0", "id": 1000000004, "error": {"code": -32602, "data": "…',
        isJson: false,
        wholeSize: 90_432,
      },
    ],
  },
  whole: { text: '{\n  "whole": true\n}' },
  find: { ids: [8, 13] },
  replay: null,
  ping: { ms: 1.2 },
  setLogLevel: null,
  connect: null,
  clear: null,
  exportRecording: null,
  importRecording: null,
  serveMock: null,
  openCallLog: null,
};

/** What the log has of calls, and who made them. */
export const callLogReplies = {
  ...inspectorReplies,
  open: { kind: 'alone', tab: 'traffic', subject: { calls: 'global#notes' } },
  ready: {
    view: {
      recording: { name: 'notes', text: 'Calls: 4', icon: 'history' },
      isCallLog: true,
      isConnected: false,
      connections: [],
    },
    rows: [
      { method: 'agent', target: 'add', ms: 12, status: 'ok' },
      { method: 'gateway', target: 'search', ms: 840, status: 'error', note: 'tool_error' },
      { method: 'person', target: 'delete', ms: 3, status: 'error', note: 'cancelled' },
      { method: 'agent', target: 'resources/read', ms: 48, status: 'ok' },
    ].map((row, index) => ({
      id: 2 * index + 1,
      gen: 1,
      kind: 'request',
      dir: 'sent',
      t: start + 4_000 * index,
      ...row,
    })),
  },
  details: {
    frames: [
      {
        ...frame,
        title: 'To the server: agent',
        text: JSON.stringify({ tool: 'add', arguments: { a: 1, b: 2 } }, undefined, 2),
      },
      {
        seq: 9,
        title: 'Said by Pi MCP',
        t: start + 1274,
        text: JSON.stringify(
          {
            outcome: 'ok',
            ms: 12,
            by: 'agent',
            name: '2026-11-28T07-20-14_one',
            server: 'notes',
            size: 412,
            approval: 'rule',
            rule: 'folder: notes/add, 2026-11-27T09:12:00.000Z',
          },
          undefined,
          2,
        ),
        isJson: true,
      },
    ],
  },
};

/** @param {number} count */
export function manyRows(count) {
  return Array.from({ length: count }, (_item, index) => ({
    ...rows[index % rows.length],
    id: index + 1,
    t: start + index,
    target: `entry ${index}`,
  }));
}
