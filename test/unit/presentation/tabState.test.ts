import { expect, it } from 'vitest';
import { serverId } from '../../../src/config/definition.js';
import {
  missingServerText,
  readServerTab,
  readTabState,
} from '../../../src/presentation/tabState.js';

it.each([
  [
    { conversation: 'a-1.jsonl', folder: 'file:///app', isBegun: true },
    'a-1.jsonl',
    'file:///app',
    true,
  ],
  [{ conversation: '../a.jsonl', isBegun: 'yes' }, undefined, undefined, false],
  [{ conversation: 'a/b.jsonl', folder: 7 }, undefined, undefined, false],
  [undefined, undefined, undefined, false],
  ['text', undefined, undefined, false],
])('reads of %j what can be true', (saved, conversation, folder, isBegun) => {
  expect(readTabState(saved)).toEqual({ conversation, folder, isBegun });
});

const unknown = { kind: 'server', id: '', name: '', tab: undefined };

it.each([
  [{ subject: { server: 'global#a', name: 'a' } }, { ...unknown, id: 'global#a', name: 'a' }],
  [{ subject: { recording: '/tmp/a.jsonl' } }, { kind: 'recording', path: '/tmp/a.jsonl' }],
  [{ subject: { server: 7, name: ['a'] } }, unknown],
  [{ subject: { recording: 'x'.repeat(5_000) } }, unknown],
  [{ subject: 'text' }, unknown],
  [undefined, unknown],
  // of the Inspector
  [
    { query: '', tab: 'timeline', subject: { server: 'global#a', name: 'a' } },
    { kind: 'server', id: 'global#a', name: 'a', tab: 'traffic' },
  ],
  // of the page that ran a tool
  [
    { subject: { server: 'global#a', tool: 'add' }, args: {}, timeout: '' },
    { kind: 'server', id: 'global#a', name: '', tab: 'tools', tool: 'add' },
  ],
  [{ subject: { server: null, tool: {} } }, unknown],
])('reads of the page of a server %j', (saved, subject) => {
  expect(readServerTab(saved)).toEqual(subject);
});

it('says whether the server or its folder is gone, whatever its name', () => {
  const service = { getPool: (id: string) => (id === 'file:///open' ? ({} as never) : undefined) };
  const server = missingServerText(service, serverId('file:///open', 'a#b'));
  expect(server).toBe('The MCP server does not exist any more.');
  const folder = missingServerText(service, serverId('file:///closed', 'a#b'));
  expect(folder).toContain('is not open in this window');
  expect(missingServerText(service, '')).toBe(server);
});
