import { expect, it } from 'vitest';
import type { LaunchDescription } from '../../../../src/config/launch/launchDescription.js';
import type { TrustRecord } from '../../../../src/mcp/mcpApi.js';
import { identityText } from '../../../../src/platform/folderIdentityText.js';
import {
  boundText,
  coverText,
  recordText,
} from '../../../../src/presentation/consent/trustRecordText.js';

const description: LaunchDescription = {
  kind: 'stdio',
  argv: ['node', 'a.js'],
  inheritEnv: false,
  env: [],
  headers: [],
  settings: [],
  reads: [],
  addresses: [],
  traits: [],
};

const record: TrustRecord = {
  folderUri: 'file:///work/api',
  grantedAt: undefined,
  identity: 'git:github.com/owner/name',
  replaced: undefined,
  servers: [{ name: 'memory', description }],
  extensions: [],
};

it('says what a record covers, and which folder it holds for', () => {
  expect(coverText(record)).toBe('servers: memory');
  expect(coverText({ ...record, grantedAt: '2026-01-02T03:04:05Z' })).toBe(
    'the whole folder, since 2026-01-02',
  );
  expect(boundText(record)).toBe('holds for the repository github.com/owner/name');
  expect(recordText(record)).toContain('memory:\ncommand: node a.js');
});

it('says that a record of another folder covers nothing', () => {
  const replaced = { before: record.identity, now: 'directory:1:42:3' };
  expect(coverText({ ...record, replaced })).toContain('Not valid');
  expect(recordText({ ...record, replaced })).toContain('the folder made 1970');
});

it('tells directories apart whose number was given out again', () => {
  const made = (nanoseconds: string) => identityText(`directory:1:42:${nanoseconds}`);
  expect(made('1764000000123456789')).toBe('the folder made 2025-11-24 16:00:00.123 UTC');
  expect(made('1764000000123456789')).not.toBe(made('1764000000999999999'));
  expect(identityText('directory:1:42')).toBe('the folder with the number 42');
  expect(identityText('directory:1:42:soon')).toBe('the folder with the number 42');
});

it('names the Pi extensions that a record covers', () => {
  const extensions = ['.pi/extensions/a.ts'];
  expect(coverText({ ...record, servers: [], extensions })).toBe('Pi extensions (1)');
  expect(coverText({ ...record, extensions })).toBe('servers: memory, Pi extensions (1)');
  expect(recordText({ ...record, extensions })).toContain('.pi/extensions/a.ts');
});
