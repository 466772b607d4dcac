/** Which parts the overview of a server has, and what it says of trust. */
import { expect, it } from 'vitest';
import type { McpServerDefinition } from '../../../../src/config/definition.js';
import type { FolderTrust, McpService } from '../../../../src/mcp/mcpApi.js';
import type { McpServerState } from '../../../../src/mcp/mcpTypes.js';
import { serverPageView } from '../../../../src/presentation/server/serverPageView.js';
import { httpLaunch } from '../../../fixtures/connections.js';
import {
  FakeServer,
  FakeService,
  fakeDefinition,
  fakeFailure,
  fakeFolder,
  fakePool,
} from '../../../helpers/fakes/fakeMcp.js';

const folder = fakeFolder('app');
const idle: McpServerState = { kind: 'idle' };
const waiting: McpServerState = { kind: 'trust_required', reason: { kind: 'never_consented' } };
const failing: McpServerState = { kind: 'error', failure: fakeFailure() };

const inner = httpLaunch('http://localhost:1/mcp');
const plain = httpLaunch('https://notes.example/mcp');
const own = { layer: 'local', path: '/home/user/mcp.json' } as const;
const some = 'You trust some servers of this folder.';
const whole = 'You trust the configuration of this folder.';

interface Case {
  readonly state?: McpServerState;
  readonly trust?: FolderTrust;
  readonly change?: Partial<McpServerDefinition>;
}

function sectionsOf({ state = idle, trust = { kind: 'none' }, change = {} }: Case) {
  const server = new FakeServer(fakeDefinition('notes', { folder, change }), state);
  const service = new FakeService([fakePool([server], { folder })]) as unknown as McpService;
  const context = { isWorkspaceTrusted: true, folderTrust: () => trust };
  return serverPageView(service, { id: server.id, name: 'notes' }, context).sections;
}

it('has no heading for the state of a server that never ran', () => {
  for (const state of [waiting, { kind: 'disabled', by: 'server' } as const]) {
    expect(sectionsOf({ state }).map(({ title }) => title)).not.toContain('State');
  }
});

it('leads to the log of a server that may run, whatever became of it', () => {
  for (const state of [idle, failing]) {
    const section = sectionsOf({ state }).find(({ title }) => title === 'State');
    expect(section?.actions.map(({ action }) => action)).toEqual(['log']);
  }
});

it.each<[string, Case, string]>([
  ['one of its own', {}, 'trusted'],
  ['an address in its own network', { change: { launch: inner } }, 'trusted'],
  ['what needs no consent', { change: { launch: plain } }, some],
  ['what the user added alone', { change: { origin: own } }, some],
  ['what is switched off', { state: { kind: 'disabled', by: 'server' } }, some],
  ['what waits', { state: waiting }, 'Needs trust'],
  ['the whole folder', { trust: { kind: 'folder', grantedAt: '' } }, whole],
  ['nothing', { trust: { kind: 'none' } }, 'You trust no server of this folder.'],
])('says what trust is about: %s', (_name, given, expected) => {
  const sections = sectionsOf({ trust: { kind: 'servers', count: 2 }, ...given });
  const facts = sections.find(({ title }) => title === 'Trust')?.facts;
  expect(facts?.map(({ text }) => text)).toEqual([expected]);
});
