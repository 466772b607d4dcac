import { expect, it } from 'vitest';
import type { FolderTrust } from '../../../../src/mcp/mcpApi.js';
import type { McpServerState } from '../../../../src/mcp/mcpTypes.js';
import {
  isConsentedEntry,
  mayShowValues,
} from '../../../../src/presentation/language/mayShowValues.js';
import { FakeServer, fakeDefinition, fakeFolder } from '../../../helpers/fakes/fakeMcp.js';

const folder = fakeFolder('api');
const idle: McpServerState = { kind: 'idle' };
const gated: McpServerState = { kind: 'trust_required', reason: { kind: 'never_consented' } };
const off: McpServerState = { kind: 'disabled', by: 'server' };
const none: FolderTrust = { kind: 'none' };
const whole: FolderTrust = { kind: 'folder', grantedAt: '' };

it.each<[McpServerState | undefined, FolderTrust, boolean, boolean]>([
  [idle, none, true, true],
  [gated, none, true, false],
  [off, none, true, false],
  [undefined, none, true, false],
  [off, whole, true, true],
  [idle, whole, false, false],
])(
  '%j with consent %j in a workspace that is trusted: %s → %s',
  (state, consent, isWorkspaceTrusted, expected) => {
    const server = state && new FakeServer(fakeDefinition('a', { folder }), state);
    const trust = { isWorkspaceTrusted, folderTrust: () => consent };
    expect(mayShowValues(server, folder, trust)).toBe(expected);
  },
);

it('asks nobody about the files of the user', () => {
  const trust = { isWorkspaceTrusted: false, folderTrust: () => none };
  expect(mayShowValues(undefined, undefined, trust)).toBe(true);
});

it('knows consent to the launch that stands in the editor from consent to another one', () => {
  const server = new FakeServer(fakeDefinition('a', { folder }), idle);
  const { launch } = server.definition;
  const trust = { isWorkspaceTrusted: true, folderTrust: () => none };
  const other = launch?.kind === 'stdio' ? { ...launch, cwd: '//host/share' } : undefined;
  expect(other).toBeDefined();
  const answer = (changed: typeof launch, consent: FolderTrust = none) =>
    isConsentedEntry({ launch: changed }, server, folder, { ...trust, folderTrust: () => consent });
  expect([answer(launch), answer(other), answer(undefined)]).toEqual([true, false, false]);
  expect(answer(other, whole)).toBe(true);
});
