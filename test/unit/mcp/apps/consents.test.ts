import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { McpServerDefinition } from '../../../../src/config/definition.js';
import { AppConsents } from '../../../../src/mcp/apps/consents.js';
import { nullLogger } from '../../../../src/platform/ports.js';
import { fakeDefinition, fakeFolder } from '../../../helpers/fakes/fakeMcp.js';

const watcher = { watch: () => ({ dispose: () => undefined }) };
const folder = fakeFolder('shop');
const shop = fakeDefinition('shop', { folder });
let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pi-mcp-consents-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function open(): Promise<AppConsents> {
  const consents = new AppConsents({ directory, watcher, logger: nullLogger });
  await consents.start();
  return consents;
}

it('remembers exactly what was allowed: folder, server, definition and reach', async () => {
  await (await open()).allow(shop, folder.uri, ['connectDomains https://a.example']);
  const consents = await open();
  const covers = (
    definition: McpServerDefinition,
    folderUri: string | undefined,
    ...permissions: readonly string[]
  ) => consents.covers(definition, folderUri, permissions);
  expect(covers(shop, folder.uri)).toBe(true);
  expect(covers(shop, folder.uri, 'connectDomains https://a.example')).toBe(true);
  expect(covers(shop, folder.uri, 'connectDomains https://b.example')).toBe(false);
  expect(covers(shop, folder.uri, 'frameDomains https://a.example')).toBe(false);
  expect(covers(shop, undefined)).toBe(false);
  expect(covers(shop, fakeFolder('other').uri)).toBe(false);
  expect(covers(fakeDefinition('shop'), folder.uri)).toBe(false);
  const changed = {
    kind: 'stdio',
    command: 'other',
    args: [],
    env: {},
    inheritEnv: false,
  } as const;
  expect(covers({ ...shop, launch: changed }, folder.uri)).toBe(false);
});

it('adds to what was allowed, unless the definition has changed', async () => {
  const consents = await open();
  await consents.allow(shop, folder.uri, ['a']);
  await consents.allow(shop, folder.uri, ['b']);
  expect(consents.covers(shop, folder.uri, ['a', 'b'])).toBe(true);
  const changed: McpServerDefinition = {
    ...shop,
    launch: { kind: 'stdio', command: 'other', args: [], env: {}, inheritEnv: false },
  };
  await consents.allow(changed, folder.uri, ['c']);
  expect(consents.covers(changed, folder.uri, ['a'])).toBe(false);
  expect(consents.all).toHaveLength(1);
});

it('forgets what was revoked, and says so', async () => {
  const consents = await open();
  await consents.allow(shop, folder.uri, []);
  let changes = 0;
  consents.onDidChange(() => changes++);
  await consents.revoke({ folderUri: folder.uri, serverId: shop.id });
  expect(consents.covers(shop, folder.uri, [])).toBe(false);
  expect(changes).toBe(1);
  expect(JSON.parse(await readFile(join(directory, 'app-consents.json'), 'utf8'))).toEqual([
    { revokedAt: expect.any(String) },
  ]);
});
