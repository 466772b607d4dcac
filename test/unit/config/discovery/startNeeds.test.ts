import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isNeededAtStart } from '../../../../src/config/discovery/startNeeds.js';
import {
  globalConfigFiles,
  localConfigFile,
} from '../../../../src/config/parse/configLocations.js';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pi-mcp-start-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const user = '.pi/agent/mcp.json';

async function isNeeded(files: Readonly<Record<string, string>>): Promise<boolean> {
  const machine = { homeDir: root, getVariable: () => undefined };
  for (const [name, text] of Object.entries(files)) {
    const path = name.startsWith('local:')
      ? localConfigFile(join(root, name.slice('local:'.length)), machine).path
      : join(root, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  const folder = join(root, 'folder');
  const local = localConfigFile(folder, machine);
  return isNeededAtStart([folder], globalConfigFiles(machine), [local]);
}

/** As a file below the root, which is not known yet. */
const local = (folder: string) => `local:${folder}`;

const withLifecycle = (lifecycle: string) =>
  JSON.stringify({ mcpServers: { a: { command: 'node', lifecycle } } });

it.each([
  ['nothing', {}, false],
  ['a file of the folder', { 'folder/.mcp.json': '{}' }, true],
  ['one for Pi', { 'folder/.pi/mcp.json': '{}' }, true],
  ['one for Pilot', { 'folder/.pilot/mcp.json': '{}' }, true],
  ['one of the user for the folder', { [local('folder')]: '{}' }, true],
  ['one of the user for another folder', { [local('other')]: '{}' }, false],
  ['servers of the user that start when they are used', { [user]: withLifecycle('lazy') }, false],
  ['one that is kept from its first use on', { [user]: withLifecycle('lazy-keep-alive') }, false],
  ['one that starts with the window', { [user]: withLifecycle('eager') }, true],
  ['one that is kept alive', { '.config/mcp/mcp.json': withLifecycle('keep-alive') }, true],
] as const)('with %s: %s', async (_title, files, expected) => {
  expect(await isNeeded(files as Readonly<Record<string, string>>)).toBe(expected);
});

it('does not follow what a folder points to, and reads no endless file of the user', async () => {
  await mkdir(join(root, 'folder'));
  await mkdir(join(root, '.pi/agent'), { recursive: true });
  await symlink('/dev/zero', join(root, user));
  expect(await isNeeded({})).toBe(false);
  await symlink('/nowhere', join(root, 'folder/.mcp.json'));
  expect(await isNeeded({})).toBe(true);
});

it('is needed for a folder of its own that is a link, without a look at where that leads', async () => {
  const outside = join(root, 'outside');
  await mkdir(join(root, 'folder'));
  await mkdir(outside);
  await symlink(outside, join(root, 'folder/.pi'));
  // a look through the link would find nothing there; the link alone is what we are needed for
  expect(await isNeeded({})).toBe(true);
});
