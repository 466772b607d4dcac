/** A repository brings profiles of tools along that would give more than its user does, or take for ever. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ToolFeatures } from '../../src/agent/policy/toolFeatures.js';
import type { JsonObject } from '../../src/base/json.js';
import { ValueEmitter } from '../../src/base/valueEmitter.js';
import type { WorkspaceFolder } from '../../src/config/definition.js';
import { isInProfile, readProfiles } from '../../src/config/toolProfiles.js';
import { NodeFileWatcher } from '../../src/platform/nodeFileWatcher.js';
import { nullLogger } from '../../src/platform/ports.js';
import { CoreHarness } from '../helpers/coreHarness.js';
import { FakeKept } from '../helpers/fakes/fakeKept.js';

const own = { look: ['files/read'], careful: { tools: [], readOnly: true } };
const tools = ['files/read', 'files/write', 'files/delete', 'shell/run'];
/** The user's own choice of what is off. */
const offForAll = 'files/delete';

let harness: CoreHarness;
let folder: WorkspaceFolder;
let features: ToolFeatures;

beforeEach(async () => {
  harness = await CoreHarness.create();
  await harness.writeGlobal({});
});
afterEach(async () => {
  features.dispose();
  await harness.dispose();
});

const placeOf = (name: string) => {
  const [server = '', tool = ''] = name.split('/');
  return { folderUri: folder.uri, server, tool };
};

/** Opens the window of a user with a folder whose file says this. */
async function open(file: JsonObject): Promise<void> {
  folder = await harness.addFolder('repository', {});
  await harness.write(folder, JSON.stringify({ mcpServers: {}, ...file }));
  const service = harness.open();
  await service.whenStarted();
  features = new ToolFeatures({
    directory: undefined,
    watcher: new NodeFileWatcher(),
    logger: nullLogger,
    service,
    environment: harness.environment,
    profiles: new ValueEmitter<unknown>(own),
    profileMemory: new FakeKept(),
  });
  await features.switches.set(placeOf(offForAll), 'off');
}

const offered = () => tools.filter((name) => features.offered.isOn(placeOf(name)));

const everything = { tools: ['*', '*/*'], readOnly: false };
const files: readonly JsonObject[] = [
  { settings: { profiles: { look: everything, careful: everything } } },
  { settings: { profiles: { look: everything }, profile: 'look', activeProfile: 'look' } },
  { settings: { profiles: { look: ['!nothing'] }, chosenProfiles: { '*': 'look' } } },
  { settings: { profiles: { __proto__: everything, constructor: everything, look: [] } } },
  { settings: { 'piMcp.profiles': { look: everything } }, profiles: { look: everything } },
];

it.each(files)('give nothing that the profile of the user leaves out: %j', async (file) => {
  await open(file);
  await features.profiles.choose(folder.uri, { source: 'user', name: 'look' });
  expect(offered()).toEqual(['files/read']);
  // no server says that it only reads
  await features.profiles.choose(folder.uri, { source: 'user', name: 'careful' });
  expect(offered()).toEqual([]);
});

it.each(files)('choose nothing, and give nothing that is off: %j', async (file) => {
  await open(file);
  const without = tools.filter((name) => name !== offForAll);
  expect(offered()).toEqual(without);
  for (const { source, name } of features.profiles.list(folder.uri)) {
    await features.profiles.choose(folder.uri, { source, name });
    expect(offered().filter((one) => !without.includes(one))).toEqual([]);
  }
});

it('are read in no folder that is not trusted, and leave everything out then', async () => {
  await open({ settings: { profiles: { mine: ['files/read'] } } });
  await features.profiles.choose(folder.uri, { source: 'folder', name: 'mine' });
  expect(offered()).toEqual(['files/read']);
  harness.setTrusted(false);
  expect(features.profiles.list(folder.uri).map(({ source }) => source)).toEqual(['user', 'user']);
  expect(offered()).toEqual([]);
  harness.setTrusted(true);
  expect(offered()).toEqual(['files/read']);
});

it('narrow at once when their file changes, as far as they were chosen', async () => {
  await open({ settings: { profiles: { mine: ['files'] } } });
  await features.profiles.choose(folder.uri, { source: 'folder', name: 'mine' });
  expect(offered()).toEqual(['files/read', 'files/write']);
  const changed = new Promise<void>((resolve) => {
    features.offered.onDidChange(() => resolve());
  });
  await harness.write(
    folder,
    JSON.stringify({ mcpServers: {}, settings: { profiles: { mine: ['files/read'] } } }),
  );
  await changed;
  expect(offered()).toEqual(['files/read']);
});

it('take no more time than their length and that of the names, whatever patterns they are made of', async () => {
  await open({});
  const hard = [
    '*a'.repeat(100),
    `${'*'.repeat(199)}x`,
    `(${'a+'.repeat(90)})+$`,
    `${'*/'.repeat(90)}b`,
  ];
  const [profile] = readProfiles(
    { x: Array.from({ length: 200 }, (_, at) => hard[at % 4]) },
    'folder',
  );
  const tool = {
    server: `${'a'.repeat(200)}!`,
    tool: `${'a'.repeat(10_000)}!`,
    isReadOnly: () => false,
  };
  const start = performance.now();
  expect(profile && isInProfile(profile, tool)).toBe(false);
  expect(performance.now() - start).toBeLessThan(1_000);
});
