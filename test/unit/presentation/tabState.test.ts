import { expect, it } from 'vitest';
import { serverId } from '../../../src/config/definition.js';
import {
  missingServerText,
  readInspected,
  readRun,
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

it.each([
  [{ subject: { server: 'global#a', name: 'a' } }, { kind: 'server', id: 'global#a', name: 'a' }],
  [{ subject: { recording: '/tmp/a.jsonl' } }, { kind: 'recording', path: '/tmp/a.jsonl' }],
  [{ subject: { server: 7, name: ['a'] } }, { kind: 'server', id: '', name: '' }],
  [{ subject: { recording: 'x'.repeat(5_000) } }, { kind: 'server', id: '', name: '' }],
  [{ subject: 'text' }, { kind: 'server', id: '', name: '' }],
  [undefined, { kind: 'server', id: '', name: '' }],
])('reads of an Inspector %j', (saved, subject) => {
  expect(readInspected(saved)).toEqual(subject);
});

it.each([
  [{ subject: { server: 'global#a', tool: 'add' } }, { serverId: 'global#a', tool: 'add' }],
  [{ subject: { server: null, tool: {} } }, { serverId: '', tool: '' }],
  [null, { serverId: '', tool: '' }],
])('reads of a tool that is run by hand %j', (saved, subject) => {
  expect(readRun(saved)).toEqual(subject);
});

it('says whether the server or its folder is gone, whatever its name', () => {
  const service = { getPool: (id: string) => (id === 'file:///open' ? ({} as never) : undefined) };
  const server = missingServerText(service, serverId('file:///open', 'a#b'));
  expect(server).toContain('not configured any more');
  const folder = missingServerText(service, serverId('file:///closed', 'a#b'));
  expect(folder).toContain('is not open in this window');
  expect(missingServerText(service, '')).toBe(server);
});
