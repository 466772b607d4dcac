import { expect, it } from 'vitest';
import type { ToolRowView } from '../../../../../src/protocol/tools/toolChoice.js';
import { countTools, toolRows } from '../../../../../src/webview/agent/tools/toolRows.js';
import { shownWindow } from '../../../../../src/webview/agent/tools/toolTree.js';

const tool = (name: string, change: Partial<ToolRowView> = {}): ToolRowView => ({
  name,
  description: `about ${name}`,
  isOn: true,
  tokens: 10,
  ...change,
});
const git = {
  server: 'git',
  takesNew: true,
  tools: [tool('log'), tool('push', { isOn: false }), tool('tag', { isOn: false, locked: 'Off.' })],
};
const docs = { server: 'docs', takesNew: false, tools: [] };
const view = { groups: [git, docs] };
const names = (query: string, folds: readonly string[] = []) =>
  toolRows(view, query, new Set(folds)).map((row) =>
    row.kind === 'group' ? `${row.group.server} ${row.checked}` : row.tool.name,
  );

it('shows servers, with their tools once they are unfolded', () => {
  expect(names('')).toEqual(['git mixed', 'docs false']);
  expect(names('', ['git'])).toEqual(['git mixed', 'log', 'push', 'tag', 'docs false']);
  expect(countTools(view)).toEqual({ on: 1, all: 2 });
});

it('finds tools by name and description, and all of a server by its name', () => {
  expect(names('ABOUT pu')).toEqual(['git false', 'push']);
  expect(names('git')).toEqual(['git mixed', 'log', 'push', 'tag']);
  expect(names('git', ['git'])).toEqual(['git mixed']);
  expect(names('doc')).toEqual(['docs false']);
  expect(names('nothing')).toEqual([]);
});

it('says of a part of a server that it is a part', () => {
  const [row] = toolRows(view, 'push', new Set());
  expect(row?.kind === 'group' && [row.isWhole, row.shown.length, row.on]).toEqual([false, 1, 1]);
});

it('draws a window of thousands, and makes room for the others', () => {
  const many = { ...git, tools: Array.from({ length: 5_000 }, (_, at) => tool(`tool ${at}`)) };
  const rows = toolRows({ groups: [many] }, '', new Set(['git']));
  for (const top of [0, 10, 2_500, 4_990, 9_999]) {
    const { first, drawn, before, after } = shownWindow(rows, top);
    expect(drawn.length).toBe(100);
    expect(before + after + drawn.length * 26).toBe(rows.length * 26);
    expect(first <= Math.min(top, rows.length - 1)).toBe(true);
  }
});
