import { expect, it } from 'vitest';
import { toDisposable } from '../../../../../src/base/disposable.js';
import type { JsonObject } from '../../../../../src/base/json.js';
import { ValueEmitter } from '../../../../../src/base/valueEmitter.js';
import { ToolProfiles } from '../../../../../src/mcp/catalog/records/toolProfiles.js';
import {
  FakeServer,
  FakeService,
  fakeDefinition,
  fakeFolder,
  fakePool,
} from '../../../../helpers/fakes/fakeMcp.js';

const folder = fakeFolder('api');
const tool = (name: string, readOnlyHint = false) => ({
  name,
  inputSchema: {},
  annotations: { readOnlyHint },
});

function profilesOf(
  ofFiles: unknown,
  own: unknown = {},
  stored?: unknown,
  isWorkspaceTrusted = true,
) {
  const server = new FakeServer(
    fakeDefinition('files', { folder }),
    { kind: 'idle' },
    { tools: [tool('read', true), tool('write')] },
  );
  const pools = [
    fakePool([]),
    fakePool([server], { folder, change: { settings: { profiles: ofFiles } as JsonObject } }),
  ];
  const service = Object.assign(new FakeService(pools), {
    serversFor: () => [server],
    trust: { isWorkspaceTrusted, onDidChange: () => toDisposable(() => undefined) },
  });
  const setting = new ValueEmitter<unknown>(own);
  const remembered: unknown[] = [];
  const memory = {
    recall: () => stored,
    remember: (chosen: unknown) => {
      remembered.push(chosen);
      return Promise.resolve();
    },
  };
  const profiles = new ToolProfiles({ service, own: setting, memory });
  const allows = (name: string) =>
    profiles.allows({ folderUri: folder.uri, server: 'files', tool: name });
  return { profiles, allows, setting, service, remembered };
}

it('leaves everything in until one is chosen, and tells of each change', async () => {
  const { profiles, allows, setting, remembered } = profilesOf({}, { look: ['files/read'] });
  let changes = 0;
  profiles.onDidChange(() => changes++);
  expect([allows('read'), allows('write')]).toEqual([true, true]);
  await profiles.choose(folder.uri, { source: 'user', name: 'look' });
  expect([allows('read'), allows('write'), changes]).toEqual([true, false, 1]);
  setting.set({ look: ['files'] });
  expect([allows('write'), changes]).toEqual([true, 2]);
  setting.set({});
  // it is gone: nothing says any more what it left in
  expect([allows('read'), profiles.active(folder.uri)?.profile]).toEqual([false, undefined]);
  await profiles.choose(folder.uri, undefined);
  expect(allows('read')).toBe(true);
  expect(remembered).toEqual([{ [folder.uri]: { source: 'user', name: 'look' } }, {}]);
});

it('narrows to the tools that say that they only read', async () => {
  const { profiles, allows } = profilesOf({ safe: { tools: [], readOnly: true } });
  await profiles.choose(folder.uri, { source: 'folder', name: 'safe' });
  expect([allows('read'), allows('write'), allows('later')]).toEqual([true, false, false]);
});

it('counts the choice of the only folder for what is of no folder', async () => {
  const { profiles } = profilesOf({}, { none: ['!*'] });
  await profiles.choose(undefined, { source: 'user', name: 'none' });
  expect(profiles.active(folder.uri)?.name).toBe('none');
  expect(profiles.active(undefined)?.name).toBe('none');
});

it('reads no choices that it did not write', () => {
  const stored = { [folder.uri]: { source: 'elsewhere', name: 'x' }, other: 7 };
  expect(profilesOf({}, {}, stored).profiles.active(folder.uri)).toBeUndefined();
  expect(profilesOf({}, {}, 'x').profiles.active(folder.uri)).toBeUndefined();
});

it('takes no profile of a folder in the place of one of the user, and reads none in Restricted Mode', async () => {
  const { profiles, allows } = profilesOf({ look: ['*'] }, { look: ['files/read'] });
  await profiles.choose(folder.uri, { source: 'user', name: 'look' });
  expect([allows('read'), allows('write')]).toEqual([true, false]);
  expect(profiles.list(folder.uri).map(({ source }) => source)).toEqual(['user', 'folder']);
  const restricted = profilesOf({ look: ['*'] }, {}, undefined, false);
  expect(restricted.profiles.list(folder.uri)).toEqual([]);
});
